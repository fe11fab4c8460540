import { streamColumns, streamTable } from '../../runtime/edm/index.js';
import { quote } from '../../runtime/schema/identifier.js';
import { printConstraint, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Constraint, Index, Schema, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { parentColumn } from '../graph/relations/containment.js';
import { findColumnRenames, noRenames, refusedRename, type ColumnRenames } from './column-renames.js';
import { formerNames, inOrder, type FormerNames } from './former-names.js';
import { giveWay, waysGiven } from './give-way.js';
import { withColumnNames, withTableNames } from './map-names.js';
import { primaryKeyOf } from './primary-key.js';
import type { Decisions, Problem } from './step.js';

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
  const found = formerNames(wanted.tables, old.tables, ({ name }) => decidedNames(decisions.renamed, '', name));
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
      ...before.tables.flatMap((table) => giveWayTo(table, away.get(table.name))),
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
    ...taken.map(({ from, to }) =>
      refusedRename(
        from,
        undefined,
        `${from} cannot become ${to}, because another type had this name. Generate two migrations, with a name in between that no type has; or, if an earlier migration made this rename, remove Rules.RenamedFrom.`,
      ),
    ),
    ...twice.map(({ from, to }) =>
      refusedRename(from, undefined, `${from} cannot become ${to} and ${renames.get(from)}. Declare one of them.`),
    ),
  ];
}

function giveWayTo(table: Table, name: string | undefined): readonly string[] {
  return name === undefined ? [] : giveWay(table, name);
}

const sides = ['#source', '#target'] as const;

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

// The table with the type's plain name depends on the other entity sources; rows stay with theirs.
function movedTable({ name, place }: Table, old: Schema, wanted: Schema): readonly (readonly [string, string])[] {
  if (place === undefined || old.tables.some((table) => table.name === name)) return [];
  const before = old.tables.find(
    (table) =>
      table.place === place &&
      isOther(
        wanted.tables.find((other) => other.name === table.name),
        place,
      ),
  );
  return before === undefined ? [] : [[before.name, name]];
}

function isOther(table: Table | undefined, place: string): boolean {
  return table?.place !== place;
}

// Tables of pairs follow the tables that they join.
function movedPairs(
  pairs: Table,
  old: Schema,
  wanted: Schema,
  tables: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  if (old.tables.some(({ name }) => name === pairs.name)) return [];
  return [...tables].flatMap(([from, to]) => {
    const before = old.tables.find(({ name }) => name.startsWith(`#${from}_`) && pairs.name === `#${to}${name.slice(from.length + 1)}`);
    if (before === undefined || principalsOf(before, tables) !== principalsOf(pairs)) return [];
    const heir = wanted.tables.find(({ name }) => name === before.name);
    return heir === undefined || principalsOf(heir) !== principalsOf(before, tables) ? [[before.name, pairs.name] as const] : [];
  });
}

function principalsOf({ constraints }: Table, tables: ReadonlyMap<string, string> = new Map()): string {
  return JSON.stringify(
    constraints.flatMap((constraint) =>
      constraint.kind === 'foreign key' ? [[constraint.columns, tables.get(constraint.principal) ?? constraint.principal]] : [],
    ),
  );
}

// The columns of a stream's metadata are renamed with it.
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

function renamePrimaryKey(from: string, to: string, { tables }: Schema): readonly string[] {
  const isNumbered = tables.some(({ name, columns }) => name === to && columns.some(({ identity }) => identity));
  return isNumbered ? [`alter table ${quote(to)} rename constraint ${primaryKeyOf(from)} to ${primaryKeyOf(to)};`] : [];
}

function splitName(name: string): readonly [string, string] {
  const slash = name.indexOf('/');
  return [name.slice(0, slash), name.slice(slash + 1)];
}

// Indexes and constraints are named after their columns; after a rename they are renamed, not recreated.
function renameParts(schema: Schema, wanted: Schema): Pick<Renamed, 'schema' | 'statements'> {
  const statements: string[] = [];
  const tables = schema.tables.map((table) => {
    const target = wanted.tables.find(({ name }) => name === table.name);
    if (target === undefined) return table;
    const constraints = table.constraints.map((part) =>
      renamePart(part, table.constraints, target.constraints, ruleOf, (to) =>
        statements.push(`alter table ${quote(table.name)} rename constraint ${quote(part.name)} to ${quote(to)};`),
      ),
    );
    const indexes = table.indexes.map((part) =>
      renamePart(part, table.indexes, target.indexes, bodyOf, (to) =>
        statements.push(`alter index ${quote(part.name)} rename to ${quote(to)};`),
      ),
    );
    return { ...table, constraints, indexes };
  });
  return { schema: { ...schema, tables }, statements };
}

function renamePart<Part extends Constraint | Index>(
  part: Part,
  old: readonly Part[],
  wanted: readonly Part[],
  textOf: (part: Part) => string,
  onRename: (to: string) => void,
): Part {
  if (wanted.some(({ name }) => name === part.name)) return part;
  const match = wanted.find((other) => textOf(other) === textOf(part) && !old.some(({ name }) => name === other.name));
  if (match === undefined) return part;
  onRename(match.name);
  return { ...part, name: match.name };
}

/** The definition of a constraint, without its name. */
export function ruleOf(constraint: Constraint): string {
  return printConstraint({ ...constraint, name: '' });
}

/** The definition of an index, without its name. */
export function bodyOf(index: Index): string {
  return `${index.unique ? 'unique ' : ''}${printIndexBody(index)}`;
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
