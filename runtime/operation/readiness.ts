import { isExhausted, type PoolState } from '../database/pool-state.js';

/** Whether this process should get requests, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'up' | 'down' | 'busy' | 'unknown';
  readonly migrations: 'current' | 'missing' | 'unknown';
  readonly draining: boolean;
}

/** What readiness is made of. */
interface ReadinessSources {
  readonly pool: () => PoolState;
  /** Asks the database; names of migrations that it lacks. */
  readonly missingMigrations: () => Promise<readonly string[]>;
  readonly isDraining: () => boolean;
}

/** Milliseconds: what is asked without a token must not become a load, and must answer in time. */
const kept = 1_000;
const longest = 1_000;

/** Asks the database at most once a second, whoever asks how often. */
export function createReadiness({ pool, missingMigrations, isDraining }: ReadinessSources): () => Promise<Readiness> {
  let asked: Promise<Omit<Readiness, 'ready' | 'draining'>> | undefined;
  let at = 0;
  return async () => {
    const draining = isDraining();
    // Whatever the database says, no request should come here any more.
    if (draining) return { ready: false, database: 'unknown', migrations: 'unknown', draining };
    // It would wait in the same queue.
    if (isExhausted(pool())) return { ready: false, database: 'busy', migrations: 'unknown', draining };
    if (asked === undefined || performance.now() - at > kept) {
      at = performance.now();
      asked = ask(missingMigrations);
    }
    const answer = await asked;
    return { ...answer, ready: answer.database === 'up' && answer.migrations === 'current', draining };
  };
}

async function ask(missingMigrations: () => Promise<readonly string[]>): Promise<Omit<Readiness, 'ready' | 'draining'>> {
  const late = new AbortController();
  try {
    const missing = await Promise.race([missingMigrations(), after(longest, late.signal)]);
    return { database: 'up', migrations: missing.length === 0 ? 'current' : 'missing' };
  } catch {
    // Why is in the log of the requests that fail; readiness only says that.
    return { database: 'down', migrations: 'unknown' };
  } finally {
    late.abort();
  }
}

function after(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const timer = setTimeout(() => fail(new Error('The database did not answer in time.')), milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
