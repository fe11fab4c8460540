import type { ConnectionPool } from '../../database/pool.js';
import { withConnection } from '../../database/run.js';
import type { Statement } from '../../sql/statement.js';
import { limitTableName } from './limit-table.js';

/** A count of requests, and the end of its window. */
interface Count {
  readonly totalHits: number;
  readonly resetTime: Date;
}

/** Counts requests by key together with the other processes of a database. */
export interface SharedCounts {
  /** Counts one more request; fails when the database does not count it in time. */
  readonly add: (key: string) => Promise<Count>;
}

/** The database did not count a request in time. */
class LateCountError extends Error {
  override readonly name = 'LateCountError';
}

/** Milliseconds between two warnings. */
const warningPeriod = 60_000;

/**
 * Reports why a process counts for itself, a warning a period at most. That the database is slow is no warning, since
 * the next request may be counted; a missing right or table stays until somebody acts.
 */
export function failureReport(log: (level: 'warn' | 'debug', data: object, message: string) => void): (failure: unknown) => void {
  let warned = -Infinity;
  return (failure) => {
    const warns = !(failure instanceof LateCountError) && performance.now() - warned >= warningPeriod;
    if (warns) warned = performance.now();
    log(warns ? 'warn' : 'debug', { failure }, 'a request is counted by this process alone');
  };
}

/** Milliseconds within which the database must count a request. */
const defaultPatience = 500;

/**
 * Counts in windows of so many milliseconds. A process has at most one statement under way: requests that arrive
 * meanwhile are counted by the next one, together.
 */
export function sharedCounts(pool: ConnectionPool, window: number, patience = defaultPatience): SharedCounts {
  let waiting = new Map<string, Waiter[]>();
  let isCounting = false;
  let cleared = performance.now();
  const count = async (): Promise<void> => {
    const batch = waiting;
    waiting = new Map();
    try {
      const rows = await withConnection(pool, async ({ run }) => {
        if (performance.now() - cleared > window) {
          cleared = performance.now();
          await run(clearing);
        }
        return run(upsert(batch, window));
      });
      for (const [key, hits, rest] of rows) answer(batch.get(key ?? '') ?? [], Number(hits), Number(rest));
    } catch (failure) {
      for (const { fail } of [...batch.values()].flat()) fail(failure);
    }
  };
  const countAll = async (): Promise<void> => {
    isCounting = true;
    while (waiting.size > 0) await count();
    isCounting = false;
  };
  return {
    add: (key) => {
      const added = new Promise<Count>((resolve, fail) => {
        const late = setTimeout(() => fail(new LateCountError('The database did not count a request in time.')), patience);
        const done = (count: Count): void => (clearTimeout(late), resolve(count));
        waiting.set(key, [...(waiting.get(key) ?? []), { done, fail }]);
      });
      if (!isCounting) void countAll();
      return added;
    },
  };
}

interface Waiter {
  readonly done: (count: Count) => void;
  readonly fail: (reason: unknown) => void;
}

// The requests of a batch are counted in the order of their arrival.
function answer(waiters: readonly Waiter[], hits: number, rest: number): void {
  const resetTime = new Date(Date.now() + rest);
  waiters.forEach(({ done }, index) => done({ totalHits: hits - waiters.length + index + 1, resetTime }));
}

// A window that ends later than any begun by now is of a clock that was set back since. A minute is more than a statement
// waits for the lock of another process, whose window may have begun after its own.
const isOpen = `l.ends_at > now() and l.ends_at < excluded.ends_at + interval '1 minute'`;

// In the order of the keys, so that two processes do not wait for each other.
function upsert(batch: ReadonlyMap<string, readonly Waiter[]>, window: number): Statement {
  const text = `insert into ${limitTableName} as l (key, hits, ends_at)
    select key, hits, now() + make_interval(secs => $3::float8 / 1000) from unnest($1::text[], $2::integer[]) as n (key, hits) order by key
    on conflict (key) do update set
      hits = case when ${isOpen} then l.hits else 0 end + excluded.hits,
      ends_at = case when ${isOpen} then l.ends_at else excluded.ends_at end
    returning key, hits, extract(epoch from ends_at - now()) * 1000`;
  const counts = [...batch.values()].map(({ length }) => String(length));
  return { text, bind: [[...batch.keys()], counts, String(window)], unfiltered: true };
}

// Windows that have ended; rows that another process counts are left to it.
const clearing: Statement = {
  text: `delete from ${limitTableName} where key in (select key from ${limitTableName} where ends_at < now() for update skip locked)`,
  bind: [],
  unfiltered: true,
};
