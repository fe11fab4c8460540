import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../../config/config.js';
import { explainRefusal, redactedUrl } from '../../database/address.js';
import { connect, type ConnectOptions } from '../../database/connect.js';
import { ConnectionError } from '../../database/failures.js';
import type { ConnectionPool } from '../../database/pool.js';
import { examineServer, type ReachedServer } from './reached-server.js';
import { startEmbedded } from './start.js';

/** The database to open: the server at `databaseUrl`, or else the embedded one in `directory`. */
interface DatabaseOptions extends ConnectOptions {
  readonly databaseUrl?: string;
  readonly directory: string;
}

/** An open database. */
export interface Database {
  readonly pool: ConnectionPool;
  readonly url: string;
  /** Restrictions of the server, and of a pooler in front of it. */
  readonly reached: ReachedServer;
  /** Closes the connections, and detaches from the embedded server. */
  readonly stop: () => Promise<void>;
}

/** The error for a database that cannot be opened; the message is for the person who configured it. */
class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly exitCode = 1;
}

/** Milliseconds between two attempts. */
const pause = 250;

/** Opens the database, waiting up to a limit until it accepts connections; errors that waiting does not resolve are thrown at once. */
export async function openWhenUp(options: DatabaseOptions & { readonly startTimeout: number }): Promise<Database> {
  const longest = options.startTimeout;
  const given = performance.now() + longest;
  for (let isReported = false; ; isReported = true) {
    try {
      return await openDatabase(options);
    } catch (failure) {
      if (!mayComeUp(failure) || performance.now() + pause > given) throw failure;
      if (!isReported) process.stderr.write(`gable: ${failure.message}; waiting for it for up to ${longest} ms.\n`);
      await delay(pause);
    }
  }
}

// Invalid credentials, a missing database or privilege (PostgreSQL, appendix A), and a certificate that is not accepted
// (Node, "X509 certificate error codes"): waiting does not help.
const forGood = /^(28|3D|42|ERR_TLS_|CERT_|SELF_SIGNED_CERT_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

// PgBouncer gives the same failures the state of a protocol violation, and those of the server too before version 1.20.
const violation = '08P01';
const pooledForGood = /^(no such (database|user)|bouncer config error|SSL required)|authentication failed|does not exist$/;

function mayComeUp(failure: unknown): failure is DatabaseError {
  if (!(failure instanceof DatabaseError) || !(failure.cause instanceof ConnectionError)) return false;
  const { code, message } = failure.cause.original as NodeJS.ErrnoException;
  return code !== undefined && !forGood.test(code) && !(code === violation && pooledForGood.test(message));
}

/** Rejects a command that changes the database where that accepts no changes. */
export function requireWritable({ reached }: Database, command: string): void {
  if (!reached.isReadOnly) return;
  throw new ConfigError(`The database accepts no changes: it is a standby, or set to be read-only; run ${command} on its primary server.`);
}

/** Runs the work of a command on a database that is being opened, and closes it afterwards. */
export async function withDatabase<Result>(opened: Promise<Database>, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await opened;
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

/** Opens the database, and checks that it answers and which changes it permits. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  const server = databaseUrl === undefined ? await startEmbedded(options) : { url: databaseUrl, stop: async () => {} };
  const pool = connect(server.url, options);
  const stop = async (): Promise<void> => {
    await pool.close();
    await server.stop();
  };
  try {
    const reached = await examineServer(pool, () => connect(server.url, { ...options, poolSize: 2 }));
    return { pool, url: server.url, reached, stop };
  } catch (cause) {
    await stop();
    const reason = explainRefusal((cause as Error).message);
    throw new DatabaseError(`The database at ${redactedUrl(server.url)} cannot be used: ${reason}`, { cause });
  }
}
