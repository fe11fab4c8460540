import type { ClientConfig } from 'pg';
import { Pool } from 'sequelize-pool';
import { connectionTarget, type ServerAddress } from './address.js';
import { types } from './driver.js';
import { ConnectionError, isServerFull } from './failures.js';
import { adaptSession, type ConnectionPool, type DatabaseClient, type Session, sessionOf, type TypeParsers } from './pool.js';
import { giveUp, markReady, WatchedClient, isOpen } from './silent-server.js';
import { statementNames } from './statement-names.js';

/** The options of the connections; times in milliseconds, 0 for no limit. */
export interface ConnectOptions {
  readonly poolSize?: number;
  /** The time that a request waits for a connection of the pool. */
  readonly acquireTimeout?: number;
  readonly statementTimeout?: number;
  /** The time for reading a large page at the pace of its client. */
  readonly pageTimeout?: number;
  readonly lockTimeout?: number;
  readonly idleInTransactionTimeout?: number;
  /** Whether connections prepare named statements; poolers older than pgbouncer 1.21 do not support them. */
  readonly prepare?: boolean;
  /** Whether any of several hosts will do, since the service only reads. */
  readonly readOnly?: boolean;
  /** Reports that another of several hosts is the primary now. */
  readonly onPrimary?: (sentence: string) => void;
}

/** Milliseconds after which an unused connection is closed. */
const idleTimeout = 30_000;

/** Milliseconds for which a pool opens no connections after the server had none left. */
const fullFor = 5_000;

/** A lazy connection pool to a PostgreSQL server; of several hosts in the address, to the one that accepts changes. */
export function connect(url: string, options: ConnectOptions = {}): ConnectionPool {
  const { client: settings, servers } = connectionTarget(url);
  // Sequelize replaces the reading of cells for its own statements.
  const parsers: TypeParsers = { getTypeParser: types.getTypeParser as TypeParsers['getTypeParser'] };
  const source = findPrimary(servers, options, (server, patience) => openClient({ ...settings, ...server, ...patience, types: parsers }));
  const most = options.poolSize ?? 10;
  const factory: Factory = {
    create: async () => {
      const client = await source.open().catch((failure: unknown) => {
        if (isServerFull(failure)) keepToOpen(clients, factory, most);
        throw failure;
      });
      // The driver reports a lost connection that nobody uses.
      client.on('error', () => void clients.destroy(client));
      await setUpSession(client, sessionOf(pool).isShared ? undefined : commands.join(';'));
      return client;
    },
    destroy: (client) => (client as OpenClient).end(),
    validate: source.isValid,
    max: most,
    min: 0,
    acquireTimeoutMillis: options.acquireTimeout ?? 2_000,
    idleTimeoutMillis: idleTimeout,
  };
  const clients = new Pool(factory);
  const close = async (): Promise<void> => {
    await clients.drain();
    await clients.destroyAllNow();
  };
  const pool: ConnectionPool = { clients, inUse: new Set(), models: new Map(), parsers, close };
  const statementTimeout = options.statementTimeout ?? 5_000;
  const names = (options.prepare ?? true) ? statementNames() : undefined;
  const sessionWide = sessionSettings(statementTimeout, options);
  adaptSession(pool, { statementTimeout, pageTimeout: options.pageTimeout ?? 120_000, names, settings: sessionWide });
  const commands = Object.entries(sessionWide).map(([name, value]) => `SET ${name} TO '${value}'`);
  return pool;
}

type Factory = ConstructorParameters<typeof Pool<DatabaseClient>>[0];

// Requests then wait for the open connections, instead of asking the server for each.
function keepToOpen({ using, available }: Pool<DatabaseClient>, factory: Factory, most: number): void {
  factory.max = Math.max(1, using + available);
  setTimeout(() => (factory.max = most), fullFor).unref();
}

/** The driver's client, as statements use it and as the pool ends it. */
type OpenClient = DatabaseClient & Pick<WatchedClient, 'on' | 'end'>;

async function openClient(settings: ServerAddress & ClientConfig): Promise<OpenClient> {
  const client = new WatchedClient(settings);
  try {
    await client.connect();
  } catch (failure) {
    throw new ConnectionError(failure as Error);
  }
  // The driver's types lack members of the client.
  return client as unknown as OpenClient;
}

