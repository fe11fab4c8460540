import { literal, quote } from '../../runtime/schema/identifier.js';
import { printColumn, printColumnType } from '../../runtime/schema/print-schema.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { changeAllowed } from './allowed-values.js';
import { adoptDynamic } from './adopt-dynamic.js';
import { changeType, isJsonArray } from './change-type.js';
import { addComputed, dropComputed, requiredComputed, settleComputed } from './computed-columns.js';
import { checkItems } from './check-items.js';
import { checkValues } from './check-values.js';
import { addChecks, addForeignKeys, addKeys, dropConstraints } from './diff-constraints.js';
import { addIndexes, dropDisturbedIndexes, dropOtherIndexes } from './diff-indexes.js';
import { databaseName } from '../graph/names/names.js';
import { dropStreams } from './drop-streams.js';
import { fillOf, firstParent } from './find-problems.js';
import { changeValues } from './change-values.js';
import { assignment, copyMoves, homesOf, isConvertible, leaveMoves, movesOf, type Home } from './moves.js';
import { keyRows, linkedColumns, linkRows } from './link-rows.js';
import { emptyNeeds, fillNeeds } from './needed-numbers.js';
import { removeNullItems } from './null-items.js';
import { changeRecordTypes } from './record-types.js';
import type { Decisions, Step } from './step.js';
import { changeValueTypes } from './value-types.js';
import {
  exclusive,
  isMissingIn,
  isRetyped,
  pairsOf,
  staleColumns,
  validate,
  type ColumnPair,
  type IsDisturbed,
  type TableChange,
} from './table-change.js';

/** The steps of one table: before other tables change, its own, and after all others. */
interface TableDiff {
  readonly early: readonly Step[];
  readonly steps: readonly Step[];
  /** Foreign keys, which require the keys of other tables. */
  readonly late: readonly Step[];
  /** Dropped columns, once no row can stop the migration. */
  readonly last: readonly Step[];
}

/** Compares two tables with one name. */
export function diffTable(old: Table, wanted: Table, decisions: Decisions, isDisturbed: IsDisturbed): TableDiff {
  const change: TableChange = {
    table: quote(wanted.name),
    old,
    wanted,
    decisions,
    pairs: pairsOf(old, wanted),
    stale: staleColumns(old, wanted),
    moves: movesOf(old, wanted, decisions),
    isDisturbed,
  };
  return {
    early: dropConstraints(change),
    steps: ownSteps(change),
    late: addForeignKeys(change),
    last: dropColumns(change),
  };
}

function ownSteps(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions, moves } = change;
  const listed = changeAllowed(old, wanted, decisions);
  const checked = [...checkValues(old, wanted, decisions), ...checkItems(old, wanted, decisions)];
  return [
    ...[...checked, ...listed].filter(({ phase }) => phase === 'expand'),
    ...dropDisturbedIndexes(change),
    ...changeColumns(change),
    ...widen(change),
    ...copyMoves(table, wanted.name, moves),
    ...addIndexes(change),
    ...dropOtherIndexes(change),
    ...changeRecordTypes(old, wanted),
    ...changeValueTypes(old, wanted),
    ...changeValues(old, wanted, decisions),
    ...listed.filter(({ phase }) => phase !== 'expand'),
    ...checked.filter(({ phase }) => phase === 'contract'),
    ...removeNullItems(old, wanted),
    ...adoptDynamic(change),
    ...fillColumns(change),
    ...fillNeeds(old, wanted, decisions),
    ...emptyNeeds(old, wanted),
    ...linkRows(change),
    ...keyRows(change),
    ...settleComputed(change),
    ...requireColumns(change),
    ...endFills(change),
    ...addChecks(change),
    ...dropStreams(change),
    ...leaveMoves(table, wanted.name, change),
    ...addKeys(change),
  ];
}

