import type { Random } from '../../permission/random.js';

// oxfmt-ignore
// Names that mean something to whoever handles them: SQL and PostgreSQL, JavaScript, OData's syntax; letters of other
// scripts; names as long as they may be.
const awkward: readonly (readonly string[])[] = [
  ['select', 'from', 'order', 'group', 'user', 'table', 'check', 'default', 'primary', 'references', 'column', 'limit', 'offset', 'ctid', 'xmin', 'tableoid', 'oid', 'when', 'end', 'window', 'lateral', 'array', 'row', 'values', 'excluded', 'old', 'new', 't0', 'c0'],
  ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf', 'then', 'class', 'await', 'prototype', 'get', 'set', 'arguments', 'eval', 'undefined', 'NaN', 'toJSON', 'Object', 'Array', 'Map', 'Record', 'Promise', 'string', 'number', 'boolean', 'unknown', 'interface', 'type', 'enum', 'export', 'import', 'package', 'Partial', 'Field', 'EntityType', 'Sequelize', 'Model', 'container', 'entityTypes', 'index'],
  ['null', 'Null', 'true', 'True', 'false', 'INF', 'not', 'and', 'or', 'eq', 'ne', 'lt', 'has', 'in', 'mod', 'div', 'any', 'all', 'count', 'Count', 'value', 'id', 'length', 'contains', 'cast', 'isof', 'asc', 'desc', 'top', 'filter', 'search', 'expand', 'context', 'etag', 'it', 'this', 'root', 'with', 'as', 'min', 'max', 'sum', 'average', 'now', 'geo', 'duration', 'binary', 'date', 'time', 'year', 'concat', 'groupby', 'aggregate', 'rollup', 'case', 'skip', 'levels', 'ref', 'links', 'odata', 'delta', 'error', 'name', 'kind', 'url'],
  ['Größe', '名前', 'été', 'Ωmega', 'σ', 'İstanbul', 'ß', 'Имя', 'שם', '가격'],
  ['_', '__', '_x', '_1', 'A', 'a', 'a1', 'Id', 'ID', 'iD', 'Name', 'name', 'NAME'],
];

const ordinary: readonly string[] = [
  'Title',
  'City',
  'Street',
  'Amount',
  'Price',
  'Status',
  'Number',
  'Code',
  'Text',
  'Note',
  'Rate',
  'Size',
  'Weight',
  'Height',
  'Colour',
  'Rank',
  'Level',
  'Owner',
  'Parent',
  'Child',
  'Item',
  'Part',
  'Line',
  'Box',
  'Page',
  'Book',
  'Order',
  'Person',
  'Place',
  'Shop',
  'Offer',
  'Event',
  'Visit',
  'Tag',
  'Start',
  'End',
  'Area',
  'Share',
  'Total',
];

/** The longest name that CSDL allows. */
const longest = 128;

/** A name that none of the taken ones is, often an awkward one; now and then one that differs from a taken one in case only. */
export function newName(random: Random, taken: ReadonlySet<string>): string {
  for (let tries = 0; tries < 20; tries++) {
    const name = candidate(random, taken);
    if (!taken.has(name) && name.length <= longest) return name;
  }
  for (let number = taken.size; ; number++) if (!taken.has(`N${number}`)) return `N${number}`;
}

/** The same, and the name is taken from then on. */
export function takeName(random: Random, taken: Set<string>): string {
  const name = newName(random, taken);
  taken.add(name);
  return name;
}

function candidate(random: Random, taken: ReadonlySet<string>): string {
  if (random.chance(0.45)) return random.pick(ordinary);
  if (random.chance(0.75)) return random.pick(random.pick(awkward));
  if (taken.size > 0 && random.chance(0.6)) return otherCase(random.pick([...taken]));
  return random
    .pick(['L', 'Ä', 'long_'])
    .repeat(longest)
    .slice(0, random.pick([longest, longest - 1, 63, 64, 60]));
}

function otherCase(name: string): string {
  const other = name.replace(/\p{L}/u, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
  return [...other].length === [...name].length ? other : name;
}

/** Namespaces; some have many parts, and one is the beginning of another. */
export const namespaces: readonly string[] = [
  'Org',
  'Org.Shop',
  'Org.Shop.Parts',
  'a.b.c.d',
  'Null',
  'geo',
  'Straße.名',
  '_',
  'Self',
  'Sales.V1',
];

/** Aliases. */
export const aliases: readonly string[] = ['self', 'Shop', 'x', 'Alias', 'SELF', 'Straße', 'A1'];
