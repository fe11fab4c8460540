import { planHooks } from '../../plan/hooks.js';
import { type EntityContainer, qualify, anyEntity, type EntityType, type Navigation, type NavigationTable } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { excerpt, suggestion } from '../../errors/suggest.js';
import type { PathSegment, SearchExpr } from '../../expression/ast.js';
import type { QueryOptions, SelectItem } from '../../uri/query-options.js';
import { stripCast, mayBe, typeNames, typesInTable } from '../../plan/path/type-cast.js';
import { accessTo, type Caller } from '../../plan/caller.js';
import { planExpand } from '../../plan/expand/plan-expand.js';
import { planFilter, rootScope } from '../../plan/options/plan-filter.js';
import { planOrderTerm } from '../../plan/options/plan-order.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { type PlanOptions, leastLimits } from '../../plan/limits.js';
import type { PlanContext, Scope, Aliases } from '../../plan/scope.js';
import type { ExpandPlan, OrderTerm, ReadPlan, UnionMember } from '../../plan/read-plan.js';
import { both, internalColumn } from '../../plan/expr-facts.js';
import { derivedTypesOf, syntheticType } from '../../plan/path/derivation.js';

type UnionTarget = RecordTarget & { readonly suffix?: string };

/** The read plan of `$all`. Its options name properties as `Ns.Type/Name`, because the records have none in common. */
export function planUnion(
  target: UnionTarget,
  union: readonly UnionMember[],
  options: QueryOptions,
  context: PlanContext,
): Omit<ReadPlan, 'limit' | 'count'> {
  const { type, alias } = target;
  const scope = rootScope(target, context);
  const option = (['apply', 'compute'] as const).find((name) => options[name] !== undefined);
  if (option)
    throw errors
      .notImplemented(
        `$${option} of $all`,
        `Ask for records of one type: $all/${union[0]?.type.qualifiedName ?? 'Ns.Type'}, with $${option}.`,
      )
      .at(`$${option}`);
  const readable = readableBy(scope.caller, union);
  const members = options.search ? searched(readable, options.search, scope) : readable;
  const filter = both(target.filter, planFilter(options.filter, scope));
  return {
    selection: {
      type,
      alias,
      table: type.table,
      columns: [],
      computed: [],
      expands: wholeRecords(target, members, options, scope, context.settings),
      etag: false,
      keyColumns: [],
    },
    union: members,
    parents: target.parents,
    key: [],
    order: [...(options.orderby ?? []).map((item) => planOrderTerm(item, scope)), ...identityAt(alias)],
    ...(filter && { filter }),
  };
}

// Entities that the caller may not read are omitted, like hidden ones.
function readableBy(caller: Caller, union: readonly UnionMember[]): readonly UnionMember[] {
  const readable = union.filter(({ type }) => accessTo(type, 'read', caller).allowed);
  if (readable.length > 0) return readable;
  const scopes = union.flatMap(({ type }) => {
    const access = accessTo(type, 'read', caller);
    return access.allowed ? [] : access.scopes;
  });
  throw errors.scopeMissing('Reading $all', [...new Set(scopes)].join(', '));
}

// Types that are not searchable, or not by this caller, match nothing.
function searched(union: readonly UnionMember[], query: SearchExpr, scope: Scope): readonly UnionMember[] {
  const found = union.filter(({ type }) => planHooks.get('search').isSearchable(type, scope));
  const [first] = union;
  if (found.length === 0 && first) planHooks.get('search').plan(query, first.type, { alias: first.alias, table: first.type.table }, scope);
  return found.map((member) => {
    const filter = both(
      member.filter,
      planHooks.get('search').plan(query, member.type, { alias: member.alias, table: member.type.table }, scope),
    );
    return { ...member, ...(filter && { filter }) };
  });
}

// Numbers come first, so that the indexes of the tables are merged, however far a page is from the first.
function identityAt(alias: string): readonly OrderTerm[] {
  return ['#id', '#place'].map((column) => ({ descending: false, expression: internalColumn(alias, column) }));
}

// Each entity is expanded from its own table, with the options for its type.
function wholeRecords(
  { type, alias, union = [], suffix }: UnionTarget,
  members: readonly UnionMember[],
  { select, expand = [] }: QueryOptions,
  scope: Scope,
  settings: PlanOptions,
): readonly ExpandPlan[] {
  const { container } = scope;
  for (const item of select ?? [])
    if (item.kind !== 'star') requireType(item.kind === 'member' ? item.path : [], '$select', union, container);
  for (const { path } of expand) if (path[0]?.name !== '*') requireType(path, '$expand', union, container);
  return members.flatMap((member) => {
    const chosen = select?.flatMap((item): readonly SelectItem[] =>
      item.kind === 'member' ? stripCast(item, member.type, container) : [item],
    );
    const expanded = expand.flatMap((item) => (item.path[0]?.name === '*' ? [item] : stripCast(item, member.type, container)));
    const options = { ...(chosen && { select: chosen }), ...(expanded.length > 0 && { expand: expanded }) };
    const path = [{ name: placeName(member), at: 0 }, ...(suffix === '$ref' ? [{ name: '$ref', at: 0 }] : [])];
    const plans = planExpand([{ path, options }], type, alias, scope, settings, 0);
    return plans.map((plan) => ({ ...plan, selection: { ...plan.selection, declared: type } }));
  });
}

