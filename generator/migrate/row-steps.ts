import { literal, quote } from '../../runtime/schema/identifier.js';
import { inTransaction, type Step } from './step.js';

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
