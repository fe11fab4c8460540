import { ODataError } from '../errors/odata-error.js';
import { savepoint } from '../sql/savepoint.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import { writeRefusal } from './refusal.js';

/** Carries out a part of a transaction that may be refused, and leaves nothing of it behind then; gives the refusal. */
export async function attempt<Result>(work: (part: Connection) => Promise<Result>, connection: Connection): Promise<Result | ODataError> {
  await connection.run(savepoint.set);
  try {
    const result = await work(withoutEnd(connection));
    await connection.run(savepoint.release);
    return result;
  } catch (failure) {
    const refusal = writeRefusal(failure);
    // A failure of the service, or of the database as a whole, ends the transaction.
    if (!(refusal instanceof ODataError) || refusal.status >= 500) throw failure;
    await connection.run(savepoint.back);
    return refusal;
  }
}
