import { compileLacking } from '../sql/compile-symmetric.js';
import type { Awaited, Connection } from '../sql/statement.js';

/**
 * Work within a transaction, and then a look at the records that must lead to another one when it ends: a navigation property
 * that is its own partner, and required, can lead back only once both records are there. `finish` ends the transaction too.
 */
export async function endingWhole<Result>(work: (connection: Connection) => Promise<Result>, connection: Connection): Promise<Result> {
  const awaited: Awaited = new Map();
  const { finish } = connection;
  const whole: Connection = {
    ...connection,
    awaited,
    ...(finish && {
      finish: async (statement, onRow) => {
        await requirePartners(awaited, connection);
        await finish(statement, onRow);
      },
    }),
  };
  const result = await work(whole);
  await requirePartners(awaited, connection);
  return result;
}

/** Notes that a record must have values in columns when the transaction ends; of two reasons the later one is told. */
export function awaitPartner(
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  id: string,
  refusal: () => Error,
  { awaited }: Connection,
): void {
  if (awaited === undefined) throw new Error(`${table} is changed outside of a transaction that looks at its end.`);
  const name = JSON.stringify([table, columns]);
  const known = awaited.get(name) ?? { table, columns, records: new Map<string, () => Error>() };
  awaited.set(name, known);
  known.records.set(id, refusal);
}

async function requirePartners(awaited: Awaited, connection: Connection): Promise<void> {
  for (const { table, columns, records } of awaited.values()) {
    const [lacking] = await connection.run(compileLacking(table, columns, [...records.keys()]));
    const refusal = records.get(lacking?.[0] ?? '');
    if (refusal) throw refusal();
  }
  awaited.clear();
}
