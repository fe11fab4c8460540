import type { EventEmitter } from 'node:events';
import type { Sequelize } from 'sequelize';
import { giveUp } from './silent-server.js';

/** Time limits in milliseconds for connecting with session set-up, and for closing. */
const patience = { ready: 5_000, end: 1_000 };

/** The used part of the driver's client. */
interface DriverClient extends EventEmitter {
  readonly connection: object;
  end(done?: () => void): Promise<void> | undefined;
}

type ClientClass = new (options: object) => DriverClient;

const settingUp = new WeakMap<object, NodeJS.Timeout>();

/**
 * Adds an error listener to every client from its creation, and limits its set-up and end. Sequelize adds its listener
 * a tick after the session is ready, and the error of a server that dies meanwhile would end the process. It also sets
 * no limits, so that a silent server would occupy the pool for good.
 */
export function watchClients(sequelize: Sequelize): void {
  // Not declared in Sequelize's types; it is the driver, from which Sequelize creates clients.
  const manager = sequelize.connectionManager as unknown as { lib: { readonly Client: ClientClass } };
  manager.lib = Object.create(manager.lib, { Client: { value: watched(manager.lib.Client) } }) as { readonly Client: ClientClass };
}

/** Marks the session of a client as ready. */
export function markReady(client: object): void {
  clearTimeout(settingUp.get(client));
}

function watched(Client: ClientClass): ClientClass {
  return class extends Client {
    constructor(options: object) {
      super(options);
      // The client records the error, and its next statement fails.
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
