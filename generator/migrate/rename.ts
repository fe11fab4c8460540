import { streamTable, streamColumns } from '../../runtime/edm/index.js';
import { quote } from '../../runtime/schema/identifier.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { parentColumn } from '../graph/relations/containment.js';
import { findColumnRenames, noRenames, refusedRename, type ColumnRenames } from './column-renames.js';
import { formerNames, inOrder, type FormerNames } from './former-names.js';
import { withColumnNames, withTableNames } from './map-names.js';
import { sides } from './paired-relations.js';
import type { Decisions, Problem } from './step.js';
import { movedPairs, movedTable } from './moved-tables.js';
import { renameParts, primaryKeyOf, giveWay, waysGiven } from './rename-parts.js';
import { databaseName } from '../graph/names/names.js';

/** The old schema with the names of the new one, and the rename statements. */
interface Renamed {
  readonly schema: Schema;
  readonly statements: readonly string[];
  /** New names by old ones, of tables and of `table/column`. */
  readonly names: ReadonlyMap<string, string>;
  /** The decided renames, with the new names of tables. */
  readonly decided: Decisions['renamed'];
  /** The tables that were renamed, or have a renamed column. */
  readonly tables: readonly string[];
  /** Tables with a name that meant another property or type before. */
  readonly reused: ReadonlySet<string>;
  /** Tables and columns that made way for others with their names, and are to be dropped. */
  readonly gone: readonly string[];
  readonly problems: readonly Problem[];
}

/** Applies the renames of the model and of decisions, so that the remaining differences are more than names. */
export function applyRenames(before: Schema, wanted: Schema, decisions: Decisions): Renamed {
  const away = waysGiven(before, wanted, decisions);
  const old = withTableNames(before, away);
  const found = formerNames(wanted.tables, old.tables, ({ name }) => decidedNames(decisions.renamed, '', name), decisions.dropped);
  const stored = new Map([...found.renames, ...wanted.tables.flatMap((table) => movedTable(table, old, wanted))]);
  const tables = new Map([...wanted.tables.flatMap((table) => movedPairs(table, old, wanted, stored)), ...stored]);
  const withTables = withTableNames(old, tables);
  const swapped = wanted.tables.filter((table) => isSwapped(table, tables)).map(({ name }) => name);
  const decided = withNewTables(decisions.renamed, tables);
  const renamed = withPathColumns(withStreamFacts(decided), withTables);
  const changes = wanted.tables.flatMap((table) => renameColumns(table, withTables, { ...decisions, renamed }, tables));
  const columns = new Map([...changes.flatMap(columnPairs), ...swapped.flatMap(sidePairs)]);
  const parts = renameParts(withColumnNames(withTables, columns), wanted);
  return {
    schema: parts.schema,
    statements: [
      ...before.tables.flatMap((table) => (away.has(table.name) ? giveWay(table, away.get(table.name) ?? '') : [])),
      ...[...tables].flatMap(([from, to]) => [
        `alter table ${quote(from)} rename to ${quote(to)};`,
        ...renamePrimaryKey(from, to, withTables),
      ]),
      ...changes.filter(({ table }) => !swapped.includes(table)).flatMap(columnStatements),
      ...swapped.flatMap(swapSides),
      ...parts.statements,
    ],
    names: new Map([...tables, ...columns]),
    decided,
    gone: [...away.values(), ...changes.flatMap(({ table, gone }) => gone.map((column) => `${table}/${column}`))],
    tables: [...new Set([...away.values(), ...tables.values(), ...[...columns.keys()].map((from) => splitName(from)[0])])],
    reused: new Set([
      ...changes.filter(({ isReused }) => isReused).map(({ table }) => table),
      ...[...tables].filter(([from]) => wanted.tables.some(({ name }) => name === from)).map(([, to]) => to),
    ]),
    problems: [...tableClashes(found, old), ...changes.flatMap(({ problems }) => problems)],
  };
}

function decidedNames(renamed: Decisions['renamed'], prefix: string, name: string): readonly string[] {
  return [...renamed].flatMap(([from, to]) => (to === name && from.startsWith(prefix) ? [from.slice(prefix.length)] : []));
}

// The old name of a table means the same as its new one.
function withNewTables(renamed: Decisions['renamed'], tables: ReadonlyMap<string, string>): Decisions['renamed'] {
  const nameNow = (path: string): string => {
    const [table, rest] = splitName(path);
    return path.includes('/') ? `${tables.get(table) ?? table}/${rest}` : path;
  };
  return new Map([...renamed].map(([path, to]) => [nameNow(path), to]));
}

function renameColumns(table: Table, old: Schema, decisions: Decisions, tables: ReadonlyMap<string, string>): ColumnRenames {
  const former = old.tables.find(({ name }) => name === table.name);
  const decided = ({ name }: { readonly name: string }): readonly string[] => [
    ...decidedNames(decisions.renamed, `${table.name}/`, name),
    ...formerTableColumns(name, table, tables),
  ];
  return former === undefined ? noRenames(table.name) : findColumnRenames(former, table, decided, decisions);
}

