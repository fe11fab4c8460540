import { quote } from '../../runtime/schema/identifier.js';
import type { Column } from '../../runtime/schema/schema.js';
import { isMissingIn, type TableChange } from './table-change.js';
import type { Step } from './step.js';

/** The new columns with the number of another record that rows name by its key already. */
export function linkedColumns({ old, wanted }: Pick<TableChange, 'old' | 'wanted'>): readonly Column[] {
  const isNew = isMissingIn(old);
  return wanted.columns.filter((column) => column.linkedBy !== undefined && isNew(column));
}

/** Gives them the numbers: what leads to a record by its key leads to the same one by its number. Rows that an old service has written since follow at the end. */
export function linkRows(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  return linkedColumns(change).flatMap(({ name, linkedBy = '' }) =>
    (['backfill', 'contract'] as const).map((phase): Step => ({
      phase,
      manner: { kind: 'batches', table: wanted.name },
      statements: [`update ${table} set ${quote(name)} = ${linkedBy} where ${quote(name)} is null and "#id" > $1 and "#id" <= $2;`],
      costs: ['locks of the rows of one batch at a time'],
    })),
  );
}
