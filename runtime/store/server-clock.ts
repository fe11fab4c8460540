import { compileClock } from '../sql/compile-write.js';
import type { Row, Statement } from '../sql/statement.js';

/** The database's clock, extrapolated between reads. */
export interface ServerClock {
  /** ISO 8601 with seconds and `Z`, like the stamps of statements. */
  readonly now: () => Promise<string>;
  /** Records the database's clock: milliseconds of the epoch. */
  readonly note: (milliseconds: string | null) => void;
}

/** Milliseconds for which the process's clock extrapolates. */
const carried = 1_000;

/**
 * Reads the clock once a second at most. It is never ahead of the database's, which has advanced when the answer
 * arrives.
 */
export function serverClock(run: (statement: Statement) => Promise<readonly Row[]>): ServerClock {
  let said = 0;
  let notedAt = -Infinity;
  let shown = { second: 0, text: '' };
  const note = (milliseconds: string | null): void => {
    if (milliseconds === null) return;
    said = Number(milliseconds);
    notedAt = performance.now();
  };
  return {
    note,
    now: async () => {
      if (performance.now() - notedAt > carried) note((await run(compileClock()))[0]?.[0] ?? null);
      const second = Math.floor((said + performance.now() - notedAt) / 1_000);
      if (second !== shown.second) shown = { second, text: `${new Date(second * 1_000).toISOString().slice(0, 19)}Z` };
      return shown.text;
    },
  };
}
