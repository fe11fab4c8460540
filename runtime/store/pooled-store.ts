import type { ConnectionPool } from '../database/pool.js';
import { type Recipient, requireRecipient } from '../database/cancel.js';
import { withConnection, runTogether } from '../database/run.js';
import { inTransaction } from '../database/transaction.js';
import { kindOfFailure, isOutdated } from '../database/failures.js';
import { errors } from '../errors/catalogue.js';
import { type Connection, type Row, type Statement, withoutEnd, type Piece } from '../sql/statement.js';
import { knownRecords } from './known-records.js';
import { numberSupply, serverClock } from './number-supply.js';
import { writeRefusal } from './refusal.js';
import type { Store } from './store.js';

/** The store on a connection pool. */
export function createPooledStore(pool: ConnectionPool): Store {
  const run = (statement: Statement): Promise<readonly Row[]> => withConnection(pool, (connection) => connection.run(statement));
  const clock = serverClock(run);
  const eachShared = sharedReads(pool);
  // Its other statements are sent on a connection each.
  const sharingConnection = (recipient: Recipient): Connection =>
    withoutEnd({
      run: (statement) => withConnection(pool, (connection) => connection.run(statement), recipient),
      each: (statement, onRow) => eachShared(statement, onRow, recipient),
    });
  return {
    singleWrites: { numbers: numberSupply(run, clock), clock, known: knownRecords() },
    read: (work, recipient, sharing) =>
      (sharing === undefined ? withConnection(pool, work, recipient) : work(sharingConnection(recipient))).catch(refuseRead),
    transaction: (work, recipient) => inTransaction(pool, work, recipient).catch(refuseWrite),
  };
}

// A computed value exceeded its type's range, which no check of the request can foresee.
function refuseRead(failure: unknown): never {
  if (kindOfFailure(failure) === 'invalid')
    throw errors.typeMismatch('A value of the expression is out of the range that the database can hold.');
  throw failure;
}

function refuseWrite(failure: unknown): never {
  throw writeRefusal(failure);
}

/** The most statements of a packet: PostgreSQL runs them one after the other. */
const most = 32;

/** A read that waits to be sent with others. */
interface WaitingRead extends Required<Piece> {
  readonly recipient: Recipient;
  readonly reject: (failure: unknown) => void;
}

/**
 * Runs reads of one text that arrive in one turn of the event loop in one packet: a system call and a change of process
 * cost more than the read of a row by its key. Reads of one text wait for the same locks, so none delays another that
 * could run. Where none is running, a read is sent at once.
 */
export function sharedReads(pool: ConnectionPool): (...read: [...Parameters<Connection['each']>, Recipient]) => Promise<void> {
  let waiting = new Map<string, WaitingRead[]>();
  let running = 0;
  const track = (work: Promise<void>): Promise<void> => {
    running += 1;
    return work.finally(() => (running -= 1));
  };
  const send = (): void => {
    const texts = [...waiting.values()];
    waiting = new Map();
    for (const reads of texts) for (let at = 0; at < reads.length; at += most) void track(sendTogether(reads.slice(at, at + most), pool));
  };
  return (statement, onRow, recipient) => {
    if (running === 0) return track(withConnection(pool, ({ each }) => each(statement, onRow), recipient));
    return new Promise((resolve, reject) => {
      const read: WaitingRead = { statement, onRow: guarded(onRow, reject), onEnd: resolve, recipient, reject };
      if (waiting.size === 0) setImmediate(send);
      const known = waiting.get(statement.text);
      if (known === undefined) waiting.set(statement.text, [read]);
      else known.push(read);
    });
  };
}

function guarded(onRow: Piece['onRow'], reject: (failure: unknown) => void): Piece['onRow'] {
  return (row) => {
    try {
      onRow(row);
    } catch (reason) {
      reject(reason);
    }
  };
}

// A value that PostgreSQL rejects ends the packet: the later reads are sent again.
async function sendTogether(reads: readonly WaitingRead[], pool: ConnectionPool): Promise<void> {
  const present = reads.filter(isPresent);
  const [only] = present;
  if (only === undefined) return;
  if (present.length === 1) return sendAlone(only, pool);
  let ended = 0;
  try {
    await runTogether(
      present.map(({ statement, onRow, onEnd }) => ({ statement, onRow, onEnd: () => ((ended += 1), onEnd()) })),
      pool,
    );
  } catch (failure) {
    if (isOutdated(failure)) return void (await Promise.all(present.slice(ended).map((read) => sendAlone(read, pool))));
    const isOwn = kindOfFailure(failure) === 'invalid';
    for (const { reject } of present.slice(ended, isOwn ? ended + 1 : undefined)) reject(failure);
    if (isOwn) await sendTogether(present.slice(ended + 1), pool);
  }
}

function sendAlone({ statement, onRow, onEnd, recipient, reject }: WaitingRead, pool: ConnectionPool): Promise<void> {
  return withConnection(pool, ({ each }) => each(statement, onRow), recipient).then(onEnd, reject);
}

function isPresent({ recipient, reject }: WaitingRead): boolean {
  try {
    requireRecipient(recipient);
    return true;
  } catch (gone) {
    reject(gone);
    return false;
  }
}
