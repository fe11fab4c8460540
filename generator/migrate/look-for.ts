import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Step } from './step.js';

/** The checked column, and the end of a sentence. */
interface Looked {
  readonly table: string;
  readonly name: string;
  readonly why: string;
}

/** A step that stops the migration where a row is found; `rows` is the SQL after `from table as "row"`. */
export function lookingFor(phase: Step['phase'], { table, name, why }: Looked, rows: string): Step {
  const message = literal(`${table}/${name} has values that do not fit, the first in the row with "#id" `);
  return {
    phase,
    manner: { kind: 'transaction' },
    statements: [
      `do $check$declare misfit bigint; begin select min("row"."#id") into misfit from ${quote(table)} as "row"${rows}; if misfit is not null then raise exception using errcode = 'check_violation', message = ${message} || misfit; end if; end$check$;`,
    ],
    costs: [`reads the rows of ${quote(table)}`, `${name}: ${why}`],
  };
}
