import { isExhausted, type PoolState } from '../../database/pool.js';

/** Whether this process is ready for requests, and the reason. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'down' | 'busy' | 'unknown';
  readonly migrations: 'current' | 'missing' | 'unknown';
  readonly draining: boolean;
}

/** The inputs of readiness. */
interface ReadinessSources {
  readonly pool: () => PoolState;
  /** Queries the database for missing migrations, by name. */
  readonly missingMigrations: () => Promise<readonly string[]>;
  readonly isDraining: () => boolean;
  /** Called once with the reason for each period in which the database does not answer. */
  readonly report: (failure: unknown) => void;
}

/** Milliseconds: an unauthenticated endpoint must not cause load, and must answer in time. */
const kept = 1_000;
const longest = 1_000;

/** Checks readiness, querying the database at most once a second. */
export function createReadiness({ pool, missingMigrations, isDraining, report }: ReadinessSources): () => Promise<Readiness> {
  const reportOnce = onceWhile(report);
  let asked: Promise<Omit<Readiness, 'ready' | 'draining'>> | undefined;
  let at = 0;
  return async () => {
    const draining = isDraining();
    // Whatever the database's state, no requests should arrive any more.
    if (draining) return { ready: false, database: 'unknown', migrations: 'unknown', draining };
    // The check would wait in the same queue.
    if (isExhausted(pool())) return { ready: false, database: 'busy', migrations: 'unknown', draining };
    if (asked === undefined || performance.now() - at > kept) {
      at = performance.now();
      asked = ask(missingMigrations, reportOnce);
    }
    const answer = await asked;
    return { ...answer, ready: answer.database === 'up' && answer.migrations === 'current', draining };
  };
}

/** Reports the first failure after each success, which is undefined. */
function onceWhile(report: (failure: unknown) => void): (failure: unknown) => void {
  let failing = false;
  return (failure) => {
    if (failure !== undefined && !failing) report(failure);
    failing = failure !== undefined;
  };
}

async function ask(
  missingMigrations: () => Promise<readonly string[]>,
  report: (failure: unknown) => void,
): Promise<Omit<Readiness, 'ready' | 'draining'>> {
  const late = new AbortController();
  try {
    const missing = await Promise.race([missingMigrations(), after(longest, late.signal)]);
    report(undefined);
    return { database: 'up', migrations: missing.length === 0 ? 'current' : 'missing' };
  } catch (failure) {
    // The unauthenticated answer gives no reason; the log does.
    report(failure);
    return { database: 'down', migrations: 'unknown' };
  } finally {
    late.abort();
  }
}

function after(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const timer = setTimeout(() => fail(new Error('The database did not respond in time.')), milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
