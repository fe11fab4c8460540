import type { EventEmitter } from 'node:events';
import type { Sequelize } from 'sequelize';
import { giveUp } from './silent-server.js';

/** Milliseconds for a connection to be made and its session to be set up, and for it to be ended. */
const patience = { ready: 5_000, end: 1_000 };

/** What clients of the driver have, as far as it matters here. */
interface DriverClient extends EventEmitter {
  readonly connection: object;
  end(done?: () => void): Promise<void> | undefined;
}

type ClientClass = new (options: object) => DriverClient;

const settingUp = new WeakMap<object, NodeJS.Timeout>();

/**
 * Has every client of these connections watched from the moment it exists. Sequelize listens to errors a tick after
 * the session is there, and a server that dies in between says so in the packet that completes the session: an error
 * event that nobody listens to ends the process. It limits neither what it asks a new session nor its end, so that a
 * server that falls silent there would keep a place of the pool for good.
 */
export function watchClients(sequelize: Sequelize): void {
  // Not in the declaration; it is the driver, of which Sequelize makes its clients.
  const manager = sequelize.connectionManager as unknown as { lib: { readonly Client: ClientClass } };
  manager.lib = Object.create(manager.lib, { Client: { value: watched(manager.lib.Client) } }) as { readonly Client: ClientClass };
}

/** Says that a client's session is set up. */
export function markReady(client: object): void {
  clearTimeout(settingUp.get(client));
}

function watched(Client: ClientClass): ClientClass {
  return class extends Client {
    constructor(options: object) {
      super(options);
      // It knows itself that it is of no use any more, and its next statement fails.
      this.on('error', () => undefined);
      settingUp.set(this, limited(this, patience.ready));
    }

    override end(done?: () => void): Promise<void> | undefined {
      limited(this, patience.end);
      return super.end(done);
    }
  };
}

function limited(client: DriverClient, milliseconds: number): NodeJS.Timeout {
  const late = setTimeout(() => giveUp(client), milliseconds);
  client.once('end', () => clearTimeout(late));
  return late.unref();
}
