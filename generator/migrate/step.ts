import { shownPath } from './model-names.js';
import type { Column } from '../../runtime/schema/schema.js';
import { literal, quote } from '../../runtime/schema/identifier.js';

/** The phases of a migration: after the first, old and new services both work; after the last, only new ones. */
export const phases = ['expand', 'backfill', 'contract'] as const;
/** The time of a step in relation to the deployment of the new service. */
export type Phase = (typeof phases)[number];

/**
 * The execution of a step: in one transaction with others, in small batches over a table, or outside of any
 * transaction.
 */
export type Manner = { readonly kind: 'transaction' } | { readonly kind: 'batches'; readonly table: string } | { readonly kind: 'alone' };

/** A step of a migration, executed as a whole. */
export interface Step {
  readonly phase: Phase;
  readonly manner: Manner;
  /** Statements, each on one line. */
  readonly statements: readonly string[];
  /** Its costs: locks, and whether a table is rewritten. */
  readonly costs: readonly string[];
}

/** An open decision, or an invalid one. */
export interface Problem {
  readonly kind: 'rename' | 'lossy' | 'fill' | 'unknown' | 'refused';
  readonly table: string;
  readonly column?: string | undefined;
  /** The likely new name, for a rename. */
  readonly candidate?: string;
  readonly message: string;
  /** The same one of a complex type, where it is one of a member of its values. */
  readonly shared?: Problem;
}

/** The loss of values at a path, unless it is decided; `text` ends before the ways to decide it. */
export function lossOf(table: string, column: string, text: string, { allowLossy, dropped }: Decisions): readonly Problem[] {
  if (allowLossy || dropped.has(`${table}/${column}`)) return [];
  const [type, name] = shownPath(table, column);
  return [{ kind: 'lossy', table: type, column: name, message: `${text}, or write --dropped ${type}/${name} or --allow-lossy.` }];
}

/** A step in one transaction with others. */
export function inTransaction(phase: Phase, statements: readonly string[], costs: readonly string[]): Step {
  return { phase, manner: { kind: 'transaction' }, statements, costs };
}

/** The decisions on problems; names are `Table` or `Table/Column`. */
export interface Decisions {
  readonly allowLossy: boolean;
  readonly renamed: ReadonlyMap<string, string>;
  /** The keys of `renamed` that are values of closed lists. */
  readonly values: ReadonlySet<string>;
  readonly dropped: ReadonlySet<string>;
  /** Values for old rows in not-null columns, as literals. */
  readonly fills: ReadonlyMap<string, string>;
}

/** No decisions. */
export const noDecisions: Decisions = { allowLossy: false, renamed: new Map(), values: new Set(), dropped: new Set(), fills: new Map() };

/** The option that decided a rename. */
export function renameOption({ values }: Pick<Decisions, 'values'>, path: string): string {
  return values.has(path) ? '--renamed-value' : '--renamed';
}

/** The value of a new not-null column in existing rows. */
export function fillOf(table: string, column: Column, { fills }: Decisions): string | undefined {
  return fills.get(`${table}/${column.name}`) ?? column.fill ?? column.default;
}

/** A step over a table in batches; the range of a batch, by `id`, completes the condition of the statement. */
export function batched(phase: Step['phase'], table: string, statement: string, notes: readonly string[] = [], id = '"#id"'): Step {
  return inBatches(phase, table, `${statement} and`, notes, id);
}

/** The same with a statement that ends before the range of a batch. */
export function inBatches(phase: Step['phase'], table: string, start: string, notes: readonly string[], id = '"#id"'): Step {
  const costs = ['locks of the rows of one batch at a time', ...notes];
  return { phase, manner: { kind: 'batches', table }, statements: [`${start} ${id} > $1 and ${id} <= $2;`], costs };
}

/** The checked column, and the end of a sentence. */
interface Looked {
  readonly table: string;
  readonly name: string;
  readonly why: string;
}

/** A step that stops the migration where a row is found; `rows` is the SQL after `from table as "row"`. */
export function lookingFor(phase: Step['phase'], { table, name, why }: Looked, rows: string): Step {
  const message = literal(`${table}/${name} has values that do not fit, the first in the row with "#id" `);
  return inTransaction(
    phase,
    [
      `do $check$declare misfit bigint; begin select min("row"."#id") into misfit from ${quote(table)} as "row"${rows}; if misfit is not null then raise exception using errcode = 'check_violation', message = ${message} || misfit; end if; end$check$;`,
    ],
    [`reads the rows of ${quote(table)}`, `${name}: ${why}`],
  );
}
