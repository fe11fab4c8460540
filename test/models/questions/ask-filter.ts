import type { Json } from '../../../runtime/json/json.js';
import { full, idOf, query, readAll, type Subject } from './client.js';
import { compareOf, isNotANumber, isOrdered, isSame, literalOf } from './compare.js';
import type { Place } from './places.js';
import type { Filled } from './records.js';

type Condition = readonly [text: string, holds: (value: Json | undefined) => boolean];

/** Filters by comparisons of a property with a stored value. */
export async function askFilter(subject: Subject, collection: Filled, place: Place): Promise<void> {
  const { container } = subject;
  const values = collection.rows.map(place.of).filter((value) => value !== null && value !== undefined);
  const [one, other] = values.length === 0 ? [] : [subject.random.pick(values), subject.random.pick(values)];
  const conditions = [
    ...aboutNull(place),
    ...(one === undefined || other === undefined ? [] : [...aboutOrder(place, one), ...aboutValues(place, one, other, container)]),
  ];
  for (const [text, holds] of conditions) {
    const expected = collection.rows.filter((row) => holds(place.of(row))).map((row) => idOf(subject, row));
    const address = `${collection.path}${query({ $filter: text })}`;
    const found = (await readAll(subject, address, full)).map((row) => idOf(subject, row));
    if (found.join('\n') !== expected.join('\n'))
      throw new Error(`${decodeURIComponent(address)}: ${found.join(' ')} instead of ${expected.join(' ')}`);
  }
}

function isNull(value: Json | undefined): boolean {
  return value === null || value === undefined;
}

function aboutNull({ name: path, field }: Place): readonly Condition[] {
  if (field.collection)
    return [
      [`${path}/$count eq 0`, (value) => countOf(value) === 0],
      [`${path}/$count ge 2`, (value) => countOf(value) >= 2],
      // Items without a type are counted only.
      ...(field.type === 'Edm.Untyped' ? [] : aboutAny(path)),
    ];
  return [
    [`${path} eq null`, isNull],
    [`${path} ne null`, (value) => !isNull(value)],
    [`not (null eq ${path})`, (value) => !isNull(value)],
  ];
}

function aboutAny(path: string): readonly Condition[] {
  return [
    [`${path}/any()`, (value) => countOf(value) > 0],
    [`not ${path}/any()`, (value) => !(countOf(value) > 0)],
  ];
}

// Null has no number.
function countOf(value: Json | undefined): number {
  return typeof value === 'object' && value !== null && value.kind === 'array' ? value.items.length : Number.NaN;
}

function aboutOrder({ name: path, field }: Place, one: Json): readonly Condition[] {
  if (!isOrdered(field)) return [];
  const literal = literalOf(field, one);
  const against = (value: Json | undefined): number =>
    isNull(value) || [value, one].some((side) => isNotANumber(field, side)) ? Number.NaN : compareOf(field, value, one);
  return [
    [`${path} lt ${literal}`, (value) => against(value) < 0],
    [`${literal} le ${path}`, (value) => against(value) >= 0],
    [`not (${path} gt ${literal})`, (value) => !(against(value) > 0)],
  ];
}

function aboutValues({ name: path, field }: Place, one: Json, other: Json, container: Subject['container']): readonly Condition[] {
  if (!isOrdered(field) && (field.type !== 'Edm.Binary' || field.collection)) return [];
  const is = (value: Json | undefined, wanted: Json): boolean =>
    !isNull(value) && !isNotANumber(field, wanted) && isSame(field, wanted, value, container);
  const [first, second] = [literalOf(field, one), literalOf(field, other)];
  return [
    [`${path} eq ${first}`, (value) => is(value, one)],
    [`${first} ne ${path}`, (value) => !is(value, one)],
    [`${path} in (${first},${second})`, (value) => is(value, one) || is(value, other)],
    [`${path} in (${first},null)`, (value) => is(value, one) || isNull(value)],
    ...(field.enumeration?.flags
      ? [[`${path} has ${first}`, (value: Json | undefined) => !isNull(value) && hasFlags(field, value ?? null, one)] as const]
      : []),
    ...(field.type === 'Edm.Boolean'
      ? [
          [path, (value: Json | undefined) => value === true] as const,
          [`not ${path}`, (value: Json | undefined) => value === false] as const,
        ]
      : []),
  ];
}

function hasFlags(field: Place['field'], value: Json, wanted: Json): boolean {
  const bits = (json: Json): bigint =>
    String(json)
      .split(',')
      .reduce((all, name) => all | BigInt(field.enumeration?.members.find(([member]) => member === name)?.[1] ?? 0), 0n);
  return (bits(value) & bits(wanted)) === bits(wanted);
}
