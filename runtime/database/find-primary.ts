import type { ServerAddress } from './address.js';
import { ConnectionError } from './failures.js';
import type { DatabaseClient } from './pool.js';
import { giveUp, isOpen } from './silent-server.js';

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
