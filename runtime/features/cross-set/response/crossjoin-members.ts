import type { ComputedColumn, JoinedSet, Selection } from '../../../plan/read-plan.js';
import { keyColumns } from '../../../plan/plan-select.js';
import { entityPath } from '../../../response/address.js';
import { columnWriter } from '../../../response/column-members.js';
import { textOf, type MembersWriter, type RecordFormat } from '../../../response/record-format.js';
import { typeStep } from '../../../response/record-writer.js';
import { saysType } from '../../../response/payload-format.js';

/** The context URL of a cross join (URL conventions 4.15). */
export function crossjoinContextUrl(root: string): string {
  return `${root}/$metadata#Collection(Edm.ComplexType)`;
}

/** The members of a combination: a link to each entity that is not expanded, and computed values. */
export function crossjoinMembers(sets: readonly JoinedSet[], { computed, expands }: Selection, format: RecordFormat): MembersWriter {
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
