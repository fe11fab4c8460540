import type { Place } from './address.js';
import type { AnySet, Schema, SetRow } from './model.js';
import type { ClientOptions } from './options.js';
import type { Connection } from './send.js';

declare const types: unique symbol;

/** An entity set of a service, for `find`, `batch` and the other functions. */
export interface SetHandle<S extends AnySet> {
  /** No value: carries the types. */
  readonly [types]?: S;
}

/** The entity sets of a service by name. */
export type Handles<Sets> = { readonly [Name in keyof Sets]: Sets[Name] extends AnySet ? SetHandle<Sets[Name]> : never };

/** A set with its connection. */
export interface Joined {
  readonly connection: Connection;
  readonly place: Place;
}

const joined = new WeakMap<object, Joined>();

/** The connection of a client or of one of its sets, with its place. */
export function joinedOf(client: object): Joined {
  const found = joined.get(client);
  if (!found) throw new TypeError('Neither a client nor one of its sets');
  return found;
}

/** Connects to a service without the methods of its sets, for functions such as `find` alone. */
export function connect<Sets>(schema: Schema<Sets>, options: ClientOptions): Handles<Sets> {
  return join(schema, options, () => ({})) as Handles<Sets>;
}

/** An object for the service, with one for each set that has the methods. */
export function join(schema: Schema<unknown>, options: ClientOptions, methods: (set: Joined, handle: object) => object): object {
  const connection = { root: String(options.baseUrl).replace(/\/*$/, '/'), schema, options };
  const handleOf = (path: string, row: SetRow, own: typeof methods): object => {
    const [handle, set] = [{}, { connection, place: { path, row } }];
    joined.set(handle, set);
    return Object.assign(handle, own(set, handle));
  };
  return handleOf('', {}, () => Object.fromEntries(Object.entries(schema.sets).map(([name, row]) => [name, handleOf(name, row, methods)])));
}
