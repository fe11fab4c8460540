import { addressOf, type Keyed, type Place } from './address.js';
import { mapped, type SetHandle } from './connect.js';
import type { AnySet, AnySingleton, ChangeName } from './model.js';
import type { ChangeOptions, FindOptions, RequestOptions } from './options.js';
import { count, find, get, pages } from './find.js';
import type { Found, Page } from './pages.js';
import type { CountQuery, Exact, Query, Result, Shape } from './query.js';
import { writePlan, type WriteOptions } from './records.js';
import { request } from './request.js';
import { operationMethods, type Operations } from './operations.js';

type Options<Q> = Q & Exact<Omit<Q, keyof ChangeOptions>>;

/** A record of a set whose model permits the change. */
type Changed<S extends AnySet, C extends ChangeName> = C extends S['changes'] ? Keyed<S> : never;

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
    record: Changed<S, 'replace'>,
    body: S['update'],
    options?: Options<Q> & ChangeOptions,
  ): Promise<Result<S['entity'], Q>>;
  delete(record: Changed<S, 'delete'>, options?: ChangeOptions): Promise<void>;
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
export function setMethods(place: Place, handle: object): object {
  const change =
    (method: 'PATCH' | 'PUT' | 'DELETE') =>
    (record: unknown, body: unknown, options?: WriteOptions): Promise<unknown> =>
      request(place, writePlan(place, { method, address: addressOf(place, record), record, body }, options));
  return {
    ...mapped({ find, pages, get, count }, (_, read) => (read as (...all: unknown[]) => unknown).bind(undefined, handle)),
    create: (body: unknown, options?: WriteOptions) =>
      request(place, writePlan(place, { method: 'POST', address: place.path, body }, options)),
    update: change('PATCH'),
    replace: change('PUT'),
    delete: (record: unknown, options?: ChangeOptions) => change('DELETE')(record, undefined, options),
    at: (record: unknown) => operationMethods(place, place.row.bound, `${addressOf(place, record)}/`, record),
  };
}

/** The methods of a singleton, without the types of its record: those of a set whose record has no key. */
export function singletonMethods(place: Place, handle: object): object {
  const { get, update, at } = setMethods(place, handle) as Record<'get' | 'update' | 'at', (...all: unknown[]) => unknown>;
  return { get: get.bind(undefined, undefined), update: update.bind(undefined, undefined), at };
}
