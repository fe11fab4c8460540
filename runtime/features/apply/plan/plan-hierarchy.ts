import { fieldOf, navigationOf, own, targetOf } from '../../../edm/index.js';
import { type EntityType } from '../../../edm/entity-type.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt, suggestion } from '../../../errors/suggest.js';
import type { CommonExpr, MemberExpr } from '../../../expression/ast.js';
import { familyNames } from '../../../expression/methods.js';
import { matchOperand } from '../../../plan/value/check-literal.js';
import { checkCondition, checkExpr } from '../../../plan/check/check-expr.js';
import { joinAlong } from '../../../plan/navigation-join.js';
import { storedExpr } from '../../../plan/check/property-expr.js';
import { rootOf } from '../../../plan/caller.js';
import { memberScope, noteRestricted, type Scope } from '../../../plan/scope.js';
import { rootRecords } from '../../../plan/check/root-record.js';
import { typesInTable } from '../../../plan/check/type-cast.js';
import type { JoinStep, TypedExpr } from '../../../plan/typed-expr.js';
import type { Hierarchy, ApplyStep } from '../../../plan/apply-plan.js';
import { familyOfExpr } from '../../../plan/expr-facts.js';

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
