import { type EntityContainer, type EntityType, entityTypeOfSet, keyFieldOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import { planComputed, planFilter, rootScope } from '../../plan/options/plan-filter.js';
import type { ExpandItem, QueryOptions, SelectItem, SelectPath } from '../../uri/query-options.js';
import { accessTo, type Caller, hiddenKey } from '../../plan/caller.js';
import { leastLimits } from '../../plan/limits.js';
import { syntheticType } from '../../plan/path/derivation.js';
import { planExpand } from '../../plan/expand/plan-expand.js';
import { keyColumn, planOrder, planOrderTerm } from '../../plan/options/plan-order.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { recordAt, type PlanContext, type Aliases, type Scope } from '../../plan/scope.js';
import type { ComputedColumn, ExpandPlan, JoinedSet, ReadPlan } from '../../plan/read-plan.js';

/** `$crossjoin(Set,Set)`: every combination of their records (URL conventions 4.15), as a collection of a type that has one navigation property a set. */
export function crossjoinTarget(
  names: readonly string[],
  { container, aliases }: { readonly container: EntityContainer; readonly aliases: Aliases },
): RecordTarget {
  const sets = names.map((name): JoinedSet => {
    const type = entityTypeOfSet(container, name);
    if (type === undefined) throw errors.notFound(`entity set ${name}`, suggestion(name, Object.keys(container.entitySets))).at(name);
    return { name, type, alias: aliases.next() };
  });
  const last = sets.at(-1);
  if (last === undefined) throw errors.notFound('entity set in $crossjoin()');
  return { type: combinedType(sets, last.type, container), alias: last.alias, parents: [], key: [], via: undefined, sets };
}

function combinedType(sets: readonly JoinedSet[], last: EntityType, { entitySets }: EntityContainer): EntityType {
  return syntheticType(last, {
    name: 'The cross join',
    navigation: Object.fromEntries(sets.map(({ name }) => [name, { target: entitySets[name] ?? name, join: { '#id': '#id' } }])),
    limits: leastLimits(sets.map(({ type }) => type.limits)),
    routes: [{ method: 'GET', operation: 'readCollection' }],
  });
}

/** Plans a cross join. In its options properties follow the names of their sets. */
export function planCrossjoin(
  target: RecordTarget,
  sets: readonly JoinedSet[],
  options: QueryOptions,
  context: PlanContext,
): Omit<ReadPlan, 'limit' | 'count'> {
  if (options.search)
    throw errors
      .notImplemented('$search of a cross join', 'Each set has its own word index; write $filter=contains(Set/Property,...).')
      .at('$search');
  for (const { type } of sets) {
    const access = accessTo(type, 'read', context.caller);
    if (!access.allowed) throw errors.scopeMissing(`Reading ${type.name}`, access.scopes.join(', '));
  }
  const joined = scopeOver(target, sets, context);
  if (options.apply) throw errors.notImplemented('$apply of a cross join').at('$apply');
  const { scope, columns } = planComputed(options, target.type, joined);
  const shown = shownNames(options.select, [...sets.map(({ name }) => name), ...columns.map(({ name }) => name)]);
  const filter = planFilter(options.filter, scope);
  const expands = planExpands(options.expand ?? [], target.type, sets, scope, context);
  const linked = sets.filter(({ name }) => shown(name));
  const asked = (options.orderby ?? []).map((item) => planOrderTerm(item, scope));
  return {
    selection: {
      type: target.type,
      alias: target.alias,
      table: target.type.table,
      columns: [],
      computed: [...addressesOf(linked, expands, context.caller), ...columns.filter(({ name }) => shown(name))],
      expands,
      etag: false,
      keyColumns: [],
    },
    sets,
    parents: [],
    key: [],
    order: [...asked, ...sets.flatMap(({ type, alias }) => planOrder(undefined, type, alias, scope))],
    ...(filter && { filter }),
  };
}

// The expansion determines the selection of a set's entities.
function shownNames(items: readonly SelectItem[] | undefined, known: readonly string[]): (name: string) => boolean {
  if (items === undefined || items.some(({ kind }) => kind === 'star')) return () => true;
  const names = new Set(items.map((item) => (item.kind === 'member' ? selectedName(item, known) : undefined)));
  return (name) => names.has(name);
}

function selectedName({ path: [first, second], options }: SelectPath, known: readonly string[]): string | undefined {
  const name = first?.name ?? '';
  if (!known.includes(name)) throw errors.unknownName(name, 'The cross join', suggestion(name, known)).at('$select');
  if (second || options)
    throw errors.typeMismatch(`$select of a cross join names sets; write $expand=${name}($select=${second?.name ?? '...'}).`).at('$select');
  return name;
}

function scopeOver(target: RecordTarget, sets: readonly JoinedSet[], context: PlanContext): Scope {
  return { ...rootScope(target, context), variables: new Map(sets.map((set) => [set.name, recordAt(set)])) };
}

// Each set's record is one of the tables that are joined, so each item starts from its own.
function planExpands(
  items: readonly ExpandItem[],
  type: EntityType,
  sets: readonly JoinedSet[],
  scope: Scope,
  { settings }: PlanContext,
): readonly ExpandPlan[] {
  const named = items.flatMap((item) => (item.path[0]?.name === '*' ? sets.map(({ name }) => renamed(item, name)) : [item]));
  const names = named.map(({ path: [first] }) => first?.name ?? '');
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw errors.badOption(`${twice} is expanded twice.`).at('$expand');
  return named.flatMap((item, index) => {
    const alias = sets.find(({ name }) => name === names[index])?.alias ?? '';
    return planExpand([item], type, alias, { ...scope, variables: new Map() }, settings, 1);
  });
}

// The entity itself is one level of `*`.
function renamed(item: ExpandItem, name: string): ExpandItem {
  const { levels, ...options } = item.options;
  return {
    options: levels === 1 ? options : item.options,
    path: item.path.map((segment, index) => (index === 0 ? { ...segment, name } : segment)),
  };
}

/** The keys of the records that are not expanded: they are represented by their addresses, if the caller may read the key. */
function addressesOf(sets: readonly JoinedSet[], expands: readonly ExpandPlan[], caller: Caller): readonly ComputedColumn[] {
  return sets
    .filter(({ name, type }) => !expands.some((expand) => expand.name === name) && hiddenKey(type, caller) === undefined)
    .flatMap(({ name: set, type, alias }) =>
      type.key.flatMap((name) => {
        const field = keyFieldOf(type, name);
        if (field === undefined) return [];
        return [{ name: `${set}/${name}`, field, expression: keyColumn(type, name, alias) }];
      }),
    );
}
