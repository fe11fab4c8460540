import type { Sight, TableSight } from '../plan/sight.js';
import { columnReference, identifier, StatementBuilder } from './builder.js';
import { compileCondition } from './compile-expr.js';
import type { Statement } from './statement.js';

/**
 * A statement to which a table of that name has only the records that the caller may see: what `with` says hides the
 * table behind it, wherever the statement reads it. PostgreSQL puts the conditions where the table stands.
 */
export function compileSighted(statement: Statement, { read, ruled }: Sight): Statement {
  const hidden = read.filter(({ table }) => statement.text.includes(identifier(table)));
  const builder = new StatementBuilder(statement.bind);
  const seen = hidden.map((sight) => compileSeen(sight, builder));
  const rest = [...seen, statement.text].join(' ');
  // First, while the names still mean the tables themselves.
  const whole = ruled.filter((one) => rest.includes(identifier(one.whole))).map((one) => `${identifier(one.whole)} as not materialized (select * from ${identifier(one.table)})`);
  if (whole.length + seen.length === 0) return statement;
  return { ...statement, text: `with ${[...whole, ...seen].join(', ')} ${statement.text}`, bind: builder.binds };
}

function compileSeen({ table, whole, alias, condition }: TableSight, builder: StatementBuilder): string {
  return `${identifier(table)} as not materialized (select ${alias}.* from ${identifier(whole)} ${alias} where ${compileCondition(condition, builder)})`;
}

/** Whether a record is seen, and meets what else an operation asks. */
export function compileAllowed(table: string, id: string, sight: TableSight | undefined): Statement {
  const builder = new StatementBuilder();
  const alias = sight?.alias ?? 't0';
  const conditions = [`${columnReference(alias, '#id')} = ${builder.bind(id, 'bigint')}`, ...(sight ? [compileCondition(sight.condition, builder)] : [])];
  return builder.reusableStatement(`select 1 from ${identifier(table)} ${alias} where ${conditions.join(' and ')}`);
}
