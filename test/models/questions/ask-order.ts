import { fieldOf } from '../../../runtime/edm/index.js';
import { type Json, type JsonObject, printJson } from '../../../runtime/json/json.js';
import { full, idOf, query, read, readAll, type Subject } from './client.js';
import { compareOf } from './compare.js';
import type { Place } from './places.js';
import type { Filled } from './records.js';

/** Sorts a collection by a property, both ways and in pages, and by the count of pages that there should be. */
export async function askOrder(subject: Subject, collection: Filled, { name, field, of }: Place): Promise<void> {
  for (const direction of ['asc', 'desc'] as const) {
    const sign = direction === 'asc' ? 1 : -1;
    const expected = collection.rows.toSorted(
      (left, right) => sign * (compareOf(field, of(left), of(right)) || compareKeys(collection, left, right)),
    );
    const top = subject.random.chance(0.3) ? undefined : subject.random.pick([2, 3]);
    const address = `${collection.path}${query({ $orderby: `${name}${direction === 'asc' && subject.random.chance(0.5) ? '' : ` ${direction}`}`, ...(top !== undefined && { $top: String(top) }) })}`;
    const found = await readAll(subject, address, {
      ...full,
      Prefer: `maxpagesize=${1 + subject.random.below(4)}`,
    });
    sameRecords(subject, decodeURIComponent(address), found, expected.slice(0, top), of);
  }
}

function compareKeys({ type }: Filled, left: JsonObject, right: JsonObject): number {
  for (const name of type.key) {
    const field = type.keyFields?.[name] ?? fieldOf(type, name);
    const compared = field ? compareOf(field, left.members.get(name), right.members.get(name)) : 0;
    if (compared !== 0) return compared;
  }
  return 0;
}

function sameRecords(
  subject: Subject,
  request: string,
  found: readonly JsonObject[],
  expected: readonly JsonObject[],
  of: (row: JsonObject) => Json | undefined,
): void {
  const [shown, wanted] = [found, expected].map((rows) => rows.map((row) => idOf(subject, row)));
  if (shown?.join('\n') === wanted?.join('\n')) return;
  const told = (rows: readonly JsonObject[]): string => rows.map((row) => printJson(of(row) ?? null)).join(' ');
  throw new Error(`${request}: ${told(found)} instead of ${told(expected)}\n      ${shown?.join(' ')}\n      ${wanted?.join(' ')}`);
}

/** Counts a collection, in an answer, by itself, and page by page. */
export async function askCount(subject: Subject, { path, rows }: Filled): Promise<void> {
  const counted = await read(subject, `${path}?$count=true&$top=0`);
  const count = counted.members.get('@odata.count');
  if (printJson(count ?? null) !== String(rows.length))
    throw new Error(`${path}?$count=true says ${printJson(count ?? null)} of ${rows.length} records.`);
  const paged = await readAll(subject, path, { ...full, Prefer: 'maxpagesize=2' });
  sameRecords(subject, `${path} in pages of 2`, paged, rows, () => null);
}