function requireType(
  [first, second]: readonly PathSegment[],
  option: string,
  members: readonly UnionMember[],
  container: EntityContainer,
): void {
  const types = members.flatMap(({ type }) => [type.qualifiedName, ...(type.derivedTypes ?? [])]);
  if (first === undefined || second === undefined || !first.name.includes('.')) {
    throw errors
      .typeMismatch(
        `${option} of $all names a type in front of each of its properties, as in ${option}=${types[0] ?? 'Ns.Type'}/${first?.name ?? 'Name'}.`,
      )
      .at(option);
  }
  if (members.some(({ type }) => mayBe(qualify(container, first.name), type))) return;
  throw errors.unknownName(`type ${excerpt(first.name)}`, '$all', suggestion(first.name, types)).at(option);
}

/**
 * `$all`: the entities of all sets and singletons (URL conventions 4.16), as a synthetic type. It has one navigation
 * property per entity source, to the whole entity, and one per type, so that `Ns.Type/Name` is a path.
 */
export function unionTarget({ container, aliases }: { readonly container: EntityContainer; readonly aliases: Aliases }): RecordTarget {
  const union = placesOf(container).map((place, index): UnionMember => ({
    ...place,
    alias: aliases.next(),
    columns: columnsOf(place.type, index, container),
  }));
  return { type: anyType(union, container), alias: aliases.next(), parents: [], key: [], via: undefined, union };
}

/** The name of the navigation property for an entity source; clients cannot write it. */
function placeName({ name }: Pick<UnionMember, 'name'>): string {
  return `#${name}`;
}

type PlaceOfRecords = Pick<UnionMember, 'name' | 'type' | 'types'>;

function placesOf(container: EntityContainer): readonly PlaceOfRecords[] {
  return Object.entries({ ...container.entitySets, ...container.singletons }).flatMap(([name, key]) => {
    const type = container.entityTypes[key];
    return type === undefined ? [] : [{ name, type, ...typesInTable(type, container) }];
  });
}

// The record's number under the place's own name, and under that of each type that it is of.
function columnsOf(type: EntityType, place: number, container: EntityContainer): UnionMember['columns'] {
  const derived = derivedTypesOf(type, container);
  return [
    { column: `#${place}`, type },
    ...[type, ...derived].map((one, index) => ({ column: `#${place}.${index}`, type: one, ...(index > 0 && { types: typeNames(one) }) })),
  ];
}

function anyType(union: readonly UnionMember[], container: EntityContainer): EntityType {
  const [first] = union;
  if (first === undefined) throw errors.notFound('resource $all', ' The model has neither entity sets nor singletons.');
  return syntheticType(first.type, {
    name: 'A record of any type',
    qualifiedName: anyEntity,
    navigation: { ...placesByName(union, container), ...typesByName(union, container) },
    limits: leastLimits(union.map(({ type }) => type.limits)),
    routes: [{ method: 'GET', operation: 'readCollection' }],
  });
}

function placesByName(union: readonly UnionMember[], container: EntityContainer): NavigationTable {
  return Object.fromEntries(union.map((member) => [placeName(member), navigationTo(member.columns[0], container)]));
}

// A type that is at several places is none that a path can be cast to: there is no one table of its records.
function typesByName(union: readonly UnionMember[], container: EntityContainer): NavigationTable {
  const columns = union.flatMap((member) => member.columns.slice(1));
  const single = columns.filter(({ type }) => union.filter((member) => mayBe(type.qualifiedName, member.type)).length === 1);
  return Object.fromEntries(
    single.flatMap((column) => spellings(column.type.qualifiedName, container).map((name) => [name, navigationTo(column, container)])),
  );
}

function spellings(name: string, { aliases = {} }: EntityContainer): readonly string[] {
  const dot = name.lastIndexOf('.');
  return [
    name,
    ...Object.keys(aliases)
      .filter((alias) => aliases[alias] === name.slice(0, dot))
      .map((alias) => `${alias}${name.slice(dot)}`),
  ];
}

function navigationTo(column: UnionMember['columns'][number] | undefined, { entityTypes }: EntityContainer): Navigation {
  const target = Object.keys(entityTypes).find((key) => entityTypes[key] === column?.type);
  if (column === undefined || target === undefined) throw new Error('An entity source without a type in the container.');
  return { target, join: { [column.column]: '#id' } };
}
