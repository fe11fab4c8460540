import { resolve } from 'node:path';
import { connect } from '../../runtime/database/connect.js';
import { startEmbedded } from '../../runtime/tools/embedded/start.js';
import { withConnection } from '../../runtime/database/run.js';

/** The PostgreSQL server that the benchmark uses. */
export interface DatabaseServer {
  /** The address of one of its databases. */
  readonly urlOf: (database: string) => string;
  readonly stop: () => Promise<void>;
}

/** The server of DATABASE_URL, or else an embedded one in `.gable/bench`. */
export async function openServer(): Promise<DatabaseServer> {
  const given = process.env['DATABASE_URL'];
  const embedded = given === undefined ? await startEmbedded({ directory: resolve('.gable', 'bench') }) : undefined;
  const base = given ?? embedded?.url ?? '';
  return {
    urlOf: (database) => {
      const url = new URL(base);
      url.pathname = `/${database}`;
      return url.href;
    },
    stop: async () => embedded?.stop(),
  };
}

/** Runs one statement on a separate connection and returns the first column. */
export async function runOnce(url: string, text: string, bind: readonly string[] = []): Promise<readonly string[]> {
  const pool = connect(url, { poolSize: 1, ...unhurried });
  try {
    const rows = await withConnection(pool, (connection) => connection.run({ text, bind }));
    return rows.map(([cell]) => cell ?? '');
  } finally {
    await pool.close();
  }
}

/** Filling and vacuuming take longer than a request may. */
export const unhurried = { statementTimeout: 0, lockTimeout: 0, idleInTransactionTimeout: 0, acquireTimeout: 60_000 } as const;
