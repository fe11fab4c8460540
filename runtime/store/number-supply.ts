import type { EntityType } from '../edm/index.js';
import { compileNextNumbers } from '../sql/compile-write.js';
import type { Row, Statement } from '../sql/statement.js';
import type { ServerClock } from './server-clock.js';

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
 * ends, as with the database's own sequence cache. The clock is read in the same statement.
 */
export function numberSupply(run: (statement: Statement) => Promise<readonly Row[]>, clock: ServerClock): NumberSupply {
  const supplies = new Map<string, Supply>();
  const draw = async (type: EntityType, supply: Supply): Promise<void> => {
    supply.size = Math.min(most, Math.max(supply.waiting, performance.now() - supply.drawnAt < lively ? supply.size * 2 : 1));
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
