import { navigationOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { MemberExpr } from '../../expression/ast.js';
import type { ExpandItem } from '../../uri/query-options.js';
import type { HierarchyTransformation, Transformation, TraverseTransformation } from '../../uri/transformations.js';
import { checkNode, planHierarchy } from '../check/plan-hierarchy.js';
import { planOrder } from '../plan-order.js';
import { columnAt, computeColumn, type Place, type Progress, type Relation } from '../relation.js';
import type { Scope } from '../scope.js';

/** `ancestors` and `descendants`: the rows of nodes that lie above or beneath those of some rows (Data Aggregation 6.2.1). */
export function planWalk(transformation: HierarchyTransformation, progress: Progress, place: Place, planStart: (before: Progress) => Progress): Progress {
  const { kind, nodes, qualifier, node, start, distance, keepStart } = transformation;
  const { scope } = place;
  requireUngrouped(kind, place);
  requireSubset(kind, start, scope);
  const hierarchy = planHierarchy(nodes, qualifier, scope);
  const { progress: named, computed } = computeColumn(progress, place, (over) => checkNode(node, hierarchy, over));
  const { steps } = planStart({ relation: named.relation, steps: [] });
  const [alias, inner] = [scope.aliases.next(), scope.aliases.next()];
  const walk = { hierarchy, towards: kind, self: keepStart, ...(distance !== undefined && { distance }) };
  const step = { kind: 'walk', alias, node: columnAt(alias, computed), start: { alias: inner, steps, node: columnAt(inner, computed) }, walk } as const;
  return { ...named, steps: [...named.steps, step] };
}

/** `traverse`: the rows in the order of a walk through the hierarchy from its roots (Data Aggregation 6.2.2.1). */
export function planTraverse(transformation: TraverseTransformation, progress: Progress, place: Place): Progress {
  const { nodes, qualifier, node, direction, order: items } = transformation;
  const { scope } = place;
  requireUngrouped('traverse', place);
  const { single, ...hierarchy } = planHierarchy(nodes, qualifier, scope);
  // A node that is reached in several ways would be there several times, each told apart by Aggregation.UpPath.
  if (!single) throw errors.notImplemented('traverse where nodes have several parents').at(scope.option);
  const { progress: named, computed } = computeColumn(progress, place, (over) => checkNode(node, hierarchy, over));
  const set = scope.container.entityTypes;
  const type = Object.values(set).find(({ table, entitySet }) => table === hierarchy.nodes.table && entitySet === nodes.path[1]?.name);
  if (type === undefined) throw errors.internal();
  const inner: Scope = { ...scope, implicit: { kind: 'record', source: hierarchy.nodes, type }, variables: new Map() };
  const alias = scope.aliases.next();
  const column = `#.${alias}`;
  const step = { kind: 'traverse', alias, node: columnAt(alias, computed), column, hierarchy, direction, order: planOrder(items, type, hierarchy.nodes.alias, inner) } as const;
  const order = [{ column, type: 'Edm.Int64' as const, nullable: false, descending: false }, ...named.relation.order];
  return { ...named, relation: { ...withNodeShown(node, named.relation), order }, steps: [...named.steps, step] };
}

// The groups of a groupby would each have a walk of their own.
function requireUngrouped(kind: string, { partition, scope }: Place): void {
  if (partition.length > 0) throw errors.notImplemented(`${kind} within groupby`, 'Walk first, and group what is left.').at(scope.option);
}

/** Transformations whose output set is a subset of their input set (Data Aggregation 3.3 and 6.2). */
const subsets: ReadonlySet<Transformation['kind']> = new Set(['identity', 'filter', 'search', 'orderby', 'skip', 'top', 'rank', 'ancestors', 'descendants', 'traverse']);

function requireSubset(kind: string, start: readonly Transformation[], { option }: Scope): void {
  const other = start.find((transformation) => !subsets.has(transformation.kind));
  if (other) throw errors.typeMismatch(`${kind} starts from some of the records, which filter and its kin choose; ${other.kind} makes others of them, at position ${other.at + 1}.`).at(option);
}

// A node that another record belongs to is expanded by default.
function withNodeShown({ path }: MemberExpr, relation: Relation): Relation {
  const [first, ...rest] = path.slice(0, -1);
  if (first === undefined || !navigationOf(relation.type, first.name) || relation.expands.some((item) => item.path[0]?.name === first.name)) return relation;
  const item = rest.reduceRight<ExpandItem>((inner, segment) => ({ path: [segment], options: { expand: [inner] } }), { path: [rest.at(-1) ?? first], options: {} });
  return { ...relation, expands: [...relation.expands, rest.length === 0 ? item : { path: [first], options: { expand: [item] } }] };
}
