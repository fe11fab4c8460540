import { ConflictError } from './errors.js';
import { etagOf, type RecordOrKey } from './address.js';
import type { ChangeOptions, RequestOptions } from './options.js';
import { printQuery, type AnyQuery } from './print-query.js';
import type { Received } from './receive.js';
import type { Plan } from './request.js';
import { execute, type Connection } from './send.js';

/** Options of a write, and of the record in its response. */
export type WriteOptions = AnyQuery & ChangeOptions;

/** Reads one record. */
export function getPlan<T>(address: string, query?: AnyQuery, options?: RequestOptions): Plan<T> {
  return { ...options, method: 'GET', address: address + printQuery(query), read: readRecord<T> };
}

/** A record keeps the ETag of its response. */
export function readRecord<T>({ body, headers }: Received): T {
  const etag = headers.get('etag');
  return etag && body && !etagOf(body) ? { ...(body as T), '@odata.etag': etag } : (body as T);
}

/** Counts records. */
export function countPlan(path: string, query?: AnyQuery, options?: RequestOptions): Plan<number> {
  return {
    ...options,
    method: 'GET',
    address: `${path}/$count${printQuery(query)}`,
    own: { accept: 'text/plain' },
    read: ({ body }) => Number(body),
  };
}

/** The address of a write, and the record if there is one. */
interface Written {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly address: string;
  readonly record?: RecordOrKey;
  readonly body?: unknown;
}

/** Creates, changes or deletes a record; where the service answers without the record, it is read. */
export function writePlan<T>(
  connection: Connection,
  { method, address, record, body }: Written,
  { select, expand, etag = etagOf(record), ...options }: WriteOptions = {},
): Plan<T> {
  const query = { select, expand };
  const current = (at = address): Promise<T> => execute(connection, getPlan(at, query));
  return {
    ...options,
    method,
    address: address + printQuery(query),
    body,
    // A DELETE has no body, and may not have this preference (Protocol 8.2.8.7).
    own: { prefer: (body && 'return=representation') as string, 'if-match': etag },
    read: (received) => (received.body || !body ? readRecord(received) : current(received.headers.get('location') ?? address)),
    errorOf: (failure) => (failure.status === 412 ? new ConflictError(failure, body, () => current()) : undefined),
  };
}
