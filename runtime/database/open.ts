import type { Sequelize } from 'sequelize';
import { connect, type ConnectOptions } from './connect.js';
import { shownUrl } from './connection-target.js';
import { startEmbedded } from './embedded/start.js';

/** Which database is opened: the server of `databaseUrl`, or else the embedded one in `directory`. */
export interface DatabaseOptions extends ConnectOptions {
  readonly databaseUrl?: string;
  readonly directory: string;
}

/** An open database. */
export interface Database {
  readonly sequelize: Sequelize;
  readonly url: string;
  /** Closes the connections, and lets go of the embedded server. */
  readonly stop: () => Promise<void>;
}

/** A database that cannot be opened; the message is for the person who configured it. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly exitCode = 1;
}

/** Opens the database and makes sure that it answers. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  const server = databaseUrl === undefined ? await startEmbedded(options) : { url: databaseUrl, stop: async () => {} };
  const sequelize = connect(server.url, options);
  const stop = async (): Promise<void> => {
    await sequelize.close();
    await server.stop();
  };
  try {
    await sequelize.authenticate();
  } catch (cause) {
    await stop();
    throw new DatabaseError(`The database at ${shownUrl(server.url)} cannot be used: ${(cause as Error).message}`, { cause });
  }
  return { sequelize, url: server.url, stop };
}
