import { expressionHooks } from '../../../expression/hooks.js';
import { unreachable } from '../../../errors/odata-error.js';
import { printExpr, printPath } from '../../../expression/print.js';
import { printComputeItem, printOrderbyItem } from '../../../uri/print-options.js';
import type { AggregateItem, GroupbyTransformation, GroupingElement, Transformation } from '../../../uri/query-options.js';

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
      return `search(${expressionHooks.get('search').print(transformation.search)})`;
    case 'compute':
      return `compute(${transformation.items.map(printComputeItem).join(',')})`;
    case 'rank':
      return `${transformation.method}(${printExpr(transformation.amount)},${printExpr(transformation.by)})`;
    case 'orderby':
      return `orderby(${transformation.items.map(printOrderbyItem).join(',')})`;
    case 'skip':
    case 'top':
      return `${transformation.kind}(${transformation.count})`;
    case 'groupby':
      return printGroupby(transformation);
    case 'concat':
      return `concat(${transformation.sequences.map(printApply).join(',')})`;
    default:
      return unreachable(transformation);
  }
}

function printAggregateItem({ expression, method, alias }: AggregateItem): string {
  return `${printExpr(expression)}${printMethod(method)}${alias === undefined ? '' : ` as ${alias}`}`;
}

function printMethod(method: string | undefined): string {
  return method === undefined ? '' : ` with ${method}`;
}

function printGroupby({ groups, aggregate }: GroupbyTransformation): string {
  return `groupby((${groups.map(printGroup).join(',')})${aggregate ? `,${printTransformation(aggregate)}` : ''})`;
}

function printGroup(group: GroupingElement): string {
  if (group.kind === 'member') return printPath(group, printExpr);
  return `rollup(${[...(group.all ? ['$all'] : []), ...group.paths.map((path) => printPath(path, printExpr))].join(',')})`;
}
