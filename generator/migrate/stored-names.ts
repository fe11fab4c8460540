import type { Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { qualifiedForm } from '../graph/names/distinct-names.js';
import { placesOf } from './complex-places.js';
import { joinTableName } from '../graph/relations/join-by-number.js';
import { homesOf } from './moves.js';
import { typed } from './record-types.js';
import { plainName } from './model-names.js';
import type { Decisions } from './step.js';
import { localName } from '../../runtime/edm/lookup.js';

/**
 * Decisions by the names of tables and columns: a type may be written with its namespace, and a navigation property or
 * stream without the # of its hidden column. A decision on a property is for the tables of all entity sources of the type,
 * and one of a complex type for all of its values.
 */
export function withStoredNames(old: Schema, wanted: Schema, decisions: Decisions): Decisions {
  const { renamed, values, dropped, fills } = decisions;
  const known: Known = { old, wanted, side: old, tables: [...old.tables, ...wanted.tables], renamed };
  const stored = (path: string): readonly string[] => storedPaths(path, known);
  // A value is for a property that is new; other decisions are on one that was there.
  const filled = (path: string): readonly string[] => storedPaths(path, { ...known, side: wanted, tables: known.tables.toReversed() });
  return {
    ...decisions,
    renamed: new Map(
      [...renamed].flatMap(([from, to]) =>
        stored(from).map((path) => [path, from.includes('/') ? newName(path, to, from, known) : (stored(to)[0] ?? to)] as const),
      ),
    ),
    values: new Set([...values].flatMap(stored)),
    dropped: new Set([...dropped].flatMap(stored)),
    fills: new Map([...fills].flatMap(([path, value]) => filled(path).map((one) => [one, value] as const))),
  };
}

/** Both schemas and the one that a decision is about, the tables as a property is looked up, and the renames as written. */
interface Known {
  readonly old: Schema;
  readonly wanted: Schema;
  readonly side: Schema;
  readonly tables: readonly Table[];
  readonly renamed: Decisions['renamed'];
}

function storedPaths(path: string, known: Known): readonly string[] {
  const [type = '', ...names] = path.split('/');
  const owners = ownersOf(type, known);
  if (names.length === 0) return [owners[0] ?? path];
  const name = names.join('/');
  const pairs = pairsOf([type, ...owners], name, known);
  if (pairs.length > 0) return pairs;
  const shared = owners.length > 0 ? undefined : sharedTable(type, known.tables)?.name;
  const values = owners.length > 0 || shared !== undefined ? [] : valuePaths(type, name, known);
  if (values.length > 0) return values;
  const homes = owners.length > 0 ? owners : [shared ?? type];
  const found = homes.flatMap((owner) => columnPath(owner, name, known) ?? []);
  return found.length > 0 ? found : [`${homes[0]}/${name}`];
}

// A member of a complex type, in each property that has it; where none does, the first one stands for it.
function valuePaths(type: string, name: string, known: Known): readonly string[] {
  const paths = placesOf(type, known.wanted.tables).flatMap((place) => storedPaths(`${place}/${name}`, known));
  const found = paths.filter((path) => isPresent(path, known));
  return found.length > 0 ? found : paths.slice(0, 1);
}

// Whether the schema that a decision is about has the member, in a column that may have another name now.
function isPresent(path: string, known: Known): boolean {
  const [owner = '', ...names] = path.split('/');
  const name = names.join('/');
  const tables = known.side.tables.filter((table) => [owner, ...formerNames(owner, known)].includes(table.name));
  return tables.some((table) =>
    homesOf(table).some(({ column }) => {
      const members = column.within?.map((member) => `${columnNow(owner, column.name, known)}/${member.path}`) ?? [];
      return column.name === name || members.some((member) => name === member || name.startsWith(`${member}/`));
    }),
  );
}

function columnNow(owner: string, name: string, { wanted, renamed }: Known): string {
  const homes = wanted.tables.flatMap((table) => (table.name === owner ? homesOf(table) : []));
  return renamed.get(`${owner}/${name}`) ?? homes.find(({ column }) => column.declaredFrom?.includes(name))?.column.name ?? name;
}

// A table that is gone is found without its namespace, and one that is not is found in the new schema.
function ownersOf(type: string, { old, wanted, tables }: Known): readonly string[] {
  const gone = old.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const exact = tables.filter(({ name }) => name === type);
  return [...new Set([...exact, ...[...wanted.tables, ...gone].filter((table) => isOf(table, type))].map(({ name }) => name))];
}

// A property of a table, by its column; members and values of a property are below it.
function columnPath(owner: string, name: string, known: Known): string | undefined {
  const names = [owner, ...formerNames(owner, known)];
  const tables = known.tables.filter((table) => names.includes(table.name));
  const [first = ''] = name.split('/');
  const candidates = [name, ...[`#${name}`, `#${name}.stream`].map((each) => databaseName(each)), first];
  const found = tables.flatMap((table) => {
    const columns = new Set(homesOf(table).flatMap(({ column }) => (column.generated === undefined ? [column.name] : [])));
    return candidates.find((each) => columns.has(each)) ?? [];
  })[0];
  return found === undefined ? undefined : `${owner}/${found === first ? name : found}`;
}

// The tables that became one of this name, by its entity source or by a decision.
function formerNames(name: string, { old, wanted, renamed }: Known): readonly string[] {
  const place = wanted.tables.find((table) => table.name === name)?.place;
  const before = old.tables.filter((table) => place !== undefined && table.place === place).map((table) => table.name);
  const decided = [...renamed].filter(([, to]) => to === name || to === plainName(name)).map(([from]) => from);
  return [...before, ...decided];
}

// The tables of pairs of a many-to-many navigation property, one for each two entity sources.
function pairsOf(owners: readonly string[], property: string, known: Known): readonly string[] {
  const types = [...owners, ...owners.flatMap((owner) => formerNames(owner, known))].map(plainName);
  const names = types.map((name) => joinTableName({ name, property, suffix: '' }));
  const isPairs = (table: string): boolean => names.some((name) => table === name || table.startsWith(`${name}@`));
  return [...new Set(known.tables.map(({ name }) => name).filter(isPairs))];
}

// The table that has the records of a derived type, with those of others.
function sharedTable(type: string, tables: readonly Table[]): Table | undefined {
  const found = tables.filter((table) => typed(table)?.types?.some((name) => name === type || localName(name) === type));
  return found.every(({ name }) => name === found[0]?.name) ? found[0] : undefined;
}

// The namespace of a table that is gone is unknown.
function isOf({ name, type }: Table, written: string): boolean {
  if (name === written || plainName(name) === written) return true;
  return type === undefined
    ? written.includes('.') && [qualifiedForm(written), localName(written)].includes(plainName(name))
    : type === written;
}

// The new name of a hidden column or table of pairs, with what surrounds its own name.
function newName(from: string, to: string, written: string, known: Known): string {
  if (to.startsWith('#')) return to;
  const property = written.slice(written.indexOf('/') + 1);
  if (!from.includes('/')) return newPairs(from, property, to, known);
  const [, before, suffix = ''] = /^[^/]*\/(#(?:.*\/)?)[^/]*?(\.stream)?$/.exec(from) ?? [];
  return before === undefined ? to : databaseName(`${before}${to}${suffix}`);
}

// The type that names a table of pairs may have another name, too.
function newPairs(from: string, property: string, to: string, { old, wanted }: Known): string {
  const [, start = '', suffix = ''] = new RegExp(`^(.*_)${escaped(property)}(@.*)?$`, 's').exec(from) ?? [];
  const own = databaseName(`${start}${to}${suffix}`);
  const fresh = wanted.tables.map(({ name }) => name).filter((name) => !old.tables.some((table) => table.name === name));
  const like = fresh.filter((name) => name.startsWith('#') && name.endsWith(`_${to}${suffix}`));
  return fresh.includes(own) || like.length !== 1 ? own : (like[0] ?? own);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
