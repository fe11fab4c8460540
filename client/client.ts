import type { Place } from './address.js';
import { join, placeOf } from './connect.js';
import type { AnySet, AnySingleton, OperationOf, Schema } from './model.js';
import { operationMethods, type Operation, type Operations } from './operations.js';
import type { ClientOptions, NumberForm } from './options.js';
import { setMethods, singletonMethods, type EntitySet, type Singleton } from './set.js';

/** A service: its entity sets, singletons and operation imports by name. */
export type Client<Sets> = {
  readonly [Name in keyof Sets]: Sets[Name] extends AnySet
    ? Methods<Sets[Name]>
    : Sets[Name] extends AnySingleton
      ? Singleton<Sets[Name]>
      : Sets[Name] extends OperationOf<infer Parameters, infer Result>
        ? Operation<Parameters, Result>
        : never;
};

// Few sets have operations.
type Methods<S extends AnySet> = object extends S['boundToSet'] ? EntitySet<S> : EntitySet<S> & Operations<S['boundToSet']>;

/** Creates the client of a service from its generated table. */
export function createClient<Sets, ExactSets = Sets, Form extends NumberForm | undefined = 'number'>(
  schema: Schema<Sets, ExactSets>,
  options: ClientOptions<Form>,
): Client<Form extends 'string' ? ExactSets : Sets> {
  const client = join(schema, options, methodsOf);
  return Object.assign(client, operationMethods(placeOf(client), schema.operations, '')) as never;
}

function methodsOf(place: Place, handle: object): object {
  const { path, row } = place;
  if (!row.key) return singletonMethods(place, handle);
  return { ...operationMethods(place, row.boundToSet, `${path}/`), ...setMethods(place, handle) };
}
