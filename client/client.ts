import type { Place } from './address.js';
import { join, placeOf } from './connect.js';
import type { AnySet, AnySingleton, OperationOf, Schema } from './model.js';
import { operationMethods, type Operation, type Operations } from './operations.js';
import type { ClientOptions } from './options.js';
import { setMethods, singletonMethods, type EntitySet, type Singleton } from './set.js';

/** A service: its entity sets, singletons and operation imports by name. */
export type Client<Sets> = {
  readonly [Name in keyof Sets]: Sets[Name] extends AnySet
    ? EntitySet<Sets[Name]> & Operations<Sets[Name]['boundToSet']>
    : Sets[Name] extends AnySingleton
      ? Singleton<Sets[Name]>
      : Sets[Name] extends OperationOf<infer Parameters, infer Result>
        ? Operation<Parameters, Result>
        : never;
};

/** Creates the client of a service from its generated table. */
export function createClient<Sets>(schema: Schema<Sets>, options: ClientOptions): Client<Sets> {
  const client = join(schema, options, methodsOf);
  return Object.assign(client, operationMethods(placeOf(client), schema.operations, '')) as Client<Sets>;
}

function methodsOf(place: Place, handle: object): object {
  const { path, row } = place;
  if (!row.key) return singletonMethods(place, handle);
  return { ...operationMethods(place, row.boundToSet, `${path}/`), ...setMethods(place, handle) };
}
