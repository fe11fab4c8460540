import { addressOf, type Keyed } from './address.js';
import { placeOf, type SetHandle } from './connect.js';
import type { AnySet } from './model.js';
import type { NavigationName, Structural, Target } from './names.js';
import type { RequestOptions } from './options.js';
import type { Exact, Result, Shape } from './query.js';
import { writePlan } from './records.js';
import { request } from './request.js';

/** A new record of a navigation property: as a create of the parent has it, without the references to existing ones. */
type New<S extends AnySet, N extends keyof S['entity']> = [S['create']] extends [never]
  ? Partial<Structural<Target<S['entity'][N]>>>
  : NewWithin<S['create'], N>;

type NewWithin<Create, N> = Create extends { readonly [Name in N & string]?: infer V }
  ? NonNullable<V> extends readonly (infer Item)[]
    ? Exclude<Item, { '@odata.id': string }>
    : never
  : never;

/** Creates a record along a navigation property of another one: `createRelated(api.Orders, 1, 'Lines', { Quantity: 2 })`. */
export function createRelated<
  S extends AnySet,
  N extends NavigationName<S['entity']> & keyof S['entity'],
  const Q extends Shape<Target<S['entity'][N]>>,
>(
  set: SetHandle<S>,
  parent: Keyed<S>,
  name: N,
  body: New<S, N>,
  options?: Q & Exact<Omit<Q, keyof RequestOptions>> & RequestOptions,
): Promise<Result<Target<S['entity'][N]>, Q>> {
  const place = placeOf(set);
  return request(place, writePlan(place, { method: 'POST', address: `${addressOf(place, parent)}/${name}`, body }, options as object));
}
