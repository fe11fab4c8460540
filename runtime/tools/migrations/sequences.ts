import type { DatabaseClient } from '../../database/pool.js';
import { runStatement } from '../../database/run.js';
import { literal, quote } from '../../schema/identifier.js';
import type { Difference } from './drift.js';

// Of the tables of the current schema, without partitions, which have their numbers from the table.
const numbered = `SELECT relname, attname, pg_get_serial_sequence(quote_ident(relname), attname) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attidentity <> '' ORDER BY 1`;

/** The sequences that would give numbers again, as after a logical replication, which copies rows alone. */
export async function findLateSequences(client: DatabaseClient): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const [table, column, sequence] of await runStatement(client, { text: numbered, bind: [] })) {
    const [name, text] = [`${table}/${column}`, compileNumbers(table ?? '', column ?? '', sequence ?? '')];
    const [[last, greatest] = []] = await runStatement(client, { text, bind: [] });
    if (BigInt(last ?? '0') < BigInt(greatest ?? '0'))
      found.push({ what: `sequence ${name}`, expected: `rows up to ${greatest}`, found: `at ${last}` });
  }
  return found;
}

function compileNumbers(table: string, column: string, sequence: string): string {
  return `SELECT coalesce(pg_sequence_last_value(${literal(sequence)}::regclass), 0), max(${quote(column)}) FROM ${quote(table)}`;
}
