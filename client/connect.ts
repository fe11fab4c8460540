import type { Place } from './address.js';
import type { AnySet, Schema, SetRow } from './model.js';
import type { ClientOptions, NumberForm } from './options.js';

declare const types: unique symbol;

/** An entity set of a service, for `find`, `batch` and the other functions. */
export interface SetHandle<S extends AnySet> {
  /** No value: carries the types. */
  readonly [types]?: S;
}

/** The entity sets of a service by name. */
export type Handles<Sets> = { readonly [Name in keyof Sets]: Sets[Name] extends AnySet ? SetHandle<Sets[Name]> : never };

const places = new WeakMap<object, Place>();

/** The place behind a client or one of its sets. */
export function placeOf(client: object): Place {
  const found = places.get(client);
  if (!found) throw new TypeError('No client or set');
  return found;
}

/** Connects to a service without the methods of its sets, for functions such as `find` alone. */
export function connect<Sets, ExactSets = Sets, Form extends NumberForm | undefined = 'number'>(
  schema: Schema<Sets, ExactSets>,
  options: ClientOptions<Form>,
): Handles<Form extends 'string' ? ExactSets : Sets> {
  return join(schema, options, () => ({})) as never;
}

/** An object for the service, with one for each set that has the methods. */
export function join(
  schema: Schema<unknown>,
  options: ClientOptions<NumberForm | undefined>,
  methods: (place: Place, handle: object) => object,
): object {
  // Of a page, as its own links.
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const root = new URL(String(options.baseUrl).replace(/\/*$/, '/'), location?.href).href;
  const last = {};
  const handleOf = (path: string, row: SetRow, own: typeof methods): object => {
    const handle = {};
    const place = { root, schema, options, last, path, row };
    places.set(handle, place);
    return Object.assign(handle, own(place, handle));
  };
  return handleOf('', {}, () => mapped(schema.sets, (name, row) => handleOf(name, row, methods)));
}

/** An object with other values under the same names. */
export function mapped<V>(values: { readonly [name: string]: V } | undefined, make: (name: string, value: V) => unknown): object {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, make(name, value)]));
}
