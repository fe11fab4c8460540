import { quote } from '../../runtime/schema/identifier.js';
import type { Column, Constraint, Index, Schema, Table } from '../../runtime/schema/schema.js';
import { changeType, isJsonArray } from './change-type.js';
import type { Move } from './moves.js';
import { inTransaction, type Decisions, type Phase, type Step } from './step.js';

/** Whether a foreign key must be recreated because a column at either end changes. */
export type IsDisturbed = (table: string, constraint: Constraint) => boolean;

/** The change of a table: the two versions of one name, and the derived differences. */
export interface TableChange {
  /** The name, quoted. */
  readonly table: string;
  readonly old: Table;
  readonly wanted: Table;
  readonly decisions: Decisions;
  readonly pairs: readonly ColumnPair[];
  /**
   * Columns that are dropped and recreated: generated ones with another expression or inputs of another type, and those
   * whose values cannot be converted.
   */
  readonly stale: ReadonlySet<string>;
  /** Values that move to or from the shared column, or change within it. */
  readonly moves: readonly Move[];
  readonly isDisturbed: IsDisturbed;
}

/** A column before and after. */
export interface ColumnPair {
  readonly before: Column;
  readonly after: Column;
}

/** The columns that two tables share. */
export function pairsOf(old: Table, wanted: Table): readonly ColumnPair[] {
  return ofOneName(old.columns, wanted.columns).map(([before, after]) => ({ before, after }));
}

/** The tables that two schemas share, with their earlier versions. */
export function commonTables(old: Schema, wanted: Schema): readonly (readonly [before: Table, table: Table])[] {
  return ofOneName(old.tables, wanted.tables);
}

/** The parts that both lists have, by their names. */
export function ofOneName<Part extends { readonly name: string }>(
  old: readonly Part[],
  wanted: readonly Part[],
): readonly (readonly [before: Part, after: Part])[] {
  const known = new Map(old.map((part) => [part.name, part]));
  return wanted.flatMap((after) => {
    const before = known.get(after.name);
    return before === undefined ? [] : [[before, after] as const];
  });
}

/** The test whether a table lacks a column; the names are indexed, since a type may have thousands. */
export function isMissingIn({ columns }: Table): (column: Column) => boolean {
  const names = new Set(columns.map(({ name }) => name));
  return ({ name }) => !names.has(name);
}

/** The column without the requirement of a value. */
export function optional({ notNull: _notNull, ...column }: Column): Column {
  return column;
}

/** The columns that are dropped and recreated. */
export function staleColumns(old: Table, wanted: Table): ReadonlySet<string> {
  const retyped = pairsOf(old, wanted)
    .filter(isRetyped)
    .map(({ after }) => quote(after.name));
  const pairs = pairsOf(old, wanted).filter(({ before, after }) => before.generated !== undefined || after.generated !== undefined);
  const isStale = ({ before, after }: ColumnPair): boolean =>
    before.generated !== after.generated || retyped.some((name) => before.generated?.includes(name));
  const remade = pairsOf(old, wanted).filter((pair) => isRetyped(pair) && changeType(pair.before, pair.after) === undefined);
  return new Set([...pairs.filter(isStale), ...remade].map(({ after }) => after.name));
}

/** Whether an existing column's values are rewritten for its new type. */
export function isRewritten(pair: ColumnPair): boolean {
  return isRetyped(pair) && changeType(pair.before, pair.after)?.effect !== 'free';
}

/** Whether an existing column has another type or collation; a generated one with another expression is recreated. */
export function isRetyped({ before, after }: ColumnPair): boolean {
  return (
    (after.generated === undefined || before.generated === after.generated) &&
    (before.type !== after.type || before.collation !== after.collation || isJsonArray(before) !== isJsonArray(after))
  );
}

/** A step that locks the whole table, unless it has no statements. */
export function exclusive(
  phase: Phase,
  { table }: TableChange,
  statements: readonly string[],
  rewrites = false,
  more: readonly string[] = [],
): readonly Step[] {
  if (statements.length === 0) return [];
  const cost = rewrites ? `ACCESS EXCLUSIVE on ${table} while it is rewritten` : `ACCESS EXCLUSIVE on ${table}, for a moment`;
  return [inTransaction(phase, statements, [cost, ...more])];
}

/** A step that PostgreSQL runs outside of any transaction. */
export function alone(phase: Phase, statements: readonly string[], cost: string): Step {
  return { phase, manner: { kind: 'alone' }, statements, costs: [cost] };
}

/** The removed parts, and those that are new or recreated. */
export function changedParts<Part extends Constraint | Index>(
  old: readonly Part[],
  wanted: readonly Part[],
  textOf: (part: Part) => string,
): { readonly gone: readonly Part[]; readonly fresh: readonly Part[] } {
  const isIn = (part: Part, list: readonly Part[]): boolean =>
    list.some((other) => other.name === part.name && textOf(other) === textOf(part));
  return { gone: old.filter((part) => !isIn(part, wanted)), fresh: wanted.filter((part) => !isIn(part, old)) };
}

/** Validates existing rows against a constraint without blocking reads and writes. */
export function validate(table: string, constraint: string): Step {
  const cost = `SHARE UPDATE EXCLUSIVE on ${table} while its rows are read; they can be read and written`;
  return inTransaction('contract', [`alter table ${table} validate constraint ${constraint};`], [cost]);
}
