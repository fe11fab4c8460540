import { qualify, type EntityContainer, type EntityType, entityTypeOfSet, keyFieldOf, own } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import { mayBe, typesInTable } from '../../plan/path/type-cast.js';
import { ended, fromCollection } from '../../plan/read/path-segments.js';
import type { PathContext, RecordTarget, Target } from '../../plan/path/path-target.js';
import type { PageRead, ComputedColumn, ExpandPlan, JoinedSet, ReadPlan } from '../../plan/read-plan.js';
import { type PlanContext, recordAt, type Aliases, type Scope } from '../../plan/scope.js';
import type { QueryOptions, ExpandItem, SelectItem, SelectPath } from '../../uri/query-options.js';
import type { PathPart } from '../../uri/resource-path.js';
import { planUnion, unionTarget } from './plan-union.js';
import { planComputed, planFilter, rootScope } from '../../plan/options/plan-filter.js';
import { accessTo, type Caller, hiddenKey } from '../../plan/caller.js';
import { leastLimits } from '../../plan/limits.js';
import { syntheticType } from '../../plan/path/derivation.js';
import { planExpand } from '../../plan/expand/plan-expand.js';
import { keyColumn, planOrder, planOrderTerm } from '../../plan/options/plan-order.js';

/** Plans a read of `$all` or of a cross join. */
export function planCrossSet(target: RecordTarget, options: QueryOptions, context: PlanContext): PageRead {
  return target.sets ? planCrossjoin(target, target.sets, options, context) : planUnion(target, target.union ?? [], options, context);
}

/** The target of a path that begins with `$all` or `$crossjoin(...)`. */
export function crossSetTarget(first: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  return first.sets ? crossjoin(crossjoinTarget(first.sets, context), rest) : everyOf(rest, context);
}

// URL conventions 4.16: all entities of a type, whatever their set, which are read-only here.
function everyOf([cast, ...rest]: readonly PathPart[], context: PathContext): Target {
  const { container, aliases } = context;
  if (cast === undefined) return { kind: 'collection', suffix: '', ...unionTarget(context) };
  if (cast.name === '$count') return ended({ kind: 'collection', suffix: '$count', ...unionTarget(context) }, rest);
  if (!cast.name.includes('.'))
    throw errors.notFound(`${cast.name} beneath $all`, ' Only $count or the qualified name of a type can follow it.').at(cast.name);
  const name = qualify(container, cast.name);
  const inSets = Object.values(container.entityTypes).filter(({ entitySet }) => entitySet !== undefined);
  const type = inSets.find(({ qualifiedName }) => qualifiedName === name);
  requireOneSet(name, type, context);
  const names = inSets.map(({ qualifiedName }) => qualifiedName);
  if (type === undefined) throw errors.notFound(`entity type ${cast.name} in a set`, suggestion(name, names)).at(cast.name);
  const readable = { ...type, routes: type.routes.filter(({ method }) => method === 'GET') };
  return fromCollection(
    { type: readable, alias: aliases.next(), parents: [], key: [], via: undefined, ...typesInTable(type, container) },
    cast,
    rest,
    context,
  );
}

// Entities of a type are where its derived types are, too, and a singleton may hold one.
function requireOneSet(name: string, type: EntityType | undefined, { container }: PathContext): void {
  const { entityTypes, entitySets, singletons } = container;
  const places = Object.entries({ ...entitySets, ...singletons }).flatMap(([place, key]) => {
    const held = entityTypes[key];
    return held && mayBe(name, held) ? [place] : [];
  });
  const [only] = places;
  if (only === undefined || (places.length === 1 && type !== undefined)) return;
  const isSet = own(entitySets, only) !== undefined;
  const where = places.length > 1 ? 'several sets or singletons' : isSet ? 'a set of a derived type' : 'a singleton';
  throw errors
    .notImplemented(`/$all/${name}, whose records are in ${where},`, `Read each of them: ${places.map((place) => `/${place}`).join(', ')}.`)
    .at('$all');
}

function crossjoin(target: RecordTarget, rest: readonly PathPart[]): Target {
  const [next, ...further] = rest;
  if (next && next.name !== '$count') throw errors.notFound(`${next.name} beneath $crossjoin(...)`);
  return ended({ kind: 'collection', suffix: next ? '$count' : '', ...target }, further);
}

/** `$crossjoin(Set,Set)`: every combination of their records (URL conventions 4.15), as a collection of a type that has one navigation property a set. */
function crossjoinTarget(
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
function planCrossjoin(
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