// Values travel as text in both directions, so their form must not depend on the server's configuration.
// SET, and not the start-up packet, because connection poolers refuse parameters they do not know there.
function sessionSettings(statementTimeout: number, options: ConnectOptions): Session['settings'] {
  return {
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'iso_8601',
    bytea_output: 'hex',
    extra_float_digits: 1,
    standard_conforming_strings: 'on',
    // Each statement then sees what others have committed before it, and waits for a row instead of failing.
    default_transaction_isolation: 'read committed',
    statement_timeout: statementTimeout,
    lock_timeout: options.lockTimeout ?? 2_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeout ?? 10_000,
    client_min_messages: 'warning',
    // Without statistics, recursive queries and large expansions look so expensive that a second of JIT compilation
    // precedes milliseconds of execution; limited pages gain nothing from it.
    jit: 'off',
  };
}

// A connection whose set-up failed is not in the pool yet, so it must be closed here.
async function setUpSession(client: DatabaseClient, settings: string | undefined): Promise<void> {
  try {
    // In the simple protocol, which accepts several statements.
    if (settings !== undefined) await client.query({ text: settings });
    markReady(client);
  } catch (error) {
    giveUp(client);
    throw error instanceof Error ? new ConnectionError(error) : error;
  }
}

/** Milliseconds for a connection to one of several servers, fewer than a request waits for a connection. */
const patience = 1_000;

/** Opens the connections of a pool, and checks which of them may be lent. */
interface ClientSource<Client extends DatabaseClient> {
  readonly open: () => Promise<Client>;
  readonly isValid: (client: DatabaseClient) => boolean;
}

/** Connects to a server, within a time if one is given. */
type OpenServer<Client extends DatabaseClient> = (server: ServerAddress, patience?: { connectionTimeoutMillis: number }) => Promise<Client>;

/** The requirement for one of several servers, and the callback about it. */
interface PrimaryOptions {
  /** Whether it need not accept changes, since the service only reads. */
  readonly readOnly?: boolean;
  /** Reports that another server than before was found, as after a failover. */
  readonly onPrimary?: (sentence: string) => void;
}

/**
 * Connects to the one of several servers that accepts changes, as `target_session_attrs=read-write` of libpq, or to the
 * first that answers. The last one found is tried first, and a server of another cluster than the first one found is
 * refused. After a failover, connections to the former primary are not lent any more. A single server is taken as it is.
 */
export function findPrimary<Client extends DatabaseClient>(
  servers: readonly ServerAddress[],
  { readOnly, onPrimary }: PrimaryOptions,
  connectTo: OpenServer<Client>,
): ClientSource<Client> {
  const [only, ...others] = servers;
  if (only !== undefined && others.length === 0) return { open: () => connectTo(only), isValid: isOpen };
  const opened = new WeakMap<DatabaseClient, ServerAddress>();
  let current: ServerAddress | undefined;
  let cluster: string | undefined;
  const openOne = async (server: ServerAddress): Promise<Client> => {
    const client = await connectTo(server, { connectionTimeoutMillis: patience });
    if (readOnly) return client;
    const { acceptsChanges, found } = await stateOf(client);
    if (acceptsChanges && found === (cluster ??= found)) return client;
    giveUp(client);
    const reason = acceptsChanges
      ? 'belongs to another cluster than the server before it'
      : 'accepts no changes: it is a standby, or set to be read-only';
    throw refusal(`${nameOf(server)} ${reason}`, readOnlyState);
  };
  const open = async (): Promise<Client> => {
    const failures: ConnectionError[] = [];
    for (const server of new Set([...(current ? [current] : []), ...servers])) {
      try {
        const client = await openOne(server);
        opened.set(client, server);
        if (current !== undefined && current !== server)
          onPrimary?.(`Connections lead to ${nameOf(server)} now, not to ${nameOf(current)}.`);
        current = server;
        return client;
      } catch (failure) {
        failures.push(failure as ConnectionError);
      }
    }
    const [first] = failures.map(({ original }) => (original as NodeJS.ErrnoException | undefined)?.code);
    throw refusal(failures.map(({ message }) => message).join('; '), first ?? 'ETIMEDOUT');
  };
  return { open, isValid: (client) => isOpen(client) && opened.get(client) === current };
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

const readOnlyState = '25006';

function refusal(message: string, code: string): ConnectionError {
  return new ConnectionError(Object.assign(new Error(message), { code }));
}

const stateQuery = "select current_setting('transaction_read_only'), system_identifier::text from pg_control_system()";

async function stateOf(client: DatabaseClient): Promise<{ readonly acceptsChanges: boolean; readonly found: string | undefined }> {
  try {
    const { rows } = await client.query({ text: stateQuery, rowMode: 'array' });
    return { acceptsChanges: rows[0]?.[0] === 'off', found: rows[0]?.[1] ?? undefined };
  } catch (failure) {
    giveUp(client);
    throw failure;
  }
}
