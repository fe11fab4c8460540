import type { EntityType } from '../edm/entity-type.js';
import { compileClock, compileNextNumbers } from '../sql/compile-write.js';
import type { Row, Statement } from '../sql/statement.js';

/** Provides ids for new entities. */
export interface NumberSupply {
  readonly next: (type: EntityType) => Promise<string>;
}

/** Ids of one table that were drawn and not yet used. */
interface Supply {
  numbers: string[];
  size: number;
  drawnAt: number;
  waiting: number;
  drawing?: Promise<void> | undefined;
}

const most = 64;
/** Milliseconds within which a supply must have been used up for the next one to be larger. */
const lively = 1_000;

/**
 * Draws one id at a time where creates are rare, and more the faster they come; unused ones are lost when the process
 * ends, as with the database's own sequence cache. The clock is read in the same statement. `expected` is the size of a
 * first draw.
 */
export function numberSupply(
  run: (statement: Statement) => Promise<readonly Row[]>,
  clock: ServerClock,
  expected: (type: EntityType) => number = () => 1,
): NumberSupply {
  const supplies = new Map<string, Supply>();
  const draw = async (type: EntityType, supply: Supply): Promise<void> => {
    supply.size = Math.min(most, Math.max(supply.waiting, performance.now() - supply.drawnAt < lively ? supply.size * 2 : expected(type)));
    const rows = await run(compileNextNumbers(type, supply.size));
    clock.note(rows[0]?.[1] ?? null);
    supply.drawnAt = performance.now();
    supply.numbers.push(...rows.map(([number]) => number ?? ''));
  };
  return {
    next: async (type) => {
      const supply = supplies.get(type.table) ?? { numbers: [], size: 1, drawnAt: -lively, waiting: 0 };
      supplies.set(type.table, supply);
      supply.waiting += 1;
      try {
        for (;;) {
          const number = supply.numbers.shift();
          if (number !== undefined) return number;
          await (supply.drawing ??= draw(type, supply).finally(() => (supply.drawing = undefined)));
        }
      } finally {
        supply.waiting -= 1;
      }
    },
  };
}

/** The database's clock, extrapolated between reads. */
export interface ServerClock {
  /** ISO 8601 with seconds and `Z`, like the stamps of statements. */
  readonly now: () => Promise<string>;
  /** Records the database's clock: milliseconds of the epoch. */
  readonly note: (milliseconds: string | null) => void;
}

/** Milliseconds for which the process's clock extrapolates. */
const carried = 1_000;

/** Reads the clock once a second at most. It is never ahead of the database's, which has advanced when the answer arrives. */
export function serverClock(run: (statement: Statement) => Promise<readonly Row[]>): ServerClock {
  let noted = 0;
  let notedAt = -Infinity;
  let shown = { second: 0, text: '' };
  const note = (milliseconds: string | null): void => {
    if (milliseconds === null) return;
    noted = Number(milliseconds);
    notedAt = performance.now();
  };
  return {
    note,
    now: async () => {
      if (performance.now() - notedAt > carried) note((await run(compileClock()))[0]?.[0] ?? null);
      const second = Math.floor((noted + performance.now() - notedAt) / 1_000);
      if (second !== shown.second) shown = { second, text: `${new Date(second * 1_000).toISOString().slice(0, 19)}Z` };
      return shown.text;
    },
  };
}
