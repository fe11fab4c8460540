import { ODataError } from '../errors/odata-error.js';
import type { Connection, Statement } from '../sql/statement.js';
import { writeRefusal } from './refusal.js';

const statement = (text: string): Statement => ({ text, bind: [], whole: true });

/** Carries out a part of a transaction that may be refused, and leaves nothing of it behind then; gives the refusal. */
export async function attempt<Result>(work: () => Promise<Result>, connection: Connection): Promise<Result | ODataError> {
  await connection.run(statement('savepoint attempt'));
  try {
    const result = await work();
    await connection.run(statement('release savepoint attempt'));
    return result;
  } catch (failure) {
    const refusal = writeRefusal(failure);
    // A failure of the service, or of the database as a whole, ends the transaction.
    if (!(refusal instanceof ODataError) || refusal.status >= 500) throw failure;
    await connection.run(statement('rollback to savepoint attempt'));
    return refusal;
  }
}
