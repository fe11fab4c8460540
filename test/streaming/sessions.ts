import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import type { Row } from '../../runtime/sql/statement.js';

/** Looks at a service's database from the side. */
export interface Sessions {
  readonly rows: (text: string, ...bind: readonly string[]) => Promise<readonly Row[]>;
  /** Waits until so many of the service's sessions match a condition over pg_stat_activity, so many looks running; throws after many attempts. */
  readonly waitFor: (condition: string, count: number, looks?: number) => Promise<void>;
  /** Keeps what a statement locks until `release`, or the end of these sessions: a test that fails must not hang. */
  readonly hold: (text: string) => Promise<{ readonly release: () => Promise<void> }>;
  readonly close: () => Promise<void>;
}

const attempts = 400;

/** A separate pool without limits. */
export function openSessions(databaseUrl: string): Sessions {
  const pool = connect(databaseUrl, {
    poolSize: 3,
    statementTimeout: 0,
    lockTimeout: 0,
    idleInTransactionTimeout: 0,
    acquireTimeout: 60_000,
  });
  const holding = new Set<() => Promise<void>>();
  const rows: Sessions['rows'] = (text, ...bind) => withConnection(pool, (connection) => connection.run({ text, bind }));
  return {
    rows,
    waitFor: async (condition, count, looks = 1) => {
      const text = `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`;
      for (let attempt = 0, seen = 0; attempt < attempts; attempt += 1) {
        seen = (await rows(text))[0]?.[0] === String(count) ? seen + 1 : 0;
        if (seen === looks) return;
        await delay(50);
      }
      const all = await rows('select pid, state, wait_event, left(query, 80) from pg_stat_activity where datname = current_database()');
      throw new Error(`There never were ${count} sessions with ${condition}: ${JSON.stringify(all)}`);
    },
    hold: (text) =>
      new Promise((resolve, reject) => {
        let free: (() => void) | undefined;
        const freed = new Promise<void>((settle) => (free = settle));
        const held = inTransaction(pool, async (connection) => {
          await connection.run({ text, bind: [] });
          resolve({ release: () => (free?.(), held) });
          await freed;
        });
        held.catch(reject);
        holding.add(() => (free?.(), held));
      }),
    close: async () => {
      await Promise.allSettled([...holding].map((release) => release()));
      await pool.close();
    },
  };
}
