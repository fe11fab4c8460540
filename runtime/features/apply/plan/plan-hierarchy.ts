import type { EntityType } from '../../../edm/entity-type.js';
import { fieldOf, navigationOf, own, targetOf } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt, suggestion } from '../../../errors/suggest.js';
import type { CommonExpr, MemberExpr } from '../../../expression/ast.js';
import { familyNames } from '../../../expression/methods.js';
import type { ApplyStep, Hierarchy } from '../../../plan/apply-plan.js';
import { rootOf } from '../../../plan/caller.js';
import { checkCondition, checkExpr } from '../../../plan/check/check-expr.js';
import { storedExpr } from '../../../plan/check/property-expr.js';
import { rootRecords } from '../../../plan/check/root-record.js';
import { typesInTable } from '../../../plan/check/type-cast.js';
import { familyOfExpr } from '../../../plan/expr-facts.js';
import { joinAlong } from '../../../plan/navigation-join.js';
import { planOrder } from '../../../plan/plan-order.js';
import { memberScope, noteRestricted, type Scope } from '../../../plan/scope.js';
import type { JoinStep, TypedExpr } from '../../../plan/typed-expr.js';
import { matchOperand } from '../../../plan/value/check-literal.js';
import type { HierarchyNodes, HierarchyTransformation, Transformation, TraverseTransformation } from '../../../uri/query-options.js';
import { columnAt, computeColumn, type Place, type Progress, relationOf } from './relation.js';

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

/** Plans the steps of a transformation that keep some of a type's entities. */
type PlanSubset = (type: EntityType, scope: Scope) => readonly ApplyStep[];

/** A hierarchy, the type of its nodes with the property that identifies them, and whether each has one parent at most. */
interface PlannedHierarchy {
  readonly hierarchy: Hierarchy;
  readonly type: EntityType;
  readonly node: string;
  readonly single: boolean;
}

/**
 * A recursive hierarchy of an entity set by qualifier (Data Aggregation 5.5.1 and 6.1), with identifier and parent from
 * the model.
 */
export function planHierarchy(nodes: MemberExpr, qualifier: string, scope: Scope, planSubset?: PlanSubset): PlannedHierarchy {
  const { set, type, joinStep, filters } = nodesOf(nodes, scope);
  const known = type.recursiveHierarchies ?? {};
  const hierarchy = own(known, qualifier);
  if (hierarchy === undefined)
    throw errors
      .unknownName(`recursive hierarchy ${excerpt(qualifier)}`, set, hierarchyHint(qualifier, Object.keys(known)))
      .at(scope.option);
  const [field, navigation] = [fieldOf(type, hierarchy.node), navigationOf(type, hierarchy.parent)];
  const target = navigation && targetOf(scope.container, navigation);
  if (field === undefined || navigation === undefined || target?.table !== type.table)
    throw errors.typeMismatch(`${set} has no hierarchy ${qualifier}: the target of ${hierarchy.parent} is another set.`).at(scope.option);
  noteRestricted(scope, type, hierarchy.node);
  noteRestricted(scope, type, rootOf(hierarchy.parent));
  const types = typesInTable(type, scope.container);
  const parents = { ...joinAlong(navigation, target, joinStep.alias, scope.aliases), ...types };
  const subset = subsetOf(type, filters, scope, planSubset);
  const planned = {
    nodes: { ...joinStep, ...types },
    identifier: storedExpr({ alias: joinStep.alias, type }, hierarchy.node, field),
    parents,
    ...(subset && { subset }),
  };
  return { type, node: hierarchy.node, single: !navigation.collection, hierarchy: planned };
}

// The filters after the set, followed by those of a transformation.
function subsetOf(type: EntityType, filters: readonly CommonExpr[], scope: Scope, planSubset: PlanSubset | undefined): Hierarchy['subset'] {
  if (filters.length === 0 && planSubset === undefined) return undefined;
  const steps = filters.map((condition): ApplyStep => {
    const alias = scope.aliases.next();
    return {
      kind: 'filter',
      alias,
      condition: checkCondition(condition, memberScope(scope, { kind: 'record', source: { alias, table: type.table }, type })),
    };
  });
  const base = { alias: scope.aliases.next(), table: type.table, parents: [], key: [] };
  return { base, steps: [...steps, ...(planSubset?.(type, scope) ?? [])], alias: scope.aliases.next() };
}

interface Nodes {
  readonly set: string;
  readonly type: EntityType;
  readonly joinStep: JoinStep;
  readonly filters: readonly CommonExpr[];
}

function nodesOf({ path: [root, set, ...further], at }: MemberExpr, scope: Scope): Nodes {
  if (root?.name !== '$root')
    throw errors
      .typeMismatch(`The nodes of a hierarchy must be a set after $root, at position ${at + 1}, as in $root/‹nodes›.`)
      .at(scope.option);
  const filters = further.flatMap(({ filter }) => filter ?? []);
  if (filters.length < further.length || set?.parentheses)
    throw errors
      .notImplemented(
        'A hierarchy whose nodes are not a set',
        `Write $root/${set?.name ?? '‹nodes›'}, or $root/${set?.name ?? '‹nodes›'}/$filter(...).`,
      )
      .at(scope.option);
  const { type, joinStep, single } = rootRecords(set, scope);
  if (single) throw errors.typeMismatch(`A hierarchy needs an entity set, but ${set?.name ?? ''} is a single record.`).at(scope.option);
  return { set: set?.name ?? '', type, joinStep, filters };
}

function hierarchyHint(qualifier: string, known: readonly string[]): string {
  if (known.length === 0) return ' The model declares hierarchies with the annotation Aggregation.RecursiveHierarchy of the entity type.';
  return suggestion(qualifier, known) || ` It has ${known.join(', ')}.`;
}

/** A value that identifies a node. */
export function checkNode(expr: CommonExpr, { identifier }: Hierarchy, scope: Scope): TypedExpr {
  const node = matchOperand(checkExpr(expr, scope), identifier);
  const [given, wanted] = [familyOfExpr(node), familyOfExpr(identifier)];
  if (given === wanted || given === undefined) return node;
  throw errors
    .typeMismatch(
      `A node is identified by ${wanted === undefined ? 'null' : familyNames[wanted]}, but this is ${familyNames[given]}, at position ${expr.at + 1}.`,
    )
    .at(scope.option);
}
