import type { Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { qualifiedForm } from '../graph/names/distinct-names.js';
import { joinTableName } from '../graph/relations/join-by-number.js';
import { homesOf } from './moves.js';
import { typed } from './record-types.js';
import type { Decisions } from './step.js';
import { localName } from '../../runtime/edm/lookup.js';

/**
 * Decisions by the names of tables and columns: a type may be written with its namespace, and a navigation property or
 * stream without the # of its hidden column.
 */
export function withStoredNames(old: Schema, wanted: Schema, decisions: Decisions): Decisions {
  const { renamed, values, dropped, fills } = decisions;
  const stored = (path: string): string => storedPath(path, old, wanted);
  return {
    ...decisions,
    renamed: new Map([...renamed].map(([from, to]) => [stored(from), from.includes('/') ? newName(stored(from), to, from) : stored(to)])),
    values: new Set([...values].map(stored)),
    dropped: new Set([...dropped].map(stored)),
    fills: new Map([...fills].map(([path, value]) => [stored(path), value])),
  };
}

function storedPath(path: string, old: Schema, wanted: Schema): string {
  const [type = '', ...names] = path.split('/');
  const gone = old.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const tables = [...wanted.tables, ...gone];
  const owner = (
    tables.find((table) => isOf(table, type)) ?? (names.length === 0 ? undefined : sharedTable(type, [...wanted.tables, ...old.tables]))
  )?.name;
  if (owner === undefined || names.length === 0) return owner ?? path;
  const columns = [...wanted.tables, ...old.tables].filter(({ name }) => name === owner).flatMap((table) => homesOf(table));
  const name = names.join('/');
  // Of a many-to-many navigation property.
  const pairs = joinTableName({ name: owner, property: name, suffix: '' });
  if ([...wanted.tables, ...old.tables].some((table) => table.name === pairs)) return pairs;
  const hidden = [`#${name}`, `#${name}.stream`].map((each) => databaseName(each));
  const known = (each: string): boolean => columns.some(({ column }) => column.name === each && column.generated === undefined);
  return `${owner}/${known(name) ? name : (hidden.find(known) ?? name)}`;
}

// The table that has the records of a derived type, with those of others.
function sharedTable(type: string, tables: readonly Table[]): Table | undefined {
  const found = tables.filter((table) => typed(table)?.types?.some((name) => name === type || localName(name) === type));
  return found.every(({ name }) => name === found[0]?.name) ? found[0] : undefined;
}

// The namespace of a table that is gone is unknown.
function isOf({ name, type }: Table, written: string): boolean {
  if (name === written) return true;
  return type === undefined ? written.includes('.') && [qualifiedForm(written), localName(written)].includes(name) : type === written;
}

// The new name of a hidden column or table of pairs, with what surrounds its own name.
function newName(from: string, to: string, written: string): string {
  if (to.startsWith('#')) return to;
  const pairs = written.slice(written.indexOf('/') + 1);
  if (!from.includes('/') && from.endsWith(pairs)) return databaseName(`${from.slice(0, -pairs.length)}${to}`);
  const [, before, suffix = ''] = /^[^/]*\/(#(?:.*\/)?)[^/]*?(\.stream)?$/.exec(from) ?? [];
  return before === undefined ? to : databaseName(`${before}${to}${suffix}`);
}
