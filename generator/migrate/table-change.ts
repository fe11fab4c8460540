import { quote } from '../../runtime/schema/identifier.js';
import type { Column, Constraint, Index, Table } from '../../runtime/schema/schema.js';
import { changeType, isJsonArray } from './change-type.js';
import type { Move } from './moves.js';
import type { Decisions, Phase, Step } from './step.js';

/** Whether a foreign key must be made again, because a column at one of its ends becomes another. */
export type IsDisturbed = (table: string, constraint: Constraint) => boolean;

/** Two tables of one name, and what was found out about them. */
export interface TableChange {
  /** The name, quoted. */
  readonly table: string;
  readonly old: Table;
  readonly wanted: Table;
  readonly decisions: Decisions;
  readonly pairs: readonly ColumnPair[];
  /** Columns that are dropped and made anew: a computed one whose expression or whose columns' types change, one whose values nothing converts. */
  readonly stale: ReadonlySet<string>;
  /** Values that go into the shared column, out of it, or become others in it. */
  readonly moves: readonly Move[];
  readonly isDisturbed: IsDisturbed;
}

/** A column before and after. */
export interface ColumnPair {
  readonly before: Column;
  readonly after: Column;
}

/** The columns that two tables have in common. */
export function pairsOf(old: Table, wanted: Table): readonly ColumnPair[] {
  const known = new Map(old.columns.map((column) => [column.name, column]));
  return wanted.columns.flatMap((after) => {
    const before = known.get(after.name);
    return before === undefined ? [] : [{ before, after }];
  });
}

/** Whether a table lacks a column of that name; the names are looked at once, since a type may have thousands. */
export function isMissingIn({ columns }: Table): (column: Column) => boolean {
  const names = new Set(columns.map(({ name }) => name));
  return ({ name }) => !names.has(name);
}

/** The columns that are dropped and made anew. */
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

/** Whether a column that stays has a type for which its values are written anew. */
export function isRewritten(pair: ColumnPair): boolean {
  return isRetyped(pair) && changeType(pair.before, pair.after)?.effect !== 'free';
}

/** Whether a column that stays has another type or order of its texts; a computed one whose expression is another is made anew. */
export function isRetyped({ before, after }: ColumnPair): boolean {
  return (
    (after.generated === undefined || before.generated === after.generated) &&
    (before.type !== after.type || before.collation !== after.collation || isJsonArray(before) !== isJsonArray(after))
  );
}

/** A step whose statements hold the whole table, unless there are none. */
export function exclusive(
  phase: Phase,
  { table }: TableChange,
  statements: readonly string[],
  rewrites: boolean,
  more: readonly string[] = [],
): readonly Step[] {
  if (statements.length === 0) return [];
  const cost = rewrites ? `ACCESS EXCLUSIVE on ${table} while it is written anew` : `ACCESS EXCLUSIVE on ${table}, for a moment`;
  return [{ phase, manner: { kind: 'transaction' }, statements, costs: [cost, ...more] }];
}

/** A step that the server runs outside of any transaction. */
export function alone(phase: Phase, statements: readonly string[], cost: string): Step {
  return { phase, manner: { kind: 'alone' }, statements, costs: [cost] };
}

/** The parts that go, and those that are new or come again as others. */
export function changedParts<Part extends Constraint | Index>(
  old: readonly Part[],
  wanted: readonly Part[],
  textOf: (part: Part) => string,
): { readonly gone: readonly Part[]; readonly fresh: readonly Part[] } {
  const isIn = (part: Part, list: readonly Part[]): boolean =>
    list.some((other) => other.name === part.name && textOf(other) === textOf(part));
  return { gone: old.filter((part) => !isIn(part, wanted)), fresh: wanted.filter((part) => !isIn(part, old)) };
}

/** Holds the rows that exist to a constraint, while they can be read and written. */
export function validate(phase: Phase, table: string, constraint: string): Step {
  return {
    phase,
    manner: { kind: 'transaction' },
    statements: [`alter table ${table} validate constraint ${constraint};`],
    costs: [`SHARE UPDATE EXCLUSIVE on ${table} while its rows are read; they can be read and written`],
  };
}
