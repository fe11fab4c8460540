import { openColumn } from '../../runtime/edm/index.js';
import { literal, quote } from '../../runtime/schema/identifier.js';
import { printColumn, printColumnType } from '../../runtime/schema/print-schema.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';
import { addForeignKeys, addKeys, dropConstraints } from './diff-constraints.js';
import { addIndexes, dropDisturbedIndexes, dropOtherIndexes } from './diff-indexes.js';
import { databaseName } from '../graph/names.js';
import { dropStreams } from './drop-streams.js';
import { fillOf } from './find-problems.js';
import type { Decisions, Step } from './step.js';
import { exclusive, isRetyped, pairsOf, staleColumns, validate, type ColumnPair, type IsDisturbed, type TableChange } from './table-change.js';

/** The steps of one table: those that must come before any other table changes, its own, and those that need the others done. */
export interface TableDiff {
  readonly early: readonly Step[];
  readonly steps: readonly Step[];
  /** Foreign keys, which need the keys of other tables. */
  readonly late: readonly Step[];
}

/** Compares two tables of one name. */
export function diffTable(old: Table, wanted: Table, decisions: Decisions, isDisturbed: IsDisturbed): TableDiff {
  const change: TableChange = { table: quote(wanted.name), old, wanted, decisions, pairs: pairsOf(old, wanted), stale: staleColumns(old, wanted), isDisturbed };
  return {
    early: dropConstraints(change),
    steps: [
      ...dropDisturbedIndexes(change),
      ...changeColumns(change),
      ...widen(change),
      ...addIndexes(change),
      ...dropOtherIndexes(change),
      ...adoptDynamic(change),
      ...fillColumns(change),
      ...requireColumns(change),
      ...dropStreams(change),
      ...dropColumns(change),
      ...addKeys(change),
    ],
    late: addForeignKeys(change),
  };
}

function changeColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions, pairs } = change;
  const added = wanted.columns.filter((column) => column.generated === undefined && !old.columns.some(({ name }) => name === column.name));
  const goneRequired = old.columns.filter((column) => column.notNull && column.generated === undefined && !wanted.columns.some(({ name }) => name === column.name));
  const freed = pairs.filter(({ before, after }) => before.notNull && !after.notNull && after.generated === undefined);
  const statements = [
    // A service of the new model does not write them any more, before they are dropped at last.
    ...[...goneRequired.map(({ name }) => name), ...freed.map(({ after }) => after.name)].map((name) => `alter table ${table} alter column ${quote(name)} drop not null;`),
    ...pairs.filter((pair) => pair.before.default !== pair.after.default && !isRetyped(pair)).map(({ after }) => `alter table ${table} alter column ${quote(after.name)} ${setDefault(after)};`),
    ...added.flatMap((column) => addColumn(change, column, decisions)),
  ];
  return exclusive('expand', change, statements, false);
}

function setDefault({ default: value }: Column): string {
  return value === undefined ? 'drop default' : `set default ${value}`;
}

// A constant default is kept beside the rows, so that none is written (PostgreSQL 11 and later).
function addColumn({ table, wanted }: TableChange, column: Column, decisions: Decisions): readonly string[] {
  const fill = fillOf(wanted.name, column, decisions);
  if (!column.notNull || column.default !== undefined || fill === undefined) return [`alter table ${table} add column ${printColumn(column)};`];
  return [`alter table ${table} add column ${printColumn({ ...column, default: fill })};`, `alter table ${table} alter column ${quote(column.name)} drop default;`];
}

// Computed columns are dropped before what they read changes, and come last.
function widen(change: TableChange): readonly Step[] {
  const { table, old, wanted, pairs, stale } = change;
  const retyped = pairs.filter(isRetyped).map((pair) => ({ ...pair, how: changeType(pair.before, pair.after) }));
  const goneComputed = old.columns.filter((column) => column.generated !== undefined && (stale.has(column.name) || !wanted.columns.some(({ name }) => name === column.name)));
  const computed = wanted.columns.filter((column) => column.generated !== undefined && (stale.has(column.name) || !old.columns.some(({ name }) => name === column.name)));
  const statements = [
    ...goneComputed.map(({ name }) => `alter table ${table} drop column ${quote(name)};`),
    ...retyped.flatMap(({ before, after, how }) => (how === undefined ? remake(change, after) : retype(table, before, after, how.using))),
    ...computed.map((column) => `alter table ${table} add column ${printColumn(column)};`),
  ];
  const notes = retyped.flatMap(({ after, how }) => (how === undefined || how.why === '' ? [] : [`${quote(after.name)}: ${how.why}`]));
  return exclusive('expand', change, statements, computed.length > 0 || retyped.some(({ how }) => how?.effect !== 'free'), notes);
}

