import type { FindOptions } from './options.js';
import { control, linkIn, type Received } from './receive.js';
import type { Plan } from './request.js';
import { execute, type Connection } from './send.js';

/** A page of records. */
export interface Page<T> {
  readonly records: T[];
  /** The number of all matching records, if the query asks for it. */
  readonly count: number | undefined;
  /** The address of the next page. */
  readonly next: string | undefined;
  /** The address of later changes, on the last page of a service that tracks them. */
  readonly delta: string | undefined;
}

/** The records of a query; each loop over them sends it anew. */
export interface Found<T> extends AsyncIterable<T> {
  /** All records, or those up to the limit. */
  all(): Promise<T[]>;
}

/** The records of pages from a first one on. */
export function foundIn<T>(connection: Connection, first: Plan<Page<T>>, options: FindOptions): Found<T> {
  return {
    async *[Symbol.asyncIterator]() {
      let left = options.limit ?? Infinity;
      for await (const { records } of pagesFrom(connection, first, options)) {
        yield* records.slice(0, left);
        left -= records.length;
      }
    },
    async all() {
      const records: T[] = [];
      for await (const record of this) records.push(record);
      return records;
    },
  };
}

/** The page at an address. */
export function pagePlan<T>(address: string, { pageSize, signal, headers }: FindOptions, prefer?: string): Plan<Page<T>> {
  const own = { prefer: [prefer, pageSize && `odata.maxpagesize=${pageSize}`].filter(Boolean).join() };
  return { method: 'GET', address, own, signal, headers, read: readPage<T> };
}

/** Reads a page, or the result of an operation, whose `records` are then no list where it is one value. */
export function readPage<T>(received: Received): Page<T> {
  const count = control(received.body, 'count') as string | number | undefined;
  return {
    records: (received.body as { readonly value: T[] }).value,
    count: (count && +count) as number | undefined,
    next: linkIn(received, 'nextLink'),
    delta: linkIn(received, 'deltaLink'),
  };
}

/** Pages from a first one on, up to the one that reaches the limit. Leaving the loop aborts the request for the page ahead. */
export async function* pagesFrom<T>(connection: Connection, first: Plan<Page<T>>, options: FindOptions): AsyncGenerator<Page<T>, void> {
  const leave = new AbortController();
  const { signal } = options;
  signal?.throwIfAborted();
  // Not AbortSignal.any, of which Node 20 keeps something at a signal that lives on.
  signal?.addEventListener('abort', () => leave.abort(signal.reason), leave);
  const read = (address: string): Promise<Page<T>> => execute(connection, { ...first, address, signal: leave.signal });
  let left = options.limit ?? Infinity;
  let next = left > 0 ? first.address : undefined;
  let ahead: Promise<Page<T>> | undefined;
  try {
    while (next) {
      const page: Page<T> = await (ahead ?? read(next));
      left -= page.records.length;
      next = left > 0 ? page.next : undefined;
      ahead = next && options.ahead !== false ? read(next) : undefined;
      // A failure is thrown when the page is wanted.
      ahead?.catch(() => undefined);
      yield page;
    }
  } finally {
    leave.abort();
  }
}
