import { ODataError } from '../errors/odata-error.js';
import { beforeAttempt, type Savepoint } from './savepoint.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import { writeRefusal } from './refusal.js';

/** Runs a part of a transaction behind a savepoint; rolls it back if it is rejected, and returns the error. */
export async function attempt<Result>(work: (part: Connection) => Promise<Result>, connection: Connection): Promise<Result | ODataError> {
  await connection.run(beforeAttempt.set);
  try {
    const result = await work(withoutEnd(connection));
    await connection.run(beforeAttempt.release);
    return result;
  } catch (failure) {
    const refusal = writeRefusal(failure);
    // A failure of the service or of the database ends the transaction.
    if (!(refusal instanceof ODataError) || refusal.status >= 500) throw failure;
    await takeBack(beforeAttempt, connection);
    return refusal;
  }
}

/** Rolls back to a savepoint and releases it: left in place, it would hide an earlier one with its name. */
export async function takeBack({ back, release }: Savepoint, { run }: Connection): Promise<void> {
  await run(back);
  await run(release);
}
