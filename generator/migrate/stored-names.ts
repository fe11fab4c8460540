import type { Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { qualifiedForm } from '../graph/names/distinct-names.js';
import { homesOf } from './moves.js';
import { localName } from './record-types.js';
import type { Decisions } from './step.js';

/**
 * Decisions by the names of tables and columns: a type may be written with its namespace, and a navigation property or
 * stream without the # of its hidden column.
 */
export function withStoredNames(old: Schema, wanted: Schema, decisions: Decisions): Decisions {
  const { renamed, values, dropped, fills } = decisions;
  const stored = (path: string): string => storedPath(path, old, wanted);
  return {
    ...decisions,
    renamed: new Map([...renamed].map(([from, to]) => [stored(from), from.includes('/') ? newName(stored(from), to) : stored(to)])),
    values: new Set([...values].map(stored)),
    dropped: new Set([...dropped].map(stored)),
    fills: new Map([...fills].map(([path, value]) => [stored(path), value])),
  };
}

function storedPath(path: string, old: Schema, wanted: Schema): string {
  const [type = '', ...names] = path.split('/');
  const gone = old.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const owner = [...wanted.tables, ...gone].find((table) => isOf(table, type))?.name;
  if (owner === undefined || names.length === 0) return owner ?? path;
  const columns = [...wanted.tables, ...old.tables].filter(({ name }) => name === owner).flatMap((table) => homesOf(table));
  const name = names.join('/');
  const hidden = [`#${name}`, `#${name}.stream`].map((each) => databaseName(each));
  const known = (each: string): boolean => columns.some(({ column }) => column.name === each && column.generated === undefined);
  return `${owner}/${known(name) ? name : (hidden.find(known) ?? name)}`;
}

// The namespace of a table that is gone is unknown.
function isOf({ name, type }: Table, written: string): boolean {
  if (name === written) return true;
  return type === undefined ? written.includes('.') && [qualifiedForm(written), localName(written)].includes(name) : type === written;
}

// The new name of a hidden column, with what surrounds its own name.
function newName(from: string, to: string): string {
  const [, before, suffix = ''] = /^[^/]*\/(#(?:.*\/)?)[^/]*?(\.stream)?$/.exec(from) ?? [];
  return before === undefined || to.startsWith('#') ? to : databaseName(`${before}${to}${suffix}`);
}
