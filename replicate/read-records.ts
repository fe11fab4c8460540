import { pagePlan, pagesFrom, readPage, type Page } from '../client/pages.js';
import type { Received } from '../client/receive.js';
import type { Changed } from './changed-records.js';
import { keyOf, keyText, type Key, type ServiceRecord } from './key.js';
import type { SetCopy } from './set-copy.js';
import { keysFilter, recordsAddress } from './set-query.js';

/** The pages at an address and after it; the next one is requested while one is used. */
export function pagesAt<T = ServiceRecord>(copy: SetCopy, address: string, prefer?: string): AsyncGenerator<Page<T>, void> {
  const { pageSize, signal } = copy.options;
  return pagesFrom(copy.service, { ...pagePlan<T>(address, { pageSize, signal }, prefer), read: readList<T> }, { signal });
}

// A proxy may answer with a page of its own, which ends like a lost connection.
function readList<T>(received: Received): Page<T> {
  const page = readPage<T>(received);
  if (Array.isArray(page.records)) return page;
  throw new TypeError('no records', { cause: new Error(`GET ${received.url} was answered without a list of records`) });
}

// The length of a filter by which records are read; some services accept addresses of 2 048 characters only.
const longestFilter = 1_200;

/** Reads the records with the keys; those that the query does not find are removed. */
export async function readByKeys(copy: SetCopy, keys: readonly Key[]): Promise<Changed> {
  const { set } = copy;
  const records: ServiceRecord[] = [];
  for (const few of chunksOf(keys, (chunk) => encodeURIComponent(keysFilter(set, chunk)).length <= longestFilter))
    for await (const page of pagesAt(copy, recordsAddress(set, { filter: keysFilter(set, few) }))) records.push(...page.records);
  const found = new Set(records.map((record) => keyText(set, keyOf(set, record))));
  return { records, removed: keys.filter((key) => !found.has(keyText(set, key))) };
}

/** Reads and writes the records with the keys, many at a time and in order. */
export async function settleKeys(copy: SetCopy, keys: readonly Key[]): Promise<void> {
  const { pageSize } = copy.options;
  const texts = new Map(keys.map((key) => [keyText(copy.set, key), key]));
  const sorted = [...texts.keys()].sort().flatMap((text) => [texts.get(text) ?? []]);
  for (let first = 0; first < sorted.length; first += pageSize)
    await copy.save(await readByKeys(copy, sorted.slice(first, first + pageSize)), {});
}

function chunksOf(keys: readonly Key[], fits: (chunk: readonly Key[]) => boolean): readonly (readonly Key[])[] {
  const chunks: Key[][] = [];
  for (const key of keys) {
    const last = chunks.at(-1);
    if (last !== undefined && fits([...last, key])) last.push(key);
    else chunks.push([key]);
  }
  return chunks;
}
