import { addressOf } from './address.js';
import { placeOf, type SetHandle } from './connect.js';
import type { AnySet } from './model.js';
import type { FindOptions, RequestOptions } from './options.js';
import { foundIn, pagePlan, pagesFrom, type Found, type Page } from './pages.js';
import { printQuery } from './print-query.js';
import type { CountQuery, Exact, Query, Result, Shape } from './query.js';
import { countPlan, getPlan } from './records.js';
import { pending, request } from './request.js';

/** The records of a query, for `for await`; pages are requested as they are needed. */
export function find<S extends AnySet, const Q extends Query<S['entity']>>(
  set: SetHandle<S>,
  query?: Q & Exact<Q>,
  options: FindOptions = {},
): Found<Result<S['entity'], Q>> {
  const place = placeOf(set);
  const first = pagePlan<Result<S['entity'], Q>>(place.path + printQuery(query as object), options);
  const found = foundIn(place, first, options);
  pending.set(found, { plan: first });
  return found;
}

/** The records of a query, page by page. */
export function pages<S extends AnySet, const Q extends Query<S['entity']>>(
  set: SetHandle<S>,
  query?: Q & Exact<Q>,
  options: FindOptions = {},
): AsyncGenerator<Page<Result<S['entity'], Q>>, void> {
  const place = placeOf(set);
  return pagesFrom(place, pagePlan(place.path + printQuery(query as object), options), options);
}

/** The record with the key. */
export function get<S extends AnySet, const Q extends Shape<S['entity']>>(
  set: SetHandle<S>,
  key: S['key'],
  query?: Q & Exact<Q>,
  options?: RequestOptions,
): Promise<Result<S['entity'], Q>> {
  const place = placeOf(set);
  return request(place, getPlan(addressOf(place, key), query as object, options));
}

/** The number of records of a query. */
export function count<S extends AnySet>(set: SetHandle<S>, query?: CountQuery<S['entity']>, options?: RequestOptions): Promise<number> {
  const place = placeOf(set);
  return request(place, countPlan(place.path, query as object, options));
}
