import { errors } from '../../errors/catalogue.js';
import type { RecordTarget } from '../../plan/path-target.js';
import { columnReference, identifier, StatementBuilder } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import { compileParentColumns, compileParentTable } from '../../sql/compile-clauses.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** An empty answer beneath a record that does not exist is 404, and not an empty collection. */
export async function requireParent(statement: Statement, connection: Connection): Promise<void> {
  if ((await connection.run(statement)).length === 0) throw errors.notFound('record with that key');
}

/** The statement that looks for the record which the path begins with, where the path goes on beyond one. */
export function compileParent({ parents }: RecordTarget): Statement | undefined {
  const builder = new StatementBuilder();
  const [first, ...others] = parents;
  if (first === undefined) return undefined;
  const tables = [`${identifier(first.table)} ${first.alias}`];
  let child = first.alias;
  for (const parent of others) {
    tables.push(`join ${compileParentTable(parent)} on ${compileParentColumns(parent, child).join(' and ')}`);
    child = parent.alias;
  }
  const keys = parents.flatMap(({ alias, key }) =>
    key.map((one) => `${columnReference(alias, one.column)} = ${builder.bindValueOf(one, one.sqlType)}`),
  );
  const conditions = [...keys, ...parents.flatMap(({ filter }) => (filter ? [compileCondition(filter, builder)] : []))];
  return builder.statement(`select 1 from ${tables.join(' ')} where ${conditions.join(' and ') || 'true'} limit 1`);
}
