import { fieldOf, type EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { MemberExpr } from '../../expression/ast.js';
import type { GroupbyTransformation, GroupingElement, RecursiveRollup } from '../../uri/transformations.js';
import type { RolledUp } from '../apply-plan.js';
import { resolvePath } from '../check/check-path.js';
import { storedExpr } from '../check/stored-expr.js';
import { within } from '../check/check-property.js';
import { checkNode } from '../check/plan-hierarchy.js';
import { withLinks } from '../links.js';
import { nameOf } from '../shown-path.js';
import {
  columnAt,
  computeColumn,
  dynamicField,
  relationColumn,
  scopeOver,
  withField,
  withNavigation,
  type Place,
  type Progress,
  type Relation,
  type RelationColumn,
} from '../relation.js';
import type { Rollup, Scope } from '../scope.js';
import { hierarchyOf, type PlanSequence } from './plan-walk.js';

/** How the node is shown (Data Aggregation 6.2.2.1): the record itself, the one that a path leads to, or its identifier alone. */
type Shown = 'record' | 'related' | 'identifier';

/** An operator, planned. */
interface Planned extends Rollup, RolledUp {
  readonly shown: Shown;
}

/** Groups what the unfolded rows are, by the operators' hidden properties among others. */
export type PlanGroups = (groups: GroupbyTransformation, progress: Progress, place: Place) => Progress;

/** `groupby((rolluprecursive(...)),...)`: each row counts for its node and for all above it (Data Aggregation 6.3). */
export function planRollups(
  transformation: GroupbyTransformation,
  progress: Progress,
  place: Place,
  plan: PlanSequence,
  planGroups: PlanGroups,
): Progress {
  const { scope, partition } = place;
  if (partition.length > 0)
    throw errors
      .notImplemented('rolluprecursive within groupby', 'Write its properties beside it, as in groupby((‹text›,rolluprecursive(...)),...).')
      .at(scope.option);
  const rollups = transformation.groups.filter(isRollup);
  let current = progress;
  const operators = rollups.map((operator, index) => {
    const { planned, progress: after } = planOperator(operator, index, current, place, plan);
    current = after;
    return planned;
  });
  const groups = transformation.groups.map((group): GroupingElement =>
    isRollup(group) ? hiddenPath(rollups.indexOf(group), group.at) : group,
  );
  // Where nothing else is grouped by, a node that no row belongs to has a group as well.
  const whole = groups.length === operators.length && transformation.transformations !== undefined;
  const unfolded = unfold(operators, current, place, whole);
  const after = planGroups({ ...transformation, groups }, unfolded, { ...place, scope: { ...scope, rollups: operators } });
  return operators.reduce((before, operator) => show(operator, before, place), after);
}

/** Whether rows are grouped by nodes. */
export function isRollup(group: GroupingElement): group is RecursiveRollup {
  return group.kind === 'rolluprecursive';
}

function hiddenPath(index: number, at: number): MemberExpr {
  return { kind: 'member', at, path: [{ name: hiddenName(index), at }] };
}

function hiddenName(index: number): string {
  return `#rollup${index}`;
}

function planOperator(
  operator: RecursiveRollup,
  index: number,
  progress: Progress,
  place: Place,
  plan: PlanSequence,
): { readonly planned: Planned; readonly progress: Progress } {
  const { scope } = place;
  const { single, hierarchy, type, node: identifier } = hierarchyOf(operator, scope, plan);
  if (!single)
    throw errors
      .notImplemented(
        'rolluprecursive where nodes have several parents',
        'Each node would be there once for every way to it; ask for one node at a time, by descendants(...,keep start)/aggregate(...).',
      )
      .at(scope.option);
  const { progress: named, computed } = computeColumn(progress, place, (over) => checkNode(operator.node, hierarchy, over));
  const alias = scope.aliases.next();
  const planned: Planned = {
    property: hiddenName(index),
    type,
    path: operator.node,
    identifier,
    hierarchy,
    node: columnAt(alias, computed),
    column: `#.${alias}`,
    shown: shownAs(operator.node, identifier, hierarchy.nodes.table, progress, scope),
  };
  return { planned, progress: named };
}

function shownAs(path: MemberExpr, identifier: string, table: string, { relation }: Progress, scope: Scope): Shown {
  if (path.path.at(-1)?.name !== identifier) return 'identifier';
  if (path.path.length === 1) return relation.entity && relation.type.table === table ? 'record' : 'identifier';
  const before = resolvePath({ ...path, path: path.path.slice(0, -1) }, scopeOver(relation, scope.aliases.next(), scope));
  return before.kind === 'record' && before.type.table === table ? 'related' : 'identifier';
}

function unfold(operators: readonly Planned[], progress: Progress, place: Place, whole: boolean): Progress {
  const { relation, steps } = progress;
  const alias = place.scope.aliases.next();
  const hierarchies = operators.map(({ hierarchy, node, column }): RolledUp => ({ hierarchy, node: { ...node, alias }, column }));
  const live: RelationColumn | undefined = whole ? { column: `#.${alias}.l`, type: 'Edm.Boolean', nullable: false } : undefined;
  const numbers = operators.map(({ column }): RelationColumn => ({ column, type: 'Edm.Int64', nullable: false }));
  const named = operators.reduce((before, { property, column }) => withField(before, property, { type: 'Edm.Int64', column }), relation);
  const identity = [...numbers, ...relation.identity.map((column) => ({ ...column, nullable: true }))];
  return {
    relation: { ...named, identity },
    steps: [...steps, { kind: 'rollup', alias, hierarchies, ...(live && { live: live.column }) }],
    ...(live && { live }),
  };
}

function show(operator: Planned, progress: Progress, place: Place): Progress {
  const number = relationColumn(progress.relation.type, operator.property);
  const hidden = { ...progress, relation: withoutField(progress.relation, operator.property) };
  switch (operator.shown) {
    case 'record':
      return showRecord(operator, number, hidden, place);
    case 'related':
      return showRelated(operator, number, hidden, place);
    case 'identifier':
      return showIdentifier(operator, number, hidden, place);
  }
}

// The rows are records again, with what was made of those beneath each.
function showRecord({ type }: Planned, number: RelationColumn, progress: Progress, { scope }: Place): Progress {
  const { relation, steps } = progress;
  if (relation.entity)
    throw errors
      .notImplemented('rolluprecursive with transformations that leave records as they are', 'End them with aggregate or groupby.')
      .at(scope.option);
  const taken = [...Object.keys(relation.type.fields), ...Object.keys(relation.type.navigation)].find((name) =>
    [type.fields, type.navigation].some((table) => Object.hasOwn(table, name.split('/')[0] ?? '')),
  );
  if (taken !== undefined)
    throw errors
      .badOption(`rolluprecursive shows each node as a record, with its own ${taken}; leave ${taken} out of what is grouped by.`)
      .at(scope.option);
  const alias = scope.aliases.next();
  const fields = { ...type.fields, ...relation.type.fields };
  const restored: Relation = {
    ...relation,
    type: { ...type, fields, navigation: { ...type.navigation, ...relation.type.navigation } },
    entity: true,
  };
  return { relation: restored, steps: [...steps, { kind: 'restore', alias, table: type.table, number: columnAt(alias, number) }] };
}

function showRelated({ path, type }: Planned, { column }: RelationColumn, progress: Progress, { scope }: Place): Progress {
  const { relation, steps } = progress;
  const name = nameOf({ ...path, path: path.path.slice(0, -1) });
  if (relation.entity && name.includes('/'))
    throw errors
      .notImplemented('rolluprecursive with transformations that leave records as they are', 'End them with aggregate or groupby.')
      .at(scope.option);
  const [first = ''] = name.split('/');
  const taken = [...Object.keys(relation.type.fields), ...Object.keys(relation.type.navigation)].find(
    (known) => !relation.entity && (known === first || known.startsWith(`${first}/`)),
  );
  if (taken !== undefined)
    throw errors
      .badOption(`rolluprecursive shows the node as ${name}, which ${taken} is shown in as well; leave ${taken} out.`)
      .at(scope.option);
  const target = Object.entries(scope.container.entityTypes).find(([, known]) => known === type)?.[0];
  if (target === undefined) throw errors.internal();
  const navigation = { target, join: { [column]: '#id' }, source: name };
  const linked = withLinks(withNavigation(relation, name, navigation), name, navigation, scope.container);
  const expands = [...relation.expands.filter((item) => item.path[0]?.name !== name), { path: [{ name, at: 0 }], options: {} }];
  return { relation: { ...linked, expands }, steps };
}

function showIdentifier({ path, type, identifier }: Planned, number: RelationColumn, progress: Progress, place: Place): Progress {
  const name = nameOf(path);
  const {
    entity,
    type: { fields },
  } = progress.relation;
  const taken = Object.keys(fields).find((known) => !entity && (known === name || known.startsWith(`${name}/`)));
  if (taken !== undefined)
    throw errors
      .badOption(`rolluprecursive shows the node as ${name}, which is grouped by as well; leave one of them out.`)
      .at(place.scope.option);
  const { progress: after, computed } = computeColumn(progress, place, (scope) => identifierOf(type, identifier, number, scope));
  return { ...after, relation: withField(after.relation, name, dynamicField(computed)) };
}

function identifierOf(
  type: EntityType,
  identifier: string,
  { column }: RelationColumn,
  { implicit, aliases }: Scope,
): ReturnType<typeof within> {
  const field = fieldOf(type, identifier);
  if (implicit.kind !== 'record' || field === undefined) throw errors.internal();
  const hop = { alias: aliases.next(), table: type.table, from: implicit.source.alias, on: [[column, '#id'] as const] };
  return within([hop], storedExpr({ alias: hop.alias, type }, identifier, field));
}

function withoutField(relation: Relation, name: string): Relation {
  const { [name]: _, ...fields } = relation.type.fields;
  return { ...relation, type: { ...relation.type, fields } };
}
