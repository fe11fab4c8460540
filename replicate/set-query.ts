import { printTyped } from '../client/literal.js';
import type { CopiedSet } from './copied-set.js';
import type { Key } from './key.js';

/** The part of a set that is copied. */
export interface SetQuery {
  readonly select?: readonly string[];
  readonly filter?: string;
  readonly expand?: string;
}

/** The names that an `$expand` begins its items with. */
export function expandedNames(expand: string | undefined): readonly string[] {
  // Whatever stands in quotes or parentheses is an option of an item.
  let rest = expand?.replace(/'[^']*'/g, '') ?? '';
  while (/\([^()]*\)/.test(rest)) rest = rest.replace(/\([^()]*\)/g, '');
  return rest
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The address of a set's records, relative to the service root. */
export function recordsAddress({ name, query }: CopiedSet, { filter, orderby, count }: RecordOptions = {}): string {
  const both = [query.filter, filter].filter((each) => each !== undefined);
  return address(name, {
    $select: query.select?.join(),
    $expand: query.expand,
    $filter: both.length > 1 ? both.map((each) => `(${each})`).join(' and ') : both[0],
    $orderby: orderby,
    $count: count ? 'true' : undefined,
  });
}

/** The options that a read adds to the query of a set. */
export interface RecordOptions {
  readonly filter?: string;
  readonly orderby?: string;
  readonly count?: boolean;
}

/** The address of the keys of a set's records. */
export function keysAddress({ name, key, query }: CopiedSet): string {
  return address(name, { $select: namesOf(key), $filter: query.filter, $orderby: namesOf(key) });
}

/** An address with query options; those without a value are omitted. */
export function address(path: string, options: { readonly [name: string]: string | undefined }): string {
  const given = Object.entries(options).filter((each): each is [string, string] => each[1] !== undefined);
  return given.length === 0 ? path : `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** The filter of a few records by key. */
export function keysFilter({ key }: CopiedSet, keys: readonly Key[]): string {
  const one = (values: Key): string =>
    key.map(({ name, literal }, index) => `${name} eq ${printTyped(values[index], literal)}`).join(' and ');
  return keys.map((values) => (key.length > 1 ? `(${one(values)})` : one(values))).join(' or ');
}

/** The names of columns, separated by commas. */
export function namesOf(columns: CopiedSet['key']): string {
  return columns.map(({ name }) => name).join();
}
