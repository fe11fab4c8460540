import type { Connection, Piece } from '../sql/statement.js';
import { type Recipient, requireRecipient } from './cancel.js';
import { isOutdated, kindOfFailure } from './failures.js';
import type { ConnectionPool } from './pool.js';
import { runTogether, withConnection } from './run.js';

/** The most statements of a packet: PostgreSQL runs them one after the other. */
const most = 32;

/** A read that waits to be sent with others. */
interface WaitingRead extends Required<Piece> {
  readonly recipient: Recipient;
  readonly reject: (failure: unknown) => void;
}

/** Runs a read that may share a packet; an exception at a row ends only this read. */
type EachShared = (...read: [...Parameters<Connection['each']>, Recipient]) => Promise<void>;

/**
 * Runs reads of one text that arrive in one turn of the event loop in one packet: a system call and a change of process
 * cost more than the read of a row by its key. Reads of one text wait for the same locks, so none delays another that
 * could run. Where none is running, a read is sent at once.
 */
export function sharedReads(pool: ConnectionPool): EachShared {
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
