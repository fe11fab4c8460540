import { streamTable } from '../../runtime/edm/index.js';
import { editDistance } from '../../runtime/errors/suggest.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';
import type { Decisions, Problem } from './step.js';

/** What a migration from one schema to another must not do unasked; both have the same names by now. */
export function findProblems(old: Schema, wanted: Schema, decisions: Decisions): readonly Problem[] {
  const gone = old.tables.filter(({ name }) => !wanted.tables.some((table) => table.name === name));
  const fresh = wanted.tables.filter(({ name }) => !old.tables.some((table) => table.name === name));
  return [
    ...gone.flatMap((table) => goneTable(table, fresh, decisions)),
    ...wanted.tables.flatMap((table) => {
      const before = old.tables.find(({ name }) => name === table.name);
      return before === undefined ? [] : tableProblems(before, table, decisions);
    }),
  ];
}

function goneTable(table: Table, fresh: readonly Table[], { allowLossy, dropped }: Decisions): readonly Problem[] {
  // What is lost of the chunks of streams is told at the streams.
  if (dropped.has(table.name) || table.name === streamTable) return [];
  const columns = new Set(table.columns.map(({ name }) => name));
  const like = fresh.find((other) => other.columns.filter(({ name }) => columns.has(name)).length * 2 > columns.size);
  if (like !== undefined) {
    const advice = `If it was renamed, write Rules.RenamedFrom or --renamed ${table.name}=${like.name}; if not, --dropped ${table.name}.`;
    return [{ kind: 'rename', table: table.name, column: undefined, candidate: like.name, message: `${table.name} is gone, and ${like.name} is new and much like it. ${advice}` }];
  }
  if (allowLossy) return [];
  return [{ kind: 'lossy', table: table.name, column: undefined, candidate: undefined, message: `${table.name} is gone, and its table would be dropped with all rows. Keep the type, or write --dropped ${table.name} or --allow-lossy.` }];
}

function tableProblems(old: Table, wanted: Table, decisions: Decisions): readonly Problem[] {
  const added = wanted.columns.filter(({ name }) => !old.columns.some((column) => column.name === name));
  // What PostgreSQL computes from other columns is no loss.
  const gone = old.columns.filter(({ name, generated, follows }) => generated === undefined && follows === undefined && !wanted.columns.some((column) => column.name === name));
  return [
    ...gone.flatMap((column) => goneColumn(wanted, column, added, decisions)),
    ...added.flatMap((column) => addedColumn(wanted.name, column, decisions)),
    ...movedValues(old, wanted, decisions),
    ...wanted.columns.flatMap((column) => {
      const before = old.columns.find(({ name }) => name === column.name);
      return before === undefined ? [] : changedColumn(wanted.name, before, column, decisions);
    }),
  ];
}

// Values that lie in a shared column are not moved by a migration, so that one that leaves it is told.
function movedValues(old: Table, wanted: Table, { allowLossy, dropped }: Decisions): readonly Problem[] {
  const [before, after] = [heldIn(old), heldIn(wanted)];
  const found = [...before].filter(([name]) => !after.has(name) && !dropped.has(`${wanted.name}/${name}`) && !allowLossy);
  return found.map(([name, shared]) => {
    const path = `${wanted.name}/${name}`;
    const isColumn = wanted.columns.some((column) => column.name === name);
    const what = isColumn ? `has a column of its own now, and its values lie in ${shared}` : `is gone, and its values lie in ${shared}`;
    return { kind: 'lossy', table: wanted.name, column: name, candidate: undefined, message: `${path} ${what}, which no migration takes them out of. Leave it where it is in the model, or write --dropped ${path} or --allow-lossy.` };
  });
}

function heldIn({ columns }: Table): ReadonlyMap<string, string> {
  return new Map(columns.flatMap(({ name, holds = [] }) => holds.map((property) => [property, name] as const)));
}

