import { ODataError } from '../errors/odata-error.js';
import { beforeAttempt, type Savepoint } from '../sql/savepoint.js';
import { withoutEnd, type Connection } from '../sql/statement.js';
import { writeRefusal } from './refusal.js';

/** Carries out a part of a transaction that may be refused, and leaves nothing of it behind then; gives the refusal. */
export async function attempt<Result>(work: (part: Connection) => Promise<Result>, connection: Connection): Promise<Result | ODataError> {
  await connection.run(beforeAttempt.set);
  try {
    const result = await work(withoutEnd(connection));
    await connection.run(beforeAttempt.release);
    return result;
  } catch (failure) {
    const refusal = writeRefusal(failure);
    // A failure of the service, or of the database as a whole, ends the transaction.
    if (!(refusal instanceof ODataError) || refusal.status >= 500) throw failure;
    await takeBack(beforeAttempt, connection);
    return refusal;
  }
}

/** Takes back what came behind a savepoint, and forgets it: left where it is, it would be found in place of an earlier one of its name. */
export async function takeBack({ back, release }: Savepoint, { run }: Connection): Promise<void> {
  await run(back);
  await run(release);
}
