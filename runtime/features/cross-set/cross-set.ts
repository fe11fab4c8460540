import { anyEntity } from '../../edm/index.js';
import { planHooks } from '../../plan/hooks.js';
import { keyColumns } from '../../plan/options/plan-select.js';
import type { ComputedColumn, JoinedSet, ReadPlan, Selection, UnionMember } from '../../plan/read-plan.js';
import { entityPath } from '../../response/address.js';
import type { RowWriter } from '../../response/byte-writer.js';
import { columnWriter } from '../../response/column-members.js';
import { nestedRecord } from '../../response/expand-writer.js';
import { type CrossSetRows, responseHooks } from '../../response/hooks.js';
import { statesType } from '../../response/payload-format.js';
import { type MembersWriter, type RecordFormat, textOf } from '../../response/record-format.js';
import { typeStep } from '../../response/record-writer.js';
import { quote } from '../../schema/identifier.js';
import { columnReference, type StatementBuilder } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import { compileTypeTest } from '../../sql/compile-rows.js';
import { sqlHooks } from '../../sql/hooks.js';
import { cellsOf } from '../../sql/record-cells.js';
import { crossSetTarget, planCrossSet } from './plan-cross-set.js';

/** Registers `$all` and `$crossjoin(...)` in every layer. */
export function registerCrossSet(): void {
  planHooks.register({ crossSetTarget, planCrossSet });
  sqlHooks.register({ compileUnion });
  responseHooks.register({ crossSetRows });
}

function crossSetRows({ selection, sets }: Pick<ReadPlan, 'selection' | 'sets'>, format: RecordFormat): CrossSetRows {
  return sets
    ? { context: `${format.root}/$metadata#Collection(Edm.ComplexType)`, members: crossjoinMembers(sets, selection, format) }
    : { context: `${format.root}/$metadata#Collection(${anyEntity})`, rows: unionRowWriter(selection, format) };
}

/** The records of several places as one set: each record's number and place, the number once more in the columns that its place and its types have. */
function compileUnion(union: readonly UnionMember[], builder: StatementBuilder): string {
  const columns = union.flatMap((member) => member.columns.map(({ column }) => column));
  return `(${union.map((member, place) => compileMember(member, place, columns, builder)).join(' union all ')})`;
}

function compileMember(member: UnionMember, place: number, all: readonly string[], builder: StatementBuilder): string {
  const { type, alias, types, columns, filter } = member;
  const number = columnReference(alias, '#id');
  const own = new Map(
    columns.map(({ column, types: of }) => [column, of ? `case when ${compileTypeTest(alias, of, builder)} then ${number} end` : number]),
  );
  const cells = [
    number,
    `${place}::bigint as "#place"`,
    ...all.map((column) => `${own.get(column) ?? 'null::bigint'} as ${quote(column)}`),
  ];
  const conditions = [...(types ? [compileTypeTest(alias, types, builder)] : []), ...(filter ? [compileCondition(filter, builder)] : [])];
  return `select ${cells.join(', ')} from ${quote(type.table)} ${alias}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
}

/** The context URL of `$all` (protocol 10.20, "Collection of Entities of Any Type"). */
/** Writes the one entity that each row was expanded to, with its type and address, which differ from row to row. */
function unionRowWriter(selection: Selection, format: RecordFormat): RowWriter {
  const cells = cellsOf(selection).count;
  const records = selection.expands.map((expand) => nestedRecord(expand, { ...format, addresses: true }));
  return (out, { bytes, starts }) => {
    const index = records.findIndex((_, place) => (starts[cells + place] ?? -1) >= 0);
    records[index]?.write(out, bytes, starts[cells + index] ?? 0, () => '');
  };
}

/** The context URL of a cross join (URL conventions 4.15). */
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
  const typed = statesType({ field, dynamic: true }, format) ? typeStep(name, field, index) : undefined;
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
