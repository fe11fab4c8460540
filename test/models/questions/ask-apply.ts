import { type Json, printJson } from '../../../runtime/json/json.js';
import { query, read, recordsOf, type Subject } from './client.js';
import { compareOf, isOrdered, valueOf } from './compare.js';
import type { Place } from './places.js';
import type { Filled } from './records.js';

/** Names that no property has. */
const names = { count: 'Zz0', least: 'Zz1', most: 'Zz2', distinct: 'Zz3' } as const;

/** Groups a collection by a property, counts each group, and aggregates the property over all records. */
export async function askApply(subject: Subject, collection: Filled, place: Place): Promise<void> {
  if (!isOrdered(place.field)) return;
  await askGroups(subject, collection, place);
  await askAggregate(subject, collection, place);
}

async function askGroups(subject: Subject, { path, rows }: Filled, place: Place): Promise<void> {
  const address = `${path}${query({ $apply: `groupby((${place.name}),aggregate($count as ${names.count}))` })}`;
  const groups = recordsOf(await read(subject, address, { Prefer: 'maxpagesize=1000' }));
  const expected = new Map<string, number>();
  for (const row of rows) {
    const key = textOf(place, place.of(row));
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  const found = new Map(
    groups.map((group) => [textOf(place, groupedValue(group, place.path)), Number(printJson(group.members.get(names.count) ?? null))]),
  );
  const wrong = groups.length !== expected.size || [...expected].some(([key, count]) => found.get(key) !== count);
  if (wrong) throw new Error(`${decodeURIComponent(address)}: ${JSON.stringify([...found])} instead of ${JSON.stringify([...expected])}`);
}

// A path's value stands where the record has it; casts leave no trace.
function groupedValue(group: { readonly members: ReadonlyMap<string, Json> }, path: string): Json | undefined {
  let value: Json | undefined = { kind: 'object', members: group.members };
  for (const name of path.split('/').filter((segment) => !segment.includes('.') && segment !== '$it'))
    value = typeof value === 'object' && value !== null && value.kind === 'object' ? value.members.get(name) : undefined;
  return value;
}

function textOf({ field }: Place, json: Json | undefined): string {
  const value = valueOf(field, json);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? 'null';
}

async function askAggregate(subject: Subject, { path, rows }: Filled, place: Place): Promise<void> {
  const { field } = place;
  const isLeast = field.type !== 'Edm.Boolean' && field.enumeration === undefined;
  const methods = [
    ...(isLeast ? [`${place.name} with min as ${names.least}`, `${place.name} with max as ${names.most}`] : []),
    `${place.name} with countdistinct as ${names.distinct}`,
    '$count as Zz0',
  ];
  const address = `${path}${query({ $apply: `aggregate(${methods.join(',')})` })}`;
  const [found] = recordsOf(await read(subject, address));
  const values = rows
    .map(place.of)
    .filter((value) => value !== null && value !== undefined)
    .toSorted((left, right) => compareOf(field, left, right));
  const distinct = new Set(values.map((value) => textOf(place, value))).size;
  const fault = [
    ...(isLeast ? [[names.least, values[0]] as const, [names.most, values.at(-1)] as const] : [])
      .filter(([name, value]) => compareOf(field, found?.members.get(name), value) !== 0)
      .map(([name, value]) => `${name} is not ${printJson(value ?? null)}`),
    ...(printJson(found?.members.get(names.distinct) ?? null) === String(distinct) || (distinct === 0 && rows.length === 0)
      ? []
      : [`${names.distinct} is not ${distinct}`]),
  ];
  if (fault.length > 0) throw new Error(`${decodeURIComponent(address)}: ${printJson(found ?? null)}: ${fault.join(', ')}`);
}