function columnPairs({ table, renames }: ColumnRenames): readonly (readonly [string, string])[] {
  return [...renames].map(([from, to]) => [`${table}/${from}`, to] as const);
}

function sidePairs(table: string): readonly (readonly [string, string])[] {
  return sides.map((side, index) => [`${table}/${side}`, sides[1 - index] ?? side] as const);
}

function columnStatements({ table, renames }: ColumnRenames): readonly string[] {
  return inOrder(renames, '#renaming').map(([from, to]) => renameColumn(table, from, to));
}

// Exchanged tables would exchange the names of their keys, indexes and pairs, too.
function tableClashes({ renames, clashes }: FormerNames, { tables }: Schema): readonly Problem[] {
  const taken = [...renames].filter(([, to]) => tables.some(({ name }) => name === to)).map(([from, to]) => ({ from, to }));
  const twice = clashes.filter(({ why }) => why === 'twice');
  return [
    ...taken.map(({ from, to }) => refusedTable(from, `${to}, because another type had this name. ${inBetween}`)),
    ...twice.map(({ from, to }) => refusedTable(from, `${to} and ${renames.get(from)}. Declare one of them.`)),
  ];
}

const inBetween =
  'Generate two migrations, with a name in between that no type has; or, if an earlier migration made this rename, remove Rules.RenamedFrom.';

function refusedTable(from: string, why: string): Problem {
  return refusedRename(from, undefined, `${from} cannot become ${why}`);
}

// The side with the table's name depends on names; the pairs stay the same.
function isSwapped({ name, swappedFrom = [] }: Table, tables: ReadonlyMap<string, string>): boolean {
  return [...tables].some(([from, to]) => to === name && swappedFrom.includes(from));
}

function swapSides(table: string): readonly string[] {
  const [source, target] = sides;
  return [renameColumn(table, source, '#side'), renameColumn(table, target, source), renameColumn(table, '#side', target)];
}

function renameColumn(table: string, from: string, to: string): string {
  return `alter table ${quote(table)} rename column ${quote(from)} to ${quote(to)};`;
}

// Columns named after a table, of contained rows and of stream chunks, are renamed with it.
function formerTableColumns(column: string, { name: owner }: Table, tables: ReadonlyMap<string, string>): readonly string[] {
  const nameOf = (table: string): string => (owner === streamTable ? table : parentColumn(table));
  return [...tables].filter(([, to]) => nameOf(to) === column).map(([from]) => nameOf(from));
}

function renamePrimaryKey(from: string, to: string, { tables }: Schema): readonly string[] {
  const isNumbered = tables.some(({ name, columns }) => name === to && columns.some(({ identity }) => identity));
  return isNumbered ? [`alter table ${quote(to)} rename constraint ${primaryKeyOf(from)} to ${primaryKeyOf(to)};`] : [];
}

function splitName(name: string): readonly [string, string] {
  const slash = name.indexOf('/');
  return [name.slice(0, slash), name.slice(slash + 1)];
}

/** Decided renames, extended to the columns of a stream's metadata, which follow the stream. */
function withStreamFacts(renamed: Decisions['renamed']): Decisions['renamed'] {
  const ofStream = /^([^/]*\/)?(#.*)\.stream$/;
  const facts = [...renamed].flatMap(([from, to]) => {
    const [, table = '', before] = ofStream.exec(from) ?? [];
    const after = ofStream.exec(to)?.[2];
    if (before === undefined || after === undefined) return [];
    const [old, now] = [streamColumns({ column: before }), streamColumns({ column: after })];
    return (['type', 'length', 'etag'] as const).map((fact) => [`${table}${old[fact]}`, now[fact]] as const);
  });
  return new Map([...renamed, ...facts]);
}

/** Decided renames, extended to generated columns over complex members, which follow the names on their path. */
function withPathColumns(renamed: Decisions['renamed'], { tables }: Schema): Decisions['renamed'] {
  if (renamed.size === 0) return renamed;
  const columns = tables.flatMap((table) =>
    table.columns
      .filter(({ name, generated }) => generated !== undefined && name.includes('/'))
      .flatMap(({ name }) => {
        const now = nameNow(table.name, wholeName(table, name), renamed);
        return now === name ? [] : [[`${table.name}/${name}`, now] as const];
      }),
  );
  return new Map([...columns, ...renamed]);
}

// The name of a long path is shortened in a column.
function wholeName({ columns }: Table, name: string): string {
  const members = columns
    .flatMap((column) => [column, ...(column.holds ?? [])])
    .flatMap(({ name: root, within = [] }) => within.map(({ path }) => `#${root}/${path}`));
  return members.find((path) => databaseName(path) === name) ?? name;
}

// A member is named by its new column, and its old path.
function nameNow(table: string, column: string, renamed: Decisions['renamed']): string {
  const [first = '', ...members] = column.slice(1).split('/');
  const root = renamed.get(`${table}/${first}`) ?? first;
  const now = members.map((member, index) => renamed.get([table, root, ...members.slice(0, index + 1)].join('/')) ?? member);
  return databaseName(`#${[root, ...now].join('/')}`);
}
