import { qualify, type EntityContainer, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import type { PathSegment, SearchExpr } from '../expression/ast.js';
import { excerpt } from '../expression/quote.js';
import type { QueryOptions, SelectItem } from '../uri/query-options.js';
import { behindType, mayBe } from './behind-type.js';
import { accessTo, type Caller } from './caller.js';
import { planExpand } from './plan-expand.js';
import { both, planFilter } from './plan-filter.js';
import { planOrderTerm } from './plan-order.js';
import type { RecordTarget } from './path-target.js';
import type { PlanOptions } from './limits.js';
import type { PlanContext } from './plan-read.js';
import { isSearchable, planSearch } from './plan-search.js';
import type { ExpandPlan, OrderTerm, ReadPlan, UnionMember } from './read-plan.js';
import { rootScope, type Scope } from './scope.js';
import { placeName } from './union-target.js';

/** What is read of `$all`, or of a collection of records of any type. In its options the name of a type stands in front of its properties, since the records have none in common. */
export function planUnion(
  target: RecordTarget & { readonly suffix?: string },
  union: readonly UnionMember[],
  options: QueryOptions,
  context: PlanContext,
): Omit<ReadPlan, 'limit' | 'count'> {
  const form = target.suffix === '$ref' ? 'references' : 'records';
  const { members, filter, ...read } = readUnion(
    { ...target, union, called: target.via ?? '$all', form },
    options,
    rootScope(target, context),
    context.settings,
    0,
  );
  const condition = both(target.filter, filter);
  return { ...read, union: members, parents: target.parents, key: [], ...(condition && { filter: condition }) };
}

/** Records of several sets under one alias. */
export interface UnionSource {
  readonly type: EntityType;
  readonly alias: string;
  readonly union: readonly UnionMember[];
  /** Their name in messages. */
  readonly called: string;
  readonly form: ExpandPlan['form'];
}

/** What is read of such records, and of which of the sets. */
interface UnionRead extends Pick<ReadPlan, 'selection' | 'order' | 'filter'> {
  readonly members: readonly UnionMember[];
}

/** What options read of the records of several sets; `depth` is that of the `$expand` around them. */
export function readUnion(source: UnionSource, options: QueryOptions, scope: Scope, settings: PlanOptions, depth: number): UnionRead {
  const { type, alias, union, called } = source;
  const option = (['apply', 'compute'] as const).find((name) => options[name] !== undefined);
  if (option)
    throw errors
      .notImplemented(
        `$${option} of ${called}`,
        `Ask for records of one type: ${called}/${union[0]?.type.qualifiedName ?? 'Ns.Type'}, with $${option}.`,
      )
      .at(`$${option}`);
  const readable = readableBy(scope.caller, union);
  const members = options.search ? searched(readable, options.search, scope) : readable;
  const filter = planFilter(options.filter, scope);
  return {
    selection: {
      type,
      alias,
      table: type.table,
      columns: [],
      computed: [],
      expands: wholeRecords(source, members, options, scope, { settings, depth }),
      etag: false,
      keyColumns: [],
    },
    members,
    order: [...(options.orderby ?? []).map((item) => planOrderTerm(item, scope)), ...identityAt(alias)],
    ...(filter && { filter }),
  };
}

// A function may answer with records of any type, and they are of one set then; what a property leads to is of few.
function shownAs(union: readonly UnionMember[]): string {
  return union.length === 1 || union.some(({ through }) => through) ? union.map(({ name }) => name).join(' and ') : '$all';
}

// What the caller may not read is not there, as records out of sight are not.
function readableBy(caller: Caller, union: readonly UnionMember[]): readonly UnionMember[] {
  const readable = union.filter(({ type }) => accessTo(type, 'read', caller).allowed);
  if (readable.length > 0) return readable;
  const scopes = union.flatMap(({ type }) => {
    const access = accessTo(type, 'read', caller);
    return access.allowed ? [] : access.scopes;
  });
  throw errors.scopeMissing(`Reading ${shownAs(union)}`, [...new Set(scopes)].join(', '));
}

// What is not searchable has no words that could match; the places that this caller may not search are not there either.
function searched(union: readonly UnionMember[], query: SearchExpr, scope: Scope): readonly UnionMember[] {
  const found = union.filter(({ type }) => isSearchable(type, scope));
  const [first] = union;
  if (found.length === 0 && first) planSearch(query, first.type, { alias: first.alias, table: first.type.table }, scope);
  return found.map((member) => {
    const filter = both(member.filter, planSearch(query, member.type, { alias: member.alias, table: member.type.table }, scope));
    return { ...member, ...(filter && { filter }) };
  });
}

// Numbers come first, so that the indexes of the tables are merged, however far a page is from the first.
function identityAt(alias: string): readonly OrderTerm[] {
  const column = (name: string): OrderTerm => ({
    descending: false,
    expression: { kind: 'column', type: 'Edm.Int64', collection: false, nullable: false, alias, column: name },
  });
  return [column('#id'), column('#place')];
}

interface Depth {
  readonly settings: PlanOptions;
  readonly depth: number;
}

// Each record is expanded from its own table, with what the options say of its type.
function wholeRecords(
  { type, alias, union, called, form }: UnionSource,
  members: readonly UnionMember[],
  { select, expand = [] }: QueryOptions,
  scope: Scope,
  { settings, depth }: Depth,
): readonly ExpandPlan[] {
  const { container } = scope;
  if (form === 'count') return [];
  for (const item of select ?? [])
    if (item.kind !== 'star') requireType(item.kind === 'member' ? item.path : [], { option: '$select', called }, union, container);
  for (const { path } of expand) if (path[0]?.name !== '*') requireType(path, { option: '$expand', called }, union, container);
  return members.flatMap((member) => {
    const chosen = select?.flatMap((item): readonly SelectItem[] =>
      item.kind === 'member' ? behindType(item, member.type, container) : [item],
    );
    const expanded = expand.flatMap((item) => (item.path[0]?.name === '*' ? [item] : behindType(item, member.type, container)));
    const options = { ...(chosen && { select: chosen }), ...(expanded.length > 0 && { expand: expanded }) };
    const path = [{ name: placeName(member), at: 0 }, ...(form === 'references' ? [{ name: '$ref', at: 0 }] : [])];
    const plans = planExpand([{ path, options }], type, alias, scope, settings, depth);
    return plans.map((plan) => ({ ...plan, selection: { ...plan.selection, declared: type } }));
  });
}

/** An option, and what it is of. */
interface Asked {
  readonly option: string;
  readonly called: string;
}

function requireType(
  [first, second]: readonly PathSegment[],
  { option, called }: Asked,
  members: readonly UnionMember[],
  container: EntityContainer,
): void {
  const types = members.flatMap(({ type }) => [type.qualifiedName, ...(type.derivedTypes ?? [])]);
  if (first === undefined || second === undefined || !first.name.includes('.')) {
    throw errors
      .typeMismatch(
        `${option} of ${called} names a type in front of each of its properties, as in ${option}=${types[0] ?? 'Ns.Type'}/${first?.name ?? 'Name'}.`,
      )
      .at(option);
  }
  if (members.some(({ type }) => mayBe(qualify(container, first.name), type))) return;
  throw errors.unknownName(`type ${excerpt(first.name)}`, called, suggestion(first.name, types)).at(option);
}
