import type { Container } from '../plan/containers.js';
import type { Sight, TableRule, TableSight } from '../plan/sight.js';
import { columnReference, identifier, StatementBuilder, withTables } from './builder.js';
import { compileCondition } from './compile-expr.js';
import type { Statement } from './statement.js';

/**
 * Applies row filters to a statement: a common table expression hides each filtered table behind its name, wherever the
 * statement reads it. PostgreSQL inlines the conditions.
 */
export function compileSighted(statement: Statement, sight: Sight): Statement {
  return hidden(statement, sight, 'not materialized');
}

/**
 * Applies row filters as an optimization fence, so that conditions of the statement see only visible rows; indexes do
 * not apply.
 */
export function compileFenced(statement: Statement, sight: Sight): Statement {
  return hidden(statement, sight, 'materialized');
}

type Placing = 'materialized' | 'not materialized';

function hidden(statement: Statement, { read, ruled }: Sight, placing: Placing): Statement {
  const builder = new StatementBuilder(statement.bind);
  const seen = hiddenIn(statement.text, read).map((sight) => compileSeen(sight, placing, builder));
  const rest = [...seen, statement.text].join(' ');
  // First, while the names still mean the tables themselves.
  const whole = ruled
    .filter((one) => rest.includes(identifier(one.whole)))
    .map((one) => `${identifier(one.whole)} as not materialized (select * from ${identifier(one.table)})`);
  if (whole.length + seen.length === 0) return statement;
  return { ...statement, text: withTables([...whole, ...seen], statement.text), bind: builder.binds };
}

// The filtered tables that a statement reads, preceded by those of their parents.
function hiddenIn(text: string, read: readonly TableSight[]): readonly TableSight[] {
  const asked = new Set<string>();
  const asking = read.toReversed().filter(({ table, within }) => {
    const isRead = asked.has(table) || text.includes(identifier(table));
    if (isRead) for (const container of within) asked.add(container.table);
    return isRead;
  });
  return asking.toReversed();
}

function compileSeen({ table, whole, alias, condition, within }: TableSight, placing: Placing, builder: StatementBuilder): string {
  const conditions = [
    ...(condition ? [compileCondition(condition, builder)] : []),
    ...within.map((container) => compileWithin(container, alias)),
  ];
  return `${identifier(table)} as ${placing} (select ${alias}.* from ${identifier(whole)} ${alias} where ${conditions.join(' and ')})`;
}

function compileWithin({ table, column, optional }: Container, alias: string): string {
  const reference = columnReference(alias, column);
  const exists = `exists (select 1 from ${identifier(table)} outer_record where outer_record."#id" = ${reference})`;
  return optional ? `(${reference} is null or ${exists})` : exists;
}

/** Whether a row is visible, and meets a further rule of the operation. */
export function compileAllowed(table: string, id: string, rule: TableRule | undefined): Statement {
  const builder = new StatementBuilder();
  const alias = rule?.alias ?? 't0';
  const conditions = [
    `${columnReference(alias, '#id')} = ${builder.bind(id, 'bigint')}`,
    ...(rule ? [compileCondition(rule.condition, builder)] : []),
  ];
  return builder.reusableStatement(`select 1 from ${identifier(table)} ${alias} where ${conditions.join(' and ')}`);
}
