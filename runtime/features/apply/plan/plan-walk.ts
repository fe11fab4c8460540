import { errors } from '../../../errors/catalogue.js';
import type { HierarchyNodes, HierarchyTransformation, Transformation, TraverseTransformation } from '../../../uri/query-options.js';
import { checkNode, planHierarchy } from './plan-hierarchy.js';
import { planOrder } from '../../../plan/plan-order.js';
import { columnAt, computeColumn, relationOf, type Place, type Progress } from './relation.js';
import type { Scope } from '../../../plan/scope.js';

/** Plans a sequence of transformations over a set. */
export type PlanSequence = (transformations: readonly Transformation[], before: Progress, place: Place) => Progress;

/** `ancestors` and `descendants`: the rows of nodes that lie above or beneath those of some rows (Data Aggregation 6.2.1). */
export function planWalk(transformation: HierarchyTransformation, progress: Progress, place: Place, plan: PlanSequence): Progress {
  const { kind, node, start, distance, keepStart } = transformation;
  const { scope } = place;
  requireSubset(kind, start, scope);
  const { hierarchy } = hierarchyOf(transformation, scope, plan);
  const { progress: named, computed } = computeColumn(progress, place, (over) => checkNode(node, hierarchy, over));
  const { steps } = plan(start, { relation: named.relation, steps: [] }, place);
  const [alias, inner] = [scope.aliases.next(), scope.aliases.next()];
  const walk = { hierarchy, towards: kind, self: keepStart, ...(distance !== undefined && { distance }) };
  const step = {
    kind: 'walk',
    alias,
    node: columnAt(alias, computed),
    start: { alias: inner, steps, node: columnAt(inner, computed) },
    walk,
  } as const;
  return { ...named, steps: [...named.steps, step] };
}

/** `traverse`: the rows in the order of a walk through the hierarchy from its roots (Data Aggregation 6.2.2.1). */
export function planTraverse(transformation: TraverseTransformation, progress: Progress, place: Place, plan: PlanSequence): Progress {
  const { node, direction, order: items } = transformation;
  const { scope } = place;
  const { single, hierarchy, type } = hierarchyOf(transformation, scope, plan);
  // A node reached on several paths would occur several times, distinguished by Aggregation.UpPath.
  if (!single)
    throw errors
      .notImplemented(
        'traverse for nodes with several parents',
        'The result would contain a node once per path to it; sort the result of ancestors or descendants with $orderby.',
      )
      .at(scope.option);
  const { progress: named, computed } = computeColumn(progress, place, (over) => checkNode(node, hierarchy, over));
  const inner: Scope = { ...scope, implicit: { kind: 'record', source: hierarchy.nodes, type }, variables: new Map() };
  const alias = scope.aliases.next();
  const column = `#.${alias}`;
  const step = {
    kind: 'traverse',
    alias,
    node: columnAt(alias, computed),
    column,
    hierarchy,
    direction,
    order: planOrder(items, type, hierarchy.nodes.alias, inner),
  } as const;
  const order = [{ column, type: 'Edm.Int64' as const, nullable: false, descending: false }, ...named.relation.order];
  return { ...named, relation: { ...named.relation, order }, steps: [...named.steps, step] };
}

// The hierarchy that a transformation names, or the nodes that its subset keeps.
function hierarchyOf({ nodes, qualifier, subset }: HierarchyNodes, scope: Scope, plan: PlanSequence): ReturnType<typeof planHierarchy> {
  if (subset === undefined) return planHierarchy(nodes, qualifier, scope);
  requireSubset('The hierarchy', subset, scope);
  return planHierarchy(nodes, qualifier, scope, (type, inner) => {
    const identity = planOrder(undefined, type, '', inner).flatMap(({ expression }) => (expression.kind === 'column' ? [expression] : []));
    return plan(subset, { relation: relationOf(type, identity), steps: [] }, { scope: inner }).steps;
  });
}

/** Transformations whose output set is a subset of their input set (Data Aggregation 3.3 and 6.2). */
const subsets: ReadonlySet<Transformation['kind']> = new Set([
  'identity',
  'filter',
  'search',
  'orderby',
  'skip',
  'top',
  'rank',
  'ancestors',
  'descendants',
  'traverse',
]);

function requireSubset(kind: string, start: readonly Transformation[], { option }: Scope): void {
  const other = start.find((transformation) => !subsets.has(transformation.kind));
  if (other)
    throw errors
      .typeMismatch(
        `${kind} starts from some of the records, selected by filter or a similar transformation; ${other.kind} transforms them, at position ${other.at + 1}.`,
      )
      .at(option);
}
