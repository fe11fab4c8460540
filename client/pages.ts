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
    [Symbol.asyncIterator]: () => recordsOf(pagesFrom(connection, first, options), options.limit ?? Infinity),
    async all() {
      const records: T[] = [];
      for await (const record of this) records.push(record);
      return records;
    },
  };
}

/** The page at an address. */
export function pagePlan<T>(address: string, { pageSize, signal, headers }: FindOptions, prefer?: string): Plan<Page<T>> {
  const size = pageSize && `odata.maxpagesize=${pageSize}`;
  return {
    method: 'GET',
    address,
    own: { ...((prefer || size) && { prefer: [prefer, size].filter(Boolean).join() }) },
    signal,
    headers,
    read: readPage<T>,
  };
}

function readPage<T>(received: Received): Page<T> {
  const count = control(received.body, 'count');
  return {
    records: (received.body as { readonly value: T[] }).value,
    count: count === undefined ? undefined : Number(count),
    next: linkIn(received, 'nextLink'),
    delta: linkIn(received, 'deltaLink'),
  };
}

/** Pages from a first one on. Leaving the loop aborts the request for the page ahead. */
export async function* pagesFrom<T>(connection: Connection, first: Plan<Page<T>>, options: FindOptions): AsyncGenerator<Page<T>, void> {
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, options.signal ?? leave.signal]);
  const request = (plan: Plan<Page<T>>): Promise<Page<T>> => execute(connection, { ...plan, signal });
  const following = (address: string): Promise<Page<T>> => request({ ...first, address });
  try {
    let page: Page<T> | undefined = await request(first);
    while (page !== undefined) {
      const { next }: Page<T> = page;
      const ahead: Promise<Page<T>> | undefined = next !== undefined && options.ahead !== false ? following(next) : undefined;
      // A failure is thrown when the page is wanted.
      ahead?.catch(() => undefined);
      yield page;
      page = next === undefined ? undefined : await (ahead ?? following(next));
    }
  } finally {
    leave.abort();
  }
}

async function* recordsOf<T>(pages: AsyncIterable<Page<T>>, limit: number): AsyncGenerator<T, void> {
  let left = limit;
  if (left <= 0) return;
  for await (const { records } of pages)
    for (const record of records) {
      yield record;
      if (--left <= 0) return;
    }
}
