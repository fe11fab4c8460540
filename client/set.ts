import { addressOf, type Place } from './address.js';
import type { SetHandle } from './connect.js';
import type { AnySet, AnySingleton } from './model.js';
import type { ChangeOptions, FindOptions, RequestOptions } from './options.js';
import { findIn, pagesIn, type Found, type Page } from './pages.js';
import type { AnyQuery } from './print-query.js';
import type { CountQuery, Exact, Query, Result, Shape } from './query.js';
import { countPlan, getPlan, writePlan, type WriteOptions } from './records.js';
import { request } from './request.js';
import { operationMethods, type Operations } from './operations.js';
import type { Connection } from './send.js';

type Keyed<S extends AnySet> = S['key'] | S['entity'] | Partial<S['entity']>;
type Options<Q> = Q & Exact<Omit<Q, keyof ChangeOptions>>;

/** An entity set. */
export interface EntitySet<S extends AnySet> extends SetHandle<S> {
  /** The records of a query, for `for await`; pages are requested as they are needed. */
  find<const Q extends Query<S['entity']>>(query?: Q & Exact<Q>, options?: FindOptions): Found<Result<S['entity'], Q>>;
  /** The same, page by page. */
  pages<const Q extends Query<S['entity']>>(
    query?: Q & Exact<Q>,
    options?: FindOptions,
  ): AsyncGenerator<Page<Result<S['entity'], Q>>, void>;
  /** The record with the key. */
  get<const Q extends Shape<S['entity']>>(key: S['key'], query?: Q & Exact<Q>, options?: RequestOptions): Promise<Result<S['entity'], Q>>;
  count(query?: CountQuery<S['entity']>, options?: RequestOptions): Promise<number>;
  /** Creates a record and returns it as the options select it. */
  create<const Q extends Shape<S['entity']>>(body: S['create'], options?: Options<Q> & RequestOptions): Promise<Result<S['entity'], Q>>;
  /** Changes properties of a record; with the record in place of its key, only if it is still as it was read. */
  update<const Q extends Shape<S['entity']>>(
    record: Keyed<S>,
    changes: S['update'],
    options?: Options<Q> & ChangeOptions,
  ): Promise<Result<S['entity'], Q>>;
  /** Replaces a record; omitted properties get their default values. */
  replace<const Q extends Shape<S['entity']>>(
    record: Keyed<S>,
    body: S['update'],
    options?: Options<Q> & ChangeOptions,
  ): Promise<Result<S['entity'], Q>>;
  delete(record: Keyed<S>, options?: ChangeOptions): Promise<void>;
  /** A record as the binding parameter of its operations. */
  at(record: Keyed<S>): Operations<S['bound']>;
}

/** A singleton. */
export interface Singleton<S extends AnySingleton> {
  get<const Q extends Shape<S['singleton']>>(query?: Q & Exact<Q>, options?: RequestOptions): Promise<Result<S['singleton'], Q>>;
  update<const Q extends Shape<S['singleton']>>(
    changes: S['update'],
    options?: Options<Q> & ChangeOptions,
  ): Promise<Result<S['singleton'], Q>>;
  /** Its operations. */
  at(): Operations<S['bound']>;
}

/** The methods of a set, without the types of its records. */
export function setMethods(connection: Connection, place: Place): object {
  const { path } = place;
  const change =
    (method: 'PATCH' | 'PUT') =>
    (record: unknown, body: unknown, options?: WriteOptions): Promise<unknown> =>
      request(connection, writePlan(connection, { method, address: addressOf(place, record), record, body }, options));
  return {
    find: (query?: AnyQuery, options?: FindOptions) => findIn(connection, path, query, options),
    pages: (query?: AnyQuery, options?: FindOptions) => pagesIn(connection, path, query, options),
    get: (key: unknown, query?: AnyQuery, options?: RequestOptions) => request(connection, getPlan(addressOf(place, key), query, options)),
    count: (query?: AnyQuery, options?: RequestOptions) => request(connection, countPlan(path, query, options)),
    create: (body: unknown, options?: WriteOptions) =>
      request(connection, writePlan(connection, { method: 'POST', address: path, body }, options)),
    update: change('PATCH'),
    replace: change('PUT'),
    delete: (record: unknown, options?: ChangeOptions) =>
      request(connection, writePlan(connection, { method: 'DELETE', address: addressOf(place, record), record }, options)),
    at: (record: unknown) => operationMethods(connection, place.row.bound, addressOf(place, record)),
  };
}

/** The methods of a singleton, without the types of its record. */
export function singletonMethods(connection: Connection, { path: address, row }: Place): object {
  return {
    get: (query?: AnyQuery, options?: RequestOptions) => request(connection, getPlan(address, query, options)),
    update: (body: unknown, options?: WriteOptions) =>
      request(connection, writePlan(connection, { method: 'PATCH', address, body }, options)),
    at: () => operationMethods(connection, row.bound, address),
  };
}
