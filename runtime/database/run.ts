import { textsInto, withoutEnd, type Connection, type OnRow, type Piece, type Row, type Statement } from '../sql/statement.js';
import { boundModels } from './bound-models.js';
import { anyone, requireRecipient, workFor, type Recipient } from './cancel.js';
import { paceOf } from './row-flow.js';
import { anyMode, dependsOnValues, noteRun, planModesFor } from './plan-choice.js';
import type { ConnectionPool, DatabaseClient, Session } from './pool.js';
import { acquireConnection, destroyConnection, releaseConnection, sessionOf } from './pool.js';
import { streamRows, type Around } from './row-stream.js';
import { giveUp, isOpen, withinTime } from './silent-server.js';
import { comparisonDue } from './compare-plans.js';
import { namedText } from './statement-names.js';
import { asUnavailable, isConnectionLost, isOutdated } from './failures.js';

/** Runs one statement; every cell is the text that the server sent, so that no digit is lost in a number or a Date. */
export async function runStatement(client: DatabaseClient, { text, bind }: Statement): Promise<readonly Row[]> {
  // The extended protocol accepts only one statement, whatever the text contains.
  const result = await client.query({ text, values: bind, rowMode: 'array', types: asText, queryMode: 'extended' });
  return result.rows;
}

/** Runs `work` on a pooled connection, outside of a transaction; a recipient that disconnects cancels its statements. */
export async function withConnection<T>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<T>,
  recipient: Recipient = anyone,
): Promise<T> {
  try {
    return await withClient(pool, (client) =>
      workFor(recipient, client, (cancel) => {
        // Statements of Sequelize run in transactions only, which make the settings of a shared session.
        const { run, each } = connectionOf(client, pool, { attendance: { recipient, cancel } });
        return work(withoutEnd({ run, each }));
      }),
    );
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Runs reads in one packet on a connection of the pool; they are not cancelled. */
export async function runTogether(pieces: readonly Piece[], pool: ConnectionPool): Promise<void> {
  const { names, preamble } = sessionOf(pool);
  const last = pieces.at(-1);
  if (last === undefined) return;
  const ahead = pieces.slice(0, -1).map((piece) => ({ ...piece, name: namedText(piece.statement, names)?.name }));
  const around: Around = { before: [...preamble, ...ahead], after: [], alone: true };
  try {
    await withClient(pool, (client) => connectionOf(client, pool, { around: () => around }).each(last.statement, last.onRow));
    last.onEnd?.();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Runs `work` with the driver's client, for statements without rows, such as COPY. */
export async function withClient<T>(pool: ConnectionPool, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = await acquireConnection(pool);
  try {
    return await work(client);
  } catch (error) {
    // A lost connection may never report its end.
    if (isConnectionLost(error)) giveUp(client);
    if (isOutdated(error)) sessionOf(pool).names?.renew();
    throw error;
  } finally {
    // It would fail for the next request.
    if (isOpen(client)) releaseConnection(pool, client);
    else await destroyConnection(pool, client);
  }
}

const asText = {
  getTypeParser:
    () =>
    (cell: string): string =>
      cell,
};

interface ConnectionOptions {
  readonly attendance?: { readonly recipient: Recipient; readonly cancel: () => void } | undefined;
  /** Called before each statement of a transaction, for what is sent with it. */
  readonly around?: ((statement: Statement) => Around) | undefined;
}

/** A connection that runs statements on a client of the driver. */
export function connectionOf(
  client: DatabaseClient,
  pool: ConnectionPool,
  { attendance, around }: ConnectionOptions,
): Pick<Connection, 'run' | 'each'> & Required<Pick<Connection, 'models'>> {
  const session = sessionOf(pool);
  const { statementTimeout } = session;
  const once: Connection['each'] = (statement, onRow) => execute(statement, onRow, client, { session, attendance, around });
  // A transaction begins anew where a statement is outdated.
  const each = around === undefined ? preparedAgain(once, session) : once;
  return {
    run: async (statement) => {
      const rows: Row[] = [];
      await each(statement, textsInto(rows));
      return rows;
    },
    each,
    models: (inTurn) => boundModels(pool, client, (work) => inTurn(() => withinTime(client, statementTimeout, work()))),
  };
}

// Repeats a statement that is outdated, which fails before its first row.
function preparedAgain(once: Connection['each'], { names }: Session): Connection['each'] {
  return (statement, onRow) =>
    once(statement, onRow).catch((failure: unknown) => {
      if (!isOutdated(failure)) throw failure;
      names?.renew();
      return once(statement, onRow);
    });
}

// Runs a statement, after a comparison of its plans where one is due.
async function execute(
  statement: Statement,
  onRow: OnRow,
  client: DatabaseClient,
  { session, attendance, around }: ConnectionOptions & { readonly session: Session },
): Promise<void> {
  const { statementTimeout, names, isShared, preamble } = session;
  if (attendance) requireRecipient(attendance.recipient);
  const named = namedText(statement, names);
  const chosen = statement.reusable || statement.unhurried ? undefined : named;
  const isDue = chosen !== undefined && chosen.choice.again !== Infinity && performance.now() >= chosen.choice.again;
  const comparison = attendance && isDue && !isShared && comparisonDue(client, statement, chosen);
  if (comparison) await withinTime(client, statementTimeout, comparison);
  if (comparison && attendance) requireRecipient(attendance.recipient);
  const pace = statement.unhurried && attendance ? paceOf(session, attendance.cancel) : undefined;
  const started = performance.now();
  const sent = around?.(statement) ?? (preamble.length > 0 ? { before: preamble, after: [], alone: true } : undefined);
  const valued = chosen && dependsOnValues(chosen.choice, started) ? chosen.recurring(chosen.name, statement, started) : undefined;
  const rows = streamRows(client, valued?.statement ?? statement, {
    name: (valued ?? named)?.name,
    onRow,
    modes: valued ? anyMode : planModesFor(statement, named?.name, named?.choice.isKept ?? false),
    pace,
    restoresMode: isShared || (sent !== undefined && sent.alone !== true),
    around: sent,
  });
  try {
    // A streamed statement waits for its client, under a separate limit.
    await (statement.unhurried ? rows : withinTime(client, statementTimeout, rows));
  } finally {
    // A timed-out run is the slowest of all.
    const ended = performance.now();
    if (chosen) noteRun(chosen.choice, statement.bind, ended - started, ended);
  }
}