function goneColumn({ name: table, columns }: Table, column: Column, added: readonly Column[], { allowLossy, dropped }: Decisions): readonly Problem[] {
  const path = `${table}/${column.name}`;
  if (dropped.has(path)) return [];
  const shared = columns.find(({ holds }) => holds?.includes(column.name))?.name;
  if (shared !== undefined && !allowLossy) return [{ kind: 'lossy', table, column: column.name, candidate: undefined, message: `${path} has no room in its row any more and would be kept in ${shared}, where no migration moves its values. Put new properties at the end of the type, or write --dropped ${path} or --allow-lossy.` }];
  const like = added.filter(({ type, generated }) => type === column.type && generated === undefined).sort((a, b) => distance(a, column) - distance(b, column))[0];
  if (like !== undefined) {
    const advice = `If it was renamed, write Rules.RenamedFrom or --renamed ${path}=${like.name}; if not, --dropped ${path}.`;
    return [{ kind: 'rename', table, column: column.name, candidate: like.name, message: `${path} is gone, and ${like.name} is new with the same type. ${advice}` }];
  }
  if (allowLossy) return [];
  return [{ kind: 'lossy', table, column: column.name, candidate: undefined, message: `${path} is gone, and its column would be dropped with what is in it. Keep the property, or write --dropped ${path} or --allow-lossy.` }];
}

function distance({ name }: Column, other: Column): number {
  return editDistance(name.toLowerCase(), other.name.toLowerCase(), 63);
}

/** What a new column that is never null has in the rows that exist. */
export function fillOf(table: string, column: Column, { fills }: Decisions): string | undefined {
  return fills.get(`${table}/${column.name}`) ?? column.fill ?? column.default;
}

function addedColumn(table: string, column: Column, decisions: Decisions): readonly Problem[] {
  if (!column.notNull || column.identity || column.generated !== undefined || fillOf(table, column, decisions) !== undefined) return [];
  return [fillProblem(table, column, 'is new and never null')];
}

function fillProblem(table: string, { name }: Column, what: string): Problem {
  const path = `${table}/${name}`;
  return { kind: 'fill', table, column: name, candidate: undefined, message: `${path} ${what}, and rows that exist may have no value. Give it a DefaultValue, or write --fill ${path}=VALUE.` };
}

// Rows hold the numbers of an enumeration, and mean the names.
function changedMembers(table: string, old: Column, wanted: Column, { allowLossy, dropped }: Decisions): readonly Problem[] {
  const path = `${table}/${wanted.name}`;
  if (old.members === undefined || wanted.members === undefined || allowLossy || dropped.has(path)) return [];
  const now = new Map(Object.entries(wanted.members));
  const shown = new Set(now.values());
  return Object.entries(old.members).flatMap(([name, value]): readonly Problem[] => {
    const number = now.get(name);
    // Under another name the number means the same as before.
    if (number === value || (number === undefined && shown.has(value))) return [];
    const what = number === undefined ? `${name} (${value}) is gone, and rows may hold its number` : `${name} was ${value} and is ${number}, and rows hold the old number`;
    return [{ kind: 'lossy', table, column: wanted.name, candidate: undefined, message: `${path}: ${what}. Leave the member as it was; or write the update of the rows as a migration of your own beside the others, and --dropped ${path} or --allow-lossy.` }];
  });
}

function changedColumn(table: string, old: Column, wanted: Column, decisions: Decisions): readonly Problem[] {
  const found: Problem[] = [...changedMembers(table, old, wanted, decisions)];
  if (wanted.notNull && !old.notNull && fillOf(table, wanted, decisions) === undefined) found.push(fillProblem(table, wanted, 'is never null any more'));
  if (old.type === wanted.type || wanted.generated !== undefined) return found;
  const change = changeType(old, wanted);
  const path = `${table}/${wanted.name}`;
  if (change === undefined && wanted.notNull && found.length === 0 && fillOf(table, wanted, decisions) === undefined) found.push(fillProblem(table, wanted, 'is made anew and never null'));
  if ((change === undefined || change.effect === 'lossy') && !decisions.allowLossy) {
    const loss = change === undefined ? 'there is no way from one to the other, so its values would be lost' : change.why;
    found.push({ kind: 'lossy', table, column: wanted.name, candidate: undefined, message: `${path} was ${old.type} and is ${wanted.type}: ${loss}. Keep the type, or write --allow-lossy.` });
  }
  return found;
}
