import { unreachable } from '../errors/unreachable.js';
import { printExpr } from '../expression/print.js';
import { printPath, printSearch } from '../expression/print-path.js';
import { printComputeItem, printOrderbyItem } from './print-items.js';
import type {
  AggregateItem,
  ComposedTransformation,
  ExpandTransformation,
  GroupbyTransformation,
  GroupingElement,
  HierarchyNodes,
  HierarchyTransformation,
  JoinTransformation,
  NestItem,
  Transformation,
  TraverseTransformation,
} from './transformations.js';

/** `$apply` as OData text; parsing it gives the transformations again. */
export function printApply(transformations: readonly Transformation[]): string {
  return transformations.map(printTransformation).join('/');
}

function printTransformation(transformation: Transformation): string {
  switch (transformation.kind) {
    case 'identity':
      return 'identity';
    case 'aggregate':
      return `aggregate(${transformation.items.map(printAggregateItem).join(',')})`;
    case 'filter':
      return `filter(${printExpr(transformation.condition)})`;
    case 'search':
      return `search(${printSearch(transformation.search)})`;
    case 'compute':
      return `compute(${transformation.items.map(printComputeItem).join(',')})`;
    case 'rank':
      return `${transformation.method}(${printExpr(transformation.amount)},${printExpr(transformation.by)})`;
    case 'orderby':
      return `orderby(${transformation.items.map(printOrderbyItem).join(',')})`;
    case 'skip':
    case 'top':
      return `${transformation.kind}(${transformation.count})`;
    case 'function':
      return `${transformation.name}(${transformation.parameters.map(({ name, value }) => `${name}=${printExpr(value)}`).join(',')})`;
    default:
      return printComposed(transformation);
  }
}

function printComposed(transformation: ComposedTransformation): string {
  switch (transformation.kind) {
    case 'groupby':
      return printGroupby(transformation);
    case 'concat':
      return `concat(${transformation.sequences.map(printApply).join(',')})`;
    case 'expand':
      return printExpand(transformation);
    case 'join':
    case 'outerjoin':
      return printJoin(transformation);
    case 'ancestors':
    case 'descendants':
      return printHierarchy(transformation);
    case 'traverse':
      return printTraverse(transformation);
    case 'nest':
      return `nest(${printNested(transformation.items)})`;
    case 'addnested':
      return `addnested(${printPath(transformation.path, printExpr)},${printNested(transformation.items)})`;
    default:
      return unreachable(transformation);
  }
}

function printAggregateItem({ expression, method, from, alias, inner }: AggregateItem): string {
  const value = inner ? `${printExpr(expression)}(${printAggregateItem(inner)})` : printExpr(expression);
  const froms = from.map((one) => ` from ${printPath(one.path, printExpr)}${printMethod(one.method)}`);
  return `${value}${printMethod(method)}${froms.join('')}${alias === undefined ? '' : ` as ${alias}`}`;
}

function printMethod(method: string | undefined): string {
  return method === undefined ? '' : ` with ${method}`;
}

function printGroupby({ groups, transformations }: GroupbyTransformation): string {
  return `groupby((${groups.map(printGroup).join(',')})${printRest(transformations)})`;
}

function printGroup(group: GroupingElement): string {
  if (group.kind === 'member') return printPath(group, printExpr);
  if (group.kind === 'rolluprecursive') return `rolluprecursive(${[...printNodes(group), ...printSubset(group)].join(',')})`;
  return `rollup(${[...(group.all ? ['$all'] : []), ...group.paths.map((path) => printPath(path, printExpr))].join(',')})`;
}

function printRest(transformations: readonly Transformation[] | undefined): string {
  return transformations === undefined ? '' : `,${printApply(transformations)}`;
}

function printExpand({ path, transformations, expands }: ExpandTransformation): string {
  const parts = [...transformations.map(printTransformation), ...expands.map(printExpand)];
  return `expand(${[path.map(({ name }) => name).join('/'), ...parts].join(',')})`;
}

function printJoin({ kind, path, alias, transformations }: JoinTransformation): string {
  return `${kind}(${printPath(path, printExpr)} as ${alias}${printRest(transformations)})`;
}

function printHierarchy({ kind, start, distance, keepStart, ...nodes }: HierarchyTransformation): string {
  return `${kind}(${[...printNodes(nodes), printApply(start), ...printSubset(nodes), ...(distance === undefined ? [] : [String(distance)]), ...(keepStart ? ['keep start'] : [])].join(',')})`;
}

function printTraverse({ direction, order, ...nodes }: TraverseTransformation): string {
  return `traverse(${[...printNodes(nodes), direction, ...printSubset(nodes), ...order.map(printOrderbyItem)].join(',')})`;
}

function printNodes({ nodes, qualifier, node }: HierarchyNodes): readonly string[] {
  return [printPath(nodes, printExpr), qualifier, printPath(node, printExpr)];
}

function printSubset({ subset }: HierarchyNodes): readonly string[] {
  return subset === undefined ? [] : [printApply(subset)];
}

function printNested(items: readonly NestItem[]): string {
  return items.map(({ transformations, alias }) => `${printApply(transformations)} as ${alias}`).join(',');
}
