import { quote, literal } from '../../runtime/schema/identifier.js';
import { printColumn, printColumnType } from '../../runtime/schema/print-schema.js';
import type { Column } from '../../runtime/schema/schema.js';
import { changeType, isOfOtherFamily, isJsonArray } from './change-type.js';
import { addComputed, dropComputed, requiredComputed } from './computed-columns.js';
import { isConvertible, assignment, homesOf, type Home } from './moves.js';
import { fillOf, type Decisions, type Step, batched } from './step.js';
import { exclusive, isMissingIn, isRetyped, optional, type TableChange, validate, type ColumnPair } from './table-change.js';
import { databaseName } from '../graph/names/names.js';
import { firstParent } from './table-problems.js';
import { linkedColumns } from './link-rows.js';

/** Adds columns, and changes defaults and what may be null. */
export function changeColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions, pairs } = change;
  const [isNew, isGone] = [isMissingIn(old), isMissingIn(wanted)];
  const added = wanted.columns.filter((column) => column.generated === undefined && isNew(column));
  const goneRequired = old.columns.filter((column) => column.notNull && column.generated === undefined && isGone(column));
  const freed = pairs.filter(({ before, after }) => before.notNull && !after.notNull);
  const statements = [
    // A service of the new model no longer writes them, although they are dropped last.
    ...[...goneRequired.map(({ name }) => name), ...freed.map(({ after }) => after.name)].map(
      (name) => `alter table ${table} alter column ${quote(name)} drop not null;`,
    ),
    ...pairs
      .filter((pair) => pair.before.default !== pair.after.default && !isRetyped(pair))
      .map(({ after }) => `alter table ${table} alter column ${quote(after.name)} ${setDefault(after)};`),
    ...added.flatMap((column) => addColumn(change, column, decisions)),
  ];
  return exclusive('expand', change, statements);
}

function setDefault({ default: value }: Column): string {
  return value === undefined ? 'drop default' : `set default ${value}`;
}

// A constant default is stored in the catalogue, so that no row is rewritten (PostgreSQL 11 and later).
function addColumn(change: TableChange, column: Column, decisions: Decisions): readonly string[] {
  const { table, wanted } = change;
  // Its values arrive in a later step.
  if (column.default === undefined && (isMoved(change, column) || column.linkedBy !== undefined))
    return [`alter table ${table} add column ${printColumn(optional(column))};`];
  const fill = fillOf(wanted.name, column, decisions);
  if (!column.notNull || column.default !== undefined || fill === undefined)
    return [`alter table ${table} add column ${printColumn(column)};`];
  return [`alter table ${table} add column ${printColumn({ ...column, default: fill })};`];
}

/** Drops the defaults that filled new columns; until then rows of a service of the old model are filled, too. */
export function endFills(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions } = change;
  const [isMissing, again] = [isMissingIn(old), new Set(remade(change).map(({ name }) => name))];
  const isNew = (column: Column): boolean => isMissing(column) || again.has(column.name);
  const filled = wanted.columns.filter(
    (column) =>
      isNew(column) &&
      column.notNull &&
      column.default === undefined &&
      column.generated === undefined &&
      !isMoved(change, column) &&
      column.linkedBy === undefined &&
      fillOf(wanted.name, column, decisions) !== undefined,
  );
  const statements = filled.map(({ name }) => `alter table ${table} alter column ${quote(name)} drop default;`);
  return exclusive('contract', change, statements);
}

function isMoved({ moves }: TableChange, column: Column): boolean {
  return moves.some((move) => move.to.column === column && isConvertible(move));
}

function remade({ pairs }: TableChange): readonly Column[] {
  return pairs.filter((pair) => isRetyped(pair) && changeType(pair.before, pair.after) === undefined).map(({ after }) => after);
}

