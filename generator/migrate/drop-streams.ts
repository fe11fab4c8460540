import { chunkColumns, streamTable } from '../../runtime/edm/index.js';
import { quote } from '../../runtime/schema/identifier.js';
import { inTransaction, type Step } from './step.js';
import type { TableChange } from './table-change.js';

const chunks = quote(streamTable);

/** Deletes the chunks of removed streams, while their owners are still known. */
export function dropStreams({ table, old, wanted }: TableChange): readonly Step[] {
  const gone = old.columns.filter(({ name }) => !wanted.columns.some((column) => column.name === name));
  const conditions =
    wanted.name === streamTable
      ? gone.map(({ name }) => `${quote(name)} is not null`)
      : gone
          .filter(({ name }) => old.columns.some(({ follows }) => follows === name))
          .map(({ name }) => `${quote(chunkColumns.stream)} in (select ${quote(name)} from ${table})`);
  return conditions.map((condition) =>
    inTransaction('contract', [`delete from ${chunks} where ${condition};`], ['removes the chunks of removed streams; locks only them']),
  );
}
