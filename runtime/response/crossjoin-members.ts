import type { JoinedSet, Selection } from '../plan/read-plan.js';
import { keyColumns } from '../plan/plan-select.js';
import { entityPath } from './address.js';
import { textOf, type MembersWriter, type RecordFormat } from './record-writer.js';

/** The context URL of a cross join (URL conventions 4.15). */
export function crossjoinContextUrl(root: string): string {
  return `${root}/$metadata#Collection(Edm.ComplexType)`;
}

/** The members of a combination: a link to each record that is not expanded. */
export function crossjoinMembers(sets: readonly JoinedSet[], { computed, expands }: Selection, { root, metadata }: RecordFormat): MembersWriter {
  if (metadata === 'none') return () => undefined;
  const linked = sets.filter(({ name }) => !expands.some((expand) => expand.name === name)).map(({ name, type }) => {
    const first = computed.findIndex((column) => column.name.startsWith(`${name}/`));
    return { type, first, before: `,${JSON.stringify(`${name}@odata.navigationLink`)}:`, columns: keyColumns(type) };
  });
  return (out, cells) => {
    for (const { type, first, before, columns } of linked) {
      const keys = columns.map((_, index) => textOf(cells, first + index, 'column'));
      out.text(`${before}${JSON.stringify(`${root}/${entityPath(type, columns, keys)}`)}`);
    }
  };
}