/** Changes types of columns. Generated columns are dropped before the columns that they read, and are added last. */
export function widen(change: TableChange): readonly Step[] {
  const { table, pairs } = change;
  const computed = addComputed(change);
  const retyped = pairs.filter(isRetyped).map((pair) => ({ ...pair, how: changeType(pair.before, pair.after) }));
  const statements = [
    ...dropComputed(change),
    ...retyped.flatMap(({ before, after, how }) => (how === undefined ? remake(change, after) : retype(table, before, after, how.using))),
    ...computed,
  ];
  const notes = retyped.flatMap(({ after, how }) => (how === undefined || how.why === '' ? [] : [`${quote(after.name)}: ${how.why}`]));
  const foreign = retyped.filter(({ before, after }) => isOfOtherFamily(before, after)).map(({ after }) => quote(after.name));
  if (foreign.length > 0) notes.push(`a service with the old model fails on ${foreign.join(', ')} from this step on`);
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
    // PostgreSQL recomputes generated columns without USING.
    `alter table ${table} alter column ${column} type ${printColumnType(after)}${using === undefined || after.generated !== undefined ? '' : ` using ${using}`};`,
    ...(after.default === undefined ? [] : [`alter table ${table} alter column ${column} set default ${after.default};`]),
    ...(becomesCollection({ before, after }) ? [`alter table ${table} alter column ${column} set not null;`] : []),
  ];
}

/** Whether null has become an empty collection, so that nothing needs to be filled. */
function becomesCollection({ before, after }: ColumnPair): boolean {
  return !isMany(before) && isMany(after);
}

function isMany(column: Column): boolean {
  return column.type.endsWith('[]') || isJsonArray(column);
}

function required({ old, wanted, pairs, moves }: TableChange): readonly Column[] {
  const stricter = pairs.filter((pair) => pair.after.notNull && !pair.before.notNull && !becomesCollection(pair)).map(({ after }) => after);
  const moved = moves.filter((move) => move.to.shared === undefined && isConvertible(move)).map(({ to }) => to.column);
  const given = [...moved, ...linkedColumns({ old, wanted })];
  return [...stricter, ...given.filter((column) => column.notNull && column.default === undefined), ...requiredComputed({ old, wanted })];
}

/** Fills null values of columns that become required. */
export function fillColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions } = change;
  const parent = firstParent(old, wanted);
  const filled = [...required(change), ...(parent === undefined ? [] : [parent])];
  return [...filled.map((column): Home => ({ column, shared: undefined })), ...requiredWithin(change)].flatMap((home): readonly Step[] => {
    const { column, shared } = home;
    const fill = fillOf(wanted.name, column, decisions);
    if (fill === undefined) return [];
    const [value, stored] =
      shared === undefined ? [fill, quote(column.name)] : [`${fill}::${column.type}`, `${quote(shared)} ->> ${literal(column.name)}`];
    const rows = `update ${table} set ${assignment(home, value)} where ${stored} is null`;
    const step = (phase: Step['phase']): Step => batched(phase, wanted.name, rows);
    // No constraint covers shared columns, and a service of the old model writes until the last phase.
    return shared === undefined ? [step('backfill')] : [step('backfill'), step('contract')];
  });
}

// Required properties in the shared column, which no constraint covers; missing collections are empty.
function requiredWithin({ old, wanted }: TableChange): readonly Home[] {
  const before = new Set(
    homesOf(old)
      .filter(({ column }) => column.notNull)
      .map(({ column }) => column.name),
  );
  const wasRequired = (name: string): boolean => before.has(name);
  return homesOf(wanted).filter(
    ({ column, shared }) => shared !== undefined && column.notNull && column.default === undefined && !wasRequired(column.name),
  );
}

/** Makes columns required; an existing valid check saves the scan under the lock (PostgreSQL 12 and later). */
export function requireColumns(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  return required(change).flatMap((after) => {
    const [column, check] = [quote(after.name), quote(databaseName(`${wanted.name}#${after.name}#filled`))];
    const statements = [`alter table ${table} alter column ${column} set not null;`, `alter table ${table} drop constraint ${check};`];
    return [
      ...exclusive('contract', change, [`alter table ${table} add constraint ${check} check (${column} is not null) not valid;`]),
      validate(table, check),
      ...exclusive('contract', change, statements),
    ];
  });
}
