import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionPool, DatabaseClient } from './pool.js';
import { textsInto, type AskedRows, type Connection, type Piece, type Row, type Statement } from '../sql/statement.js';
import { asUnavailable, isConnectionLost, isRepeatable } from './failures.js';
import { sessionOf } from './pool.js';
import { anyone, requireRecipient, type Recipient } from './cancel.js';
import { type Around, type NamedStatement, streamRows } from './row-stream.js';
import { connectionOf, withClient } from './run.js';
import { giveUp, withinTime } from './silent-server.js';
import { namedText, type StatementNames } from './statement-names.js';

const repeats = 3;

/**
 * Runs `work` in a transaction, and again after a serialization failure or deadlock; so `work` must have no other
 * effects. It does not start for a disconnected recipient, but once started it finishes, since the recipient may count
 * on it.
 */
export async function inTransaction<T>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<T>,
  recipient: Recipient = anyone,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await withClient(pool, async (client) => {
        requireRecipient(recipient);
        return await transact(openTransaction(client, pool), attempt === 0 ? work : inTurn(work));
      });
    } catch (error) {
      if (!isRepeatable(error) || attempt === repeats) throw asUnavailable(error);
      // A random delay keeps two conflicting transactions from meeting again.
      await delay(Math.random() * 10 * 2 ** attempt);
    }
  }
}

// Retries run one at a time, so that they cannot deadlock with each other.
function inTurn<T>(work: (connection: Connection) => Promise<T>): (connection: Connection) => Promise<T> {
  return async (connection) => {
    await connection.defer(turn);
    return work(connection);
  };
}

const turn: Statement = { text: `select pg_advisory_xact_lock(hashtextextended('gable: tried again', 0))`, bind: [], unfiltered: true };

async function transact<T>({ connection, commit, rollBack }: Transaction, work: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    const result = await work(connection);
    await commit();
    return result;
  } catch (failure) {
    // The server rolls back transactions of lost connections.
    if (!isConnectionLost(failure)) await rollBack();
    throw failure;
  }
}

interface Transaction {
  readonly connection: Connection;
  /** Does nothing without a statement, or after the last one has committed. */
  readonly commit: () => Promise<void>;
  readonly rollBack: () => Promise<void>;
}

// BEGIN is sent with the first statement that requires it and, where the work marks its last one, COMMIT with that.
function openTransaction(client: DatabaseClient, pool: ConnectionPool): Transaction {
  let state: 'new' | 'begun' | 'ended' = 'new';
  const { names, statementTimeout, preamble } = sessionOf(pool);
  const waiting = waitingStatements(names);
  const around = (statement: Statement, isLast: boolean): Around => {
    if (state === 'ended') throw new Error('A statement followed the end of its transaction.');
    const before = [...(state === 'new' ? preamble : []), ...waiting.take()];
    if (state === 'new' && (isLast || isLockless([...before, { statement }]))) return { before, after: [], alone: true };
    const begin = state === 'new' ? ['START TRANSACTION'] : [];
    state = 'begun';
    return { before: [...begin, ...before], after: isLast ? ['COMMIT'] : [] };
  };
  const { run, each, models } = connectionOf(client, pool, { around: (statement) => around(statement, false) });
  const { each: last } = connectionOf(client, pool, { around: (statement) => around(statement, true) });
  const begin = async (): Promise<unknown> => (state === 'begun' && !waiting.some() ? undefined : run(beginning));
  const end = async (text: string): Promise<string> => {
    const tag = await withinTime(client, statementTimeout, sendCommand(client, text, around));
    state = 'ended';
    return tag;
  };
  return {
    connection: {
      run,
      each,
      ahead: (statement) => waiting.ahead(statement, run),
      defer: async (statement, refusal) => waiting.add({ statement, ...(refusal && { refusal }) }),
      finish: (statement, onRow) => last(statement, onRow).then(() => void (state = 'ended')),
      together: (pieces) => inOnePacket(pieces, waiting, each),
      models: (inTurn) => models((work) => inTurn(() => begin().then(work))),
    },
    commit: async () => (state === 'begun' || waiting.some() ? requireCommitted(await end('COMMIT')) : undefined),
    rollBack: async () => {
      waiting.take();
      // A connection in an open transaction is unusable; the original error has been thrown.
      if (state === 'begun') await end('ROLLBACK').catch(() => giveUp(client));
    },
  };
}

// Carries what must precede the statements of Sequelize.
const beginning: Statement = { text: 'select 1', bind: [], unfiltered: true };

function sendCommand(client: DatabaseClient, text: string, around: (statement: Statement, isLast: boolean) => Around): Promise<string> {
  const command = { text, bind: [] };
  return streamRows(client, command, { around: around(command, false), name: undefined, modes: [], onRow: () => undefined });
}

// A packet is an implicit transaction (PostgreSQL manual, "Pipelining"), so a single packet needs no BEGIN, and neither
// do statements that only read without locks.
function isLockless(pieces: readonly { readonly statement: Statement }[]): boolean {
  return pieces.every(({ statement }) => statement.lockless === true);
}

// COMMIT after a failed statement answers ROLLBACK, without an error.
function requireCommitted(tag: string): void {
  if (tag !== 'COMMIT') throw new Error(`The commit of a failed transaction ended with ${tag}.`);
}

async function inOnePacket(pieces: readonly Piece[], waiting: WaitingStatements, each: Connection['each']): Promise<void> {
  const last = pieces.at(-1);
  for (const piece of pieces.slice(0, -1)) waiting.add(piece);
  if (last === undefined) return;
  await each(last.statement, last.onRow);
  last.onEnd?.();
}

/** Statements of a transaction that are sent with its next one. */
interface WaitingStatements {
  readonly add: (piece: Omit<NamedStatement, 'name'>) => void;
  /** Queues a statement whose rows are needed later; `run` sends the queue if nothing else does. */
  readonly ahead: (statement: Statement, run: (statement: Statement) => Promise<readonly Row[]>) => AskedRows;
  /** Removes and returns the queued statements. */
  readonly take: () => readonly NamedStatement[];
  readonly some: () => boolean;
}

function waitingStatements(names: StatementNames | undefined): WaitingStatements {
  let waiting: NamedStatement[] = [];
  const answers = new Map<NamedStatement, Row[]>();
  const add = (piece: Omit<NamedStatement, 'name'>): NamedStatement => {
    const named = { name: namedText(piece.statement, names)?.name, ...piece };
    waiting.push(named);
    return named;
  };
  return {
    add,
    ahead: (statement, run) => {
      const rows: Row[] = [];
      const piece = add({ statement, onRow: textsInto(rows) });
      answers.set(piece, rows);
      const ask = async (): Promise<readonly Row[]> => {
        // All queued statements are sent together, in order, in which they also get their numbers.
        if (!waiting.includes(piece)) return rows;
        const asked = waiting.filter((one) => answers.has(one));
        const last = asked.at(-1) ?? piece;
        const later = waiting.slice(waiting.indexOf(last) + 1);
        waiting = waiting.slice(0, waiting.indexOf(last));
        const answer = run(last.statement);
        waiting = [...waiting, ...later];
        answers.get(last)?.push(...(await answer));
        return rows;
      };
      let asked: Promise<readonly Row[]> | undefined;
      return () => (asked ??= ask());
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    some: () => waiting.length > 0,
  };
}
