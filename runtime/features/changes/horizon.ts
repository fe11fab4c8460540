import { changeClass, lastNumberDrawn } from '../../schema/change-mark.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** Runs statements, each with an own snapshot: outside of a transaction, or in one of the level read committed. */
type Running = Pick<Connection, 'run'>;

/**
 * The horizon: every change that is numbered at most so is visible from now on, or was rolled back.
 *
 * A writer takes a mark before it draws a number. A change that is still invisible after the marks were read, with a
 * number that was drawn before, had its mark then, and a mark is less than the numbers drawn after it.
 */
export async function readHorizon(connection: Running): Promise<string> {
  const last = await readLastNumber(connection);
  const [row] = await connection.run(compileHorizon(last));
  return row?.[0] ?? last;
}

/** The last number that was drawn, whether its change is visible or not. */
export async function readLastNumber({ run }: Running): Promise<string> {
  const [row] = await run(lastDrawn);
  return row?.[0] ?? '0';
}

const lastDrawn: Statement = new StatementBuilder().locklessStatement(lastNumberDrawn);

// A mark has 31 bits of its number, which is within 2^30 of the last one.
function compileHorizon(last: string): Statement {
  const builder = new StatementBuilder();
  const number = builder.bind(last, 'bigint');
  const marks = `select (objid::bigint - ${number}) & 2147483647 as ahead from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()) and classid = (${changeClass})::oid and objsubid = 2`;
  return builder.locklessStatement(
    `select least(${number}, min(${number} + case when ahead < 1073741824 then ahead else ahead - 2147483648 end)) from (${marks}) marks`,
  );
}
