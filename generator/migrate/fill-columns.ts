import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column } from '../../runtime/schema/schema.js';
import { isJsonArray } from './change-type.js';
import { requiredComputed } from './computed-columns.js';
import { databaseName } from '../graph/names/names.js';
import { firstParent } from './table-problems.js';
import { assignment, homesOf, isConvertible, type Home } from './moves.js';
import { linkedColumns } from './link-rows.js';
import { batched } from './row-steps.js';
import { fillOf, type Step } from './step.js';
import { exclusive, validate, type ColumnPair, type TableChange } from './table-change.js';

/** Whether null has become an empty collection, so that nothing needs to be filled. */
export function becomesCollection({ before, after }: ColumnPair): boolean {
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
