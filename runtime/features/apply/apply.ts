import { planHooks } from '../../plan/hooks.js';
import { responseHooks } from '../../response/hooks.js';
import { sqlHooks } from '../../sql/hooks.js';
import { uriHooks } from '../../uri/hooks.js';
import { parseWholeApply } from './parse/parse-apply.js';
import { planApplied } from './plan/plan-applied.js';
import { compileApply } from './sql/compile-apply.js';
import type { SelectedColumn, Selection } from '../../plan/read-plan.js';
import { grouped } from '../../edm/grouped.js';
import { shownPath } from '../../plan/shown-path.js';
import { cellsOf } from '../../sql/record-cells.js';
import { beginObject, endObject } from '../../response/byte-writer.js';
import { columnWriter } from '../../response/column-members.js';
import type { Cells, MembersWriter, RecordFormat } from '../../response/record-format.js';
import { membersWriter, typeStep } from '../../response/record-writer.js';
import { statesType } from '../../response/payload-format.js';

/** Registers `$apply` in every layer. */
export function registerApply(): void {
  uriHooks.register({ parseApply: parseWholeApply });
  planHooks.register({ planApplied });
  sqlHooks.register({ compileApply });
  responseHooks.register({ appliedMembers });
}

/** A member of a record that `$apply` made; one that a rollup or another sequence left out is not there. */
interface Member {
  readonly isPresent: (cells: Cells) => boolean;
  readonly write: MembersWriter;
}

function isTrue({ bytes, starts }: Cells, index: number): boolean {
  return bytes[starts[index] ?? 0] === letterT;
}

/** A column, and the rest of its path. */
interface Placed {
  readonly path: readonly string[];
  readonly column: SelectedColumn;
  readonly index: number;
}

const letterT = 0x74;

/** The members of such a record: paths become objects within objects. */
function appliedMembers(selection: Selection, format: RecordFormat): MembersWriter {
  const cells = cellsOf(selection).columns;
  const placed = selection.columns.map((column, index) => ({ path: shownPath(column.name), column, index: cells[index] ?? -1 }));
  const flags = new Map(placed.map(({ column, index }) => [column.column, index]));
  const shown = placed.filter(({ column }) => !column.hidden);
  const members = writerOf(membersOf(shown, flags, format));
  if (selection.records === undefined) return members;
  const added = writerOf(membersOf(shown.filter(isAdded), flags, format));
  return recordsOr(members, added, { selection: selection.records, from: cellsOf(selection).records }, format);
}

/** Writes the members of records, and in addition the values that `$apply` gave them; other rows have only its members. */
function recordsOr(
  others: MembersWriter,
  added: MembersWriter,
  { selection, from }: { readonly selection: Selection; readonly from: number },
  format: RecordFormat,
): MembersWriter {
  const record = membersWriter(selection, format, 'column');
  return (out, cells) => {
    if ((cells.starts[from] ?? -1) < 0) return others(out, cells);
    record(out, { ...cells, starts: cells.starts.subarray(from), ends: cells.ends.subarray(from) });
    added(out, cells);
  };
}

function isAdded({ column }: Placed): boolean {
  return column.dynamic === true;
}

function writerOf(members: readonly Member[]): MembersWriter {
  return (out, cells) => {
    for (const { isPresent, write } of members) if (isPresent(cells)) write(out, cells);
  };
}

function membersOf(placed: readonly Placed[], flags: ReadonlyMap<string, number>, format: RecordFormat): readonly Member[] {
  return [...grouped(placed, ({ path: [first = ''] }) => first)].map(([name, own]) => {
    const leaf = own.find(({ path }) => path.length === 1);
    const whole = leaf && leafMember(name, leaf, flags, format);
    const inner = own.flatMap((one) => (one.path.length === 1 ? [] : [{ ...one, path: one.path.slice(1) }]));
    if (whole && inner.length === 0) return whole;
    const object = objectMember(name, membersOf(inner, flags, format));
    return whole ? firstPresent(whole, object) : object;
  });
}

// One sequence of `concat` has the whole value, another one has grouped by a part of it.
function firstPresent(first: Member, second: Member): Member {
  return {
    isPresent: (cells) => first.isPresent(cells) || second.isPresent(cells),
    write: (out, cells) => (first.isPresent(cells) ? first : second).write(out, cells),
  };
}

function objectMember(name: string, members: readonly Member[]): Member {
  const before = `,${JSON.stringify(name)}:`;
  return {
    isPresent: (cells) => members.some(({ isPresent }) => isPresent(cells)),
    write: (out, cells) => {
      out.text(before);
      const from = beginObject(out);
      for (const { isPresent, write } of members) if (isPresent(cells)) write(out, cells);
      endObject(out, from);
    },
  };
}

// An undeclared property has a type annotation, unless JSON implies the type (JSON format 4.6.3).
function leafMember(name: string, { column, index }: Placed, flags: ReadonlyMap<string, number>, format: RecordFormat): Member {
  const { field, presence } = column;
  const write = columnWriter(column, format, 'column');
  const before = `,${JSON.stringify(name)}:`;
  const typed = statesType(column, format) ? typeStep(name, field, index) : undefined;
  const nothing = field.collection ? '[]' : 'null';
  const flag = presence === undefined ? undefined : flags.get(presence);
  const isPresent = (cells: Cells): boolean => flag === undefined || isTrue(cells, flag);
  return {
    isPresent,
    write: (out, cells) => {
      typed?.(out, cells);
      out.text(before);
      const start = cells.starts[index] ?? -1;
      if (start < 0) out.text(nothing);
      else write(out, cells.bytes, start, cells.ends[index] ?? start);
    },
  };
}