function changeColumns(change: TableChange): readonly Step[] {
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
  return exclusive('expand', change, statements, false);
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

// Rows that a service of the old model writes meanwhile are filled, too.
function endFills(change: TableChange): readonly Step[] {
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
  return exclusive(
    'contract',
    change,
    filled.map(({ name }) => `alter table ${table} alter column ${quote(name)} drop default;`),
    false,
  );
}

function isMoved({ moves }: TableChange, column: Column): boolean {
  return moves.some((move) => move.to.column === column && isConvertible(move));
}

function remade({ pairs }: TableChange): readonly Column[] {
  return pairs.filter((pair) => isRetyped(pair) && changeType(pair.before, pair.after) === undefined).map(({ after }) => after);
}

function optional({ notNull: _notNull, ...column }: Column): Column {
  return column;
}

// Generated columns are dropped before the columns that they read change, and are added last.
function widen(change: TableChange): readonly Step[] {
  const { table, pairs } = change;
  const computed = addComputed(change);
  const retyped = pairs.filter(isRetyped).map((pair) => ({ ...pair, how: changeType(pair.before, pair.after) }));
  const statements = [
    ...dropComputed(change),
    ...retyped.flatMap(({ before, after, how }) => (how === undefined ? remake(change, after) : retype(table, before, after, how.using))),
    ...computed,
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
    // PostgreSQL recomputes generated columns without USING.
    `alter table ${table} alter column ${column} type ${printColumnType(after)}${using === undefined || after.generated !== undefined ? '' : ` using ${using}`};`,
    ...(after.default === undefined ? [] : [`alter table ${table} alter column ${column} set default ${after.default};`]),
    ...(becomesCollection({ before, after }) ? [`alter table ${table} alter column ${column} set not null;`] : []),
  ];
}

// Null has become an empty collection, so nothing needs to be filled.
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

function fillColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted, decisions } = change;
  const parent = firstParent(old, wanted);
  const filled = [...required(change), ...(parent === undefined ? [] : [parent])];
  return [...filled.map((column): Home => ({ column, shared: undefined })), ...requiredWithin(change)].flatMap((home): readonly Step[] => {
    const { column, shared } = home;
    const fill = fillOf(wanted.name, column, decisions);
    if (fill === undefined) return [];
    const [value, stored] =
      shared === undefined ? [fill, quote(column.name)] : [`${fill}::${column.type}`, `${quote(shared)} ->> ${literal(column.name)}`];
    const rows = `update ${table} set ${assignment(home, value)} where ${stored} is null and "#id" > $1 and "#id" <= $2;`;
    const step = (phase: Step['phase']): Step => ({
      phase,
      manner: { kind: 'batches', table: wanted.name },
      statements: [rows],
      costs: ['locks of the rows of one batch at a time'],
    });
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

// An existing valid check saves the scan under the lock (PostgreSQL 12 and later).
function requireColumns(change: TableChange): readonly Step[] {
  const { table, wanted } = change;
  return required(change).flatMap((after) => {
    const [column, check] = [quote(after.name), quote(databaseName(`${wanted.name}#${after.name}#filled`))];
    return [
      ...exclusive('contract', change, [`alter table ${table} add constraint ${check} check (${column} is not null) not valid;`], false),
      validate('contract', table, check),
      ...exclusive(
        'contract',
        change,
        [`alter table ${table} alter column ${column} set not null;`, `alter table ${table} drop constraint ${check};`],
        false,
      ),
    ];
  });
}

function dropColumns(change: TableChange): readonly Step[] {
  const { table, old, wanted } = change;
  const isGone = isMissingIn(wanted);
  const gone = old.columns.filter((column) => column.generated === undefined && isGone(column));
  return exclusive(
    'contract',
    change,
    gone.map(({ name }) => `alter table ${table} drop column ${quote(name)};`),
    false,
  ).map((step) => ({ ...step, costs: [...step.costs, `drops ${gone.map(({ name }) => quote(name)).join(', ')}`] }));
}
