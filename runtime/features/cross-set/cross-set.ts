import { anyEntity, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { suggestion } from '../../errors/suggest.js';
import { typesInTable } from '../../plan/check/type-cast.js';
import { planHooks } from '../../plan/hooks.js';
import { ended, fromCollection } from '../../plan/path-segments.js';
import type { PathContext, RecordTarget, Target } from '../../plan/path-target.js';
import { keyColumns } from '../../plan/plan-select.js';
import type { ComputedColumn, JoinedSet, PageRead, ReadPlan, Selection, UnionMember } from '../../plan/read-plan.js';
import type { PlanContext } from '../../plan/scope.js';
import { entityPath } from '../../response/address.js';
import type { RowWriter } from '../../response/byte-writer.js';
import { columnWriter } from '../../response/column-members.js';
import { expandWriter, nestedRecord } from '../../response/expand-writer.js';
import { type CrossSetRows, responseHooks } from '../../response/hooks.js';
import { saysType } from '../../response/payload-format.js';
import { type MembersWriter, type RecordFormat, textOf } from '../../response/record-format.js';
import { typeStep } from '../../response/record-writer.js';
import { columnReference, identifier, type StatementBuilder } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import { compileTypeTest } from '../../sql/compile-rows.js';
import { sqlHooks } from '../../sql/hooks.js';
import { cellsOf } from '../../sql/record-cells.js';
import type { QueryOptions } from '../../uri/query-options.js';
import type { PathPart } from '../../uri/resource-path.js';
import { crossjoinTarget, planCrossjoin } from './plan-crossjoin.js';
import { planUnion } from './plan-union.js';
import { unionTarget } from './union-target.js';

/** Registers `$all` and `$crossjoin(...)` in every layer. */
export function registerCrossSet(): void {
  planHooks.register({ crossSetTarget, planCrossSet });
  sqlHooks.register({ compileUnion });
  responseHooks.register({ crossSetRows });
}

function planCrossSet(target: RecordTarget, options: QueryOptions, context: PlanContext): PageRead {
  return target.sets ? planCrossjoin(target, target.sets, options, context) : planUnion(target, target.union ?? [], options, context);
}

function crossSetRows({ selection, sets }: Pick<ReadPlan, 'selection' | 'sets'>, format: RecordFormat): CrossSetRows {
  return sets
    ? { context: crossjoinContextUrl(format.root), members: crossjoinMembers(sets, selection, format) }
    : { context: unionContextUrl(format.root), rows: unionRowWriter(selection, format) };
}

/** The records of several places as one set: each record's number and place, the number once more in the columns that its place and its types have. */
function compileUnion(union: readonly UnionMember[], builder: StatementBuilder): string {
  const columns = union.flatMap((member) => member.columns.map(({ column }) => column));
  return `(${union.map((member, place) => compileMember(member, place, columns, builder)).join(' union all ')})`;
}

function compileMember(
  { type, alias, types, columns, filter }: UnionMember,
  place: number,
  all: readonly string[],
  builder: StatementBuilder,
): string {
  const number = columnReference(alias, '#id');
  const own = new Map(
    columns.map(({ column, types: of }) => [column, of ? `case when ${compileTypeTest(alias, of, builder)} then ${number} end` : number]),
  );
  const cells = [
    number,
    `${place}::bigint as "#place"`,
    ...all.map((column) => `${own.get(column) ?? 'null::bigint'} as ${identifier(column)}`),
  ];
  const conditions = [...(types ? [compileTypeTest(alias, types, builder)] : []), ...(filter ? [compileCondition(filter, builder)] : [])];
  return `select ${cells.join(', ')} from ${identifier(type.table)} ${alias}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
}

/** The context URL of `$all` (protocol 10.20, "Collection of Entities of Any Type"). */
function unionContextUrl(root: string): string {
  return `${root}/$metadata#Collection(${anyEntity})`;
}

/** Writes the one entity that each row was expanded to, with its type and address, which differ from row to row. */
function unionRowWriter(selection: Selection, format: RecordFormat): RowWriter {
  const cells = cellsOf(selection).count;
  const records = selection.expands.map((expand) => nestedRecord(expand, { ...format, addresses: true }, expandWriter));
  return (out, { bytes, starts }) => {
    const index = records.findIndex((_, place) => (starts[cells + place] ?? -1) >= 0);
    records[index]?.write(out, bytes, starts[cells + index] ?? 0, () => '');
  };
}

/** The context URL of a cross join (URL conventions 4.15). */
function crossjoinContextUrl(root: string): string {
  return `${root}/$metadata#Collection(Edm.ComplexType)`;
}

/** The members of a combination: a link to each entity that is not expanded, and computed values. */
function crossjoinMembers(sets: readonly JoinedSet[], { computed, expands }: Selection, format: RecordFormat): MembersWriter {
  const links =
    format.metadata === 'none'
      ? []
      : sets.filter(({ name }) => !expands.some((expand) => expand.name === name)).flatMap((set) => linkTo(set, computed, format));
  const values = computed.flatMap((column, index) => (column.name.includes('/') ? [] : valueOf(column, index, format)));
  return (out, cells) => {
    for (const write of links) write(out, cells);
    for (const write of values) write(out, cells);
  };
}

// A set that $select omits has no key among the cells.
function linkTo({ name, type }: JoinedSet, computed: readonly ComputedColumn[], { root }: RecordFormat): readonly MembersWriter[] {
  const first = computed.findIndex((column) => column.name.startsWith(`${name}/`));
  if (first < 0) return [];
  const before = `,${JSON.stringify(`${name}@odata.navigationLink`)}:`;
  const columns = keyColumns(type);
  return [
    (out, cells) => {
      const keys = columns.map((_, index) => textOf(cells, first + index, 'column'));
      out.text(`${before}${JSON.stringify(`${root}/${entityPath(type, columns, keys)}`)}`);
    },
  ];
}

function valueOf({ name, field }: ComputedColumn, index: number, format: RecordFormat): readonly MembersWriter[] {
  const typed = saysType({ field, dynamic: true }, format) ? typeStep(name, field) : undefined;
  const write = columnWriter({ field }, format, 'column');
  return [
    ...(typed ? [typed] : []),
    (out, { bytes, starts, ends }) => {
      out.text(`,${JSON.stringify(name)}:`);
      const start = starts[index] ?? -1;
      if (start < 0) out.text('null');
      else write(out, bytes, start, ends[index] ?? start);
    },
  ];
}

/** The target of a path that begins with `$all` or `$crossjoin(...)`. */
function crossSetTarget(first: PathPart, rest: readonly PathPart[], context: PathContext): Target {
  return first.sets ? crossjoin(crossjoinTarget(first.sets, context), rest) : everyOf(rest, context);
}

// URL conventions 4.16: all entities of a type, whatever their set; a type in several sets would need several tables.
// They are read-only here.
function everyOf([cast, ...rest]: readonly PathPart[], context: PathContext): Target {
  const { container, aliases } = context;
  if (cast === undefined) return { kind: 'collection', suffix: '', ...unionTarget(context) };
  if (cast.name === '$count') return ended({ kind: 'collection', suffix: '$count', ...unionTarget(context) }, rest);
  if (!cast.name.includes('.'))
    throw errors.notFound(`${cast.name} beneath $all`, ' Only $count or the qualified name of a type can follow it.').at(cast.name);
  const name = qualify(container, cast.name);
  const inSets = Object.values(container.entityTypes).filter(({ entitySet }) => entitySet !== undefined);
  const [type, ...others] = inSets.filter(({ qualifiedName }) => qualifiedName === name);
  // If a type is in no set, its derived types are.
  const several = type ? [type, ...others] : inSets.filter(({ baseTypes }) => baseTypes?.includes(name));
  const sets = [...new Set(several.map(({ entitySet }) => `/${entitySet}`))];
  if (type === undefined ? sets.length > 0 : others.length > 0)
    throw errors
      .notImplemented(
        `/$all/${cast.name}, whose records are in ${sets.length > 1 ? 'several sets' : 'a set of a derived type'},`,
        `Read each of them: ${sets.join(', ')}.`,
      )
      .at('$all');
  if (type === undefined)
    throw errors
      .notFound(
        `entity type ${cast.name} in a set`,
        suggestion(
          name,
          inSets.map(({ qualifiedName }) => qualifiedName),
        ),
      )
      .at(cast.name);
  const readable = { ...type, routes: type.routes.filter(({ method }) => method === 'GET') };
  return fromCollection(
    { type: readable, alias: aliases.next(), parents: [], key: [], via: undefined, ...typesInTable(type, container) },
    cast,
    rest,
    context,
  );
}

function crossjoin(target: RecordTarget, rest: readonly PathPart[]): Target {
  const [next, ...further] = rest;
  if (next && next.name !== '$count') throw errors.notFound(`${next.name} beneath $crossjoin(...)`);
  return ended({ kind: 'collection', suffix: next ? '$count' : '', ...target }, further);
}
