import type { Element } from './element.js';
import type { Surface } from './surface.js';
import { localName } from '../../runtime/edm/lookup.js';

/** Former names, the oldest first, by the tables and `table/column` that migrations renamed. */
export type MigratedNames = ReadonlyMap<string, readonly string[]>;

const name = '"((?:[^"]|"")+)"';
const statement = new RegExp(`^alter table ${name} rename (?:column ${name} )?to ${name};$`, 'gm');

/** Reads the renames of migrations, in their order: those that an option decided are in no model. */
export function migratedNames(texts: Iterable<string>): MigratedNames {
  const names = new Map<string, readonly string[]>();
  for (const text of texts)
    for (const [, table = '', column, to = ''] of text.matchAll(statement)) {
      if (column === undefined) renameTable(names, unquoted(table), unquoted(to));
      else move(names, `${unquoted(table)}/${unquoted(column)}`, `${unquoted(table)}/${unquoted(to)}`, unquoted(column));
    }
  return names;
}

function renameTable(names: Map<string, readonly string[]>, from: string, to: string): void {
  for (const path of [...names.keys()].filter((one) => one.startsWith(`${from}/`))) move(names, path, `${to}${path.slice(from.length)}`);
  move(names, from, to, from);
}

function move(names: Map<string, readonly string[]>, from: string, to: string, former?: string): void {
  const before = names.get(from) ?? [];
  names.delete(from);
  names.set(to, former === undefined ? before : [...before, former]);
}

function unquoted(text: string): string {
  return text.replaceAll('""', '"');
}

/** The new model's elements, with the former names that migrations gave to types and properties which the old model lacks. */
export function withMigratedNames(now: Surface, old: Surface, names: MigratedNames): Surface {
  if (names.size === 0) return now;
  const found = new Map(now);
  // Types precede their properties.
  for (const element of now.values()) {
    const former = formerPath(element, found, old, names);
    if (former !== undefined) found.set(element.path, { ...element, renamedFrom: former });
  }
  return found;
}

function formerPath(element: Element, now: Surface, old: Surface, names: MigratedNames): string | undefined {
  const { kind, path, parent, name: own, renamedFrom } = element;
  if (renamedFrom !== undefined || old.has(path) || (kind !== 'EntityType' && kind !== 'Property')) return undefined;
  const prefix = path.slice(0, path.length - own.length);
  const type = parent ?? path;
  const key = [localName(type), ...(parent === undefined ? [] : [own])].join('/');
  const before = (parent === undefined ? undefined : now.get(parent)?.renamedFrom) ?? parent;
  const exists = (former: string): boolean => old.has(parent === undefined ? `${prefix}${former}` : `${before}/${former}`);
  const former = names.get(key)?.findLast(exists);
  return former === undefined ? undefined : `${prefix}${former}`;
}
