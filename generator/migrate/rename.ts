import { streamColumns, streamTable } from '../../runtime/edm/index.js';
import { quote } from '../../runtime/schema/identifier.js';
import { printConstraint, printIndexBody } from '../../runtime/schema/print-schema.js';
import type { Column, Constraint, Index, Schema, Table } from '../../runtime/schema/schema.js';
import { parentColumn } from '../graph/relations/containment.js';
import { giveWay, waysGiven } from './give-way.js';
import { withColumnNames, withTableNames } from './map-names.js';
import { primaryKeyOf } from './primary-key.js';
import type { Decisions } from './step.js';
import { databaseName } from '../graph/names/names.js';

/** The old schema with the names of the new one, and the rename statements. */
interface Renamed {
  readonly schema: Schema;
  readonly statements: readonly string[];
  /** The tables that were renamed, or have a renamed column. */
  readonly tables: readonly string[];
  /** Tables that made way for another one with their name, and are to be dropped. */
  readonly gone: readonly string[];
}

/** Applies the renames of the model and of decisions, so that the remaining differences are more than names. */
export function applyRenames(before: Schema, wanted: Schema, decisions: Decisions): Renamed {
  const renamed = withStreamFacts(decisions.renamed);
  const away = waysGiven(before, wanted, decisions);
  const old = withTableNames(before, away);
  const stored = new Map([
    ...wanted.tables.flatMap((table) => formerName(table, old.tables, wanted.tables, renamed, '')),
    ...wanted.tables.flatMap((table) => movedTable(table, old, wanted)),
  ]);
  const tables = new Map([...wanted.tables.flatMap((table) => movedPairs(table, old, wanted, stored)), ...stored]);
  const withTables = withTableNames(old, tables);
  const swapped = wanted.tables.filter((table) => isSwapped(table, tables)).map(({ name }) => name);
  const names = { tables, swapped, renamed: withPathColumns(renamed, withTables) };
  const columns = new Map(wanted.tables.flatMap((table) => renamedColumns(table, withTables, names)));
  const parts = renameParts(withColumnNames(withTables, columns), wanted);
  return {
    schema: parts.schema,
    statements: [
      ...before.tables.flatMap((table) => giveWayTo(table, away.get(table.name))),
      ...[...tables].flatMap(([from, to]) => [
        `alter table ${quote(from)} rename to ${quote(to)};`,
        ...renamePrimaryKey(from, to, withTables),
      ]),
      ...[...columns].flatMap(([from, to]) => {
        const [table, column] = splitName(from);
        return swapped.includes(table) ? [] : [renameColumn(table, column, to)];
      }),
      ...swapped.flatMap(swapSides),
      ...parts.statements,
    ],
    gone: [...away.values()],
    tables: [...new Set([...away.values(), ...tables.values(), ...[...columns.keys()].map((from) => splitName(from)[0])])],
  };
}

// The renamed columns of a table, as `table/column` with the table's new name, and their new names.
function renamedColumns(
  table: Table,
  old: Schema,
  names: { readonly tables: ReadonlyMap<string, string>; readonly swapped: readonly string[]; readonly renamed: Decisions['renamed'] },
): readonly (readonly [string, string])[] {
  const former = old.tables.find(({ name }) => name === table.name);
  if (former === undefined) return [];
  const following = table.columns.map((column) => withFormerTable(column, table, names.tables));
  const own = following.flatMap((column) =>
    formerName(column, former.columns, table.columns, names.renamed, `${table.name}/`).map(
      ([from, to]) => [`${table.name}/${from}`, to] as const,
    ),
  );
  return names.swapped.includes(table.name)
    ? [...own, ...sides.map((side, index) => [`${table.name}/${side}`, sides[1 - index] ?? side] as const)]
    : own;
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
function withFormerTable(column: Column, { name: owner }: Table, tables: ReadonlyMap<string, string>): Column {
  const nameOf = (table: string): string => (owner === streamTable ? table : parentColumn(table));
  const former = [...tables].filter(([, to]) => nameOf(to) === column.name).map(([from]) => nameOf(from));
  return former.length === 0 ? column : { ...column, renamedFrom: former };
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

// A former name counts only where it existed and is now unused, so the annotation may stay for good.
function formerName(
  item: Renamable,
  old: readonly Renamable[],
  now: readonly Renamable[],
  renamed: Decisions['renamed'],
  prefix: string,
): readonly (readonly [string, string])[] {
  const former = formerNameOf(item, { old, now, renamed, prefix });
  return former === undefined ? [] : [[former, item.name]];
}

type Renamable = Pick<Table, 'name' | 'renamedFrom' | 'swappedFrom'>;

/** The former name of a table or column, if it existed. */
export function formerNameOf(
  item: Renamable,
  among: {
    readonly old: readonly Renamable[];
    readonly now: readonly Renamable[];
    readonly renamed: Decisions['renamed'];
    readonly prefix: string;
  },
): string | undefined {
  const { old, now, renamed, prefix } = among;
  const had = (name: string): boolean => old.some((other) => other.name === name);
  const has = (name: string): boolean => now.some((other) => other.name === name);
  const said = [...renamed].flatMap(([from, to]) => (to === item.name && from.startsWith(prefix) ? [from.slice(prefix.length)] : []));
  const candidates = [...(item.renamedFrom ?? []), ...said, ...(item.swappedFrom ?? [])];
  return candidates.length === 0 || had(item.name) ? undefined : candidates.find((former) => had(former) && !has(former));
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
