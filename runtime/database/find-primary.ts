import { ConnectionError, type Sequelize } from 'sequelize';
import type { ServerAddress } from './address.js';
import { giveUp } from './silent-server.js';

/** The part of Sequelize's connection manager that opens connections and checks them before use; its types declare none. */
interface ConnectionManager {
  connect(config: object): Promise<PrimaryClient>;
  validate(client: PrimaryClient): boolean;
}

interface PrimaryClient {
  readonly connection: object;
  readonly query: (query: object) => Promise<{ readonly rows: readonly (readonly unknown[])[] }>;
}

/** Milliseconds for a connection to one of several servers, fewer than a request waits for a connection. */
const patience = 1_000;

/**
 * Lets a pool connect to the one of several servers that accepts changes, as `target_session_attrs=read-write` of libpq,
 * or to the first that answers. The last one found is tried first. After a failover, connections to the former primary
 * are not lent any more.
 */
export function findPrimary(sequelize: Sequelize, servers: readonly ServerAddress[], anyWillDo: boolean): void {
  const manager = sequelize.connectionManager as unknown as ConnectionManager;
  const [connectTo, isValid] = [manager.connect.bind(manager), manager.validate.bind(manager)];
  const opened = new WeakMap<PrimaryClient, ServerAddress>();
  let order = servers;
  const open = async (config: object, server: ServerAddress): Promise<PrimaryClient> => {
    const { dialectOptions } = config as { readonly dialectOptions: object };
    const client = await connectTo({ ...config, ...server, dialectOptions: { ...dialectOptions, connectionTimeoutMillis: patience } });
    if (anyWillDo || (await acceptsChanges(client))) return client;
    giveUp(client);
    throw refusal(`${server.host}:${server.port} accepts no changes: it is a standby, or set to be read-only`, readOnlyState);
  };
  manager.validate = (client) => isValid(client) && opened.get(client) === order[0];
  manager.connect = async (config) => {
    const failures: ConnectionError[] = [];
    for (const server of order) {
      try {
        const client = await open(config, server);
        opened.set(client, server);
        order = [server, ...servers.filter((each) => each !== server)];
        return client;
      } catch (failure) {
        failures.push(failure as ConnectionError);
      }
    }
    const [first] = failures.map(({ original }) => (original as NodeJS.ErrnoException | undefined)?.code);
    throw refusal(failures.map(({ message }) => message).join('; '), first ?? 'ETIMEDOUT');
  };
}

const readOnlyState = '25006';

function refusal(message: string, code: string): ConnectionError {
  return new ConnectionError(Object.assign(new Error(message), { code }));
}

async function acceptsChanges(client: PrimaryClient): Promise<boolean> {
  try {
    const { rows } = await client.query({ text: "select current_setting('transaction_read_only')", rowMode: 'array' });
    return rows[0]?.[0] === 'off';
  } catch (failure) {
    giveUp(client);
    throw failure;
  }
}