function remake(change: TableChange, column: Column): readonly string[] {
  return [`alter table ${change.table} drop column ${quote(column.name)};`, ...addColumn(change, column, change.decisions)];
}

function retype(table: string, before: Column, after: Column, using: string | undefined): readonly string[] {
  const column = quote(after.name);
  return [
    // A default has a type, too.
    ...(before.default === undefined ? [] : [`alter table ${table} alter column ${column} drop default;`]),
    `alter table ${table} alter column ${column} type ${printColumnType(after)}${using === undefined ? '' : ` using ${using}`};`,
    ...(after.default === undefined ? [] : [`alter table ${table} alter column ${column} set default ${after.default};`]),
    ...(becomesCollection({ before, after }) ? [`alter table ${table} alter column ${column} set not null;`] : []),
  ];
}

// What was null is an empty collection by then, so nothing is left to be filled.
function becomesCollection({ before, after }: ColumnPair): boolean {
  return !before.type.endsWith('[]') && after.type.endsWith('[]');
}

function required({ pairs }: TableChange): readonly ColumnPair[] {
  return pairs.filter((pair) => pair.after.notNull && !pair.before.notNull && pair.after.generated === undefined && !becomesCollection(pair));
}

// A property that an open type names from now on: what records had under its name becomes the column's.
function adoptDynamic({ table, old, wanted }: TableChange): readonly Step[] {
  const isOpen = [old, wanted].every(({ columns }) => columns.some(({ name }) => name === openColumn));
  const added = wanted.columns.filter(({ name, generated, type }) => isOpen && generated === undefined && type !== 'point' && !name.startsWith('#') && !old.columns.some((column) => column.name === name));
  return added.map((column): Step => {
    const [open, name] = [quote(openColumn), literal(column.name)];
    const rows = `update ${table} set ${quote(column.name)} = ${dynamicValue(column, open, name)}, ${open} = ${open} - ${name} where ${open} ? ${name} and "#id" > $1 and "#id" <= $2;`;
    return { phase: 'backfill', manner: { kind: 'batches', table: wanted.name }, statements: [rows], costs: ['locks of the rows of one batch at a time', `${quote(column.name)}: a value of another type under its name stops it`] };
  });
}

function dynamicValue({ type }: Column, open: string, name: string): string {
  if (type === 'jsonb') return `${open} -> ${name}`;
  if (type.endsWith('[]')) return `array(select jsonb_array_elements_text(${open} -> ${name}))::${type}`;
  // A written cast would cut a text that is too long.
  return /^(text|varchar)/.test(type) ? `${open} ->> ${name}` : `(${open} ->> ${name})::${type}`;
}

function fillColumns(change: TableChange): readonly Step[] {
  const { table, wanted, decisions } = change;
  return required(change).flatMap(({ after }): readonly Step[] => {
    const fill = fillOf(wanted.name, after, decisions);
    if (fill === undefined) return [];
    const column = quote(after.name);
    const rows = `update ${table} set ${column} = ${fill} where ${column} is null and "#id" > $1 and "#id" <= $2;`;
    return [{ phase: 'backfill', manner: { kind: 'batches', table: wanted.name }, statements: [rows], costs: ['locks of the rows of one batch at a time'] }];
  });
}

// A check that is valid already spares the scan under the lock (PostgreSQL 12 and later).
function requireColumns(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  return required(change).flatMap(({ after }) => {
    const [column, check] = [quote(after.name), quote(databaseName(`${wanted.name}#${after.name}#filled`))];
    return [
      ...exclusive('contract', change, [`alter table ${table} add constraint ${check} check (${column} is not null) not valid;`], false),
      validate('contract', table, check),
      ...exclusive('contract', change, [`alter table ${table} alter column ${column} set not null;`, `alter table ${table} drop constraint ${check};`], false),
    ];
  });
}

function dropColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted } = change;
  const gone = old.columns.filter((column) => column.generated === undefined && !wanted.columns.some(({ name }) => name === column.name));
  return exclusive('contract', change, gone.map(({ name }) => `alter table ${table} drop column ${quote(name)};`), false).map((step) => ({ ...step, costs: [...step.costs, `drops ${gone.map(({ name }) => quote(name)).join(', ')}`] }));
}

