import { errors } from '../../errors/catalogue.js';
import { itemsCount, placeOfItem } from '../../plan/item-step.js';
import type { RecordTarget } from '../../plan/path-target.js';
import { columnReference, identifier, StatementBuilder } from '../../sql/builder.js';
import { compileCondition, compileValue } from '../../sql/compile-expr.js';
import { compileMeetingOf } from '../../sql/compile-place.js';
import { compileParentTable } from '../../sql/compile-tables.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** An empty answer beneath a record that does not exist is 404, and not an empty collection. */
export async function requireParent(statement: Statement, connection: Connection): Promise<void> {
  const [row] = await connection.run(statement);
  if (row === undefined) throw errors.notFound('record with that key');
  // Three cells for each item that the path says: the collection, the ordinal and how many items there are.
  for (let at = 0; at + 2 < row.length; at += 3)
    placeOfItem({ name: row[at] ?? '', ordinal: Number(row[at + 1]) }, Number(row[at + 2] ?? 0));
}

/** The statement that looks for the record which the path begins with, where the path goes on beyond one. */
export function compileParent({ parents }: RecordTarget): Statement | undefined {
  const builder = new StatementBuilder();
  const [first, ...others] = parents;
  if (first === undefined) return undefined;
  const tables = [`${identifier(first.table)} ${first.alias}`];
  let child = first.alias;
  for (const parent of others) {
    tables.push(`join ${compileParentTable(parent, builder)} on ${compileMeetingOf(parent, child, builder).join(' and ')}`);
    child = parent.alias;
  }
  const keys = parents.flatMap(({ alias, key }) =>
    key.map((one) => `${columnReference(alias, one.column)} = ${builder.bindValueOf(one, one.sqlType)}`),
  );
  const conditions = [...keys, ...parents.flatMap(({ filter }) => (filter ? [compileCondition(filter, builder)] : []))];
  const items = (first.item?.steps ?? []).flatMap((step) => [
    builder.bind(step.name, 'text'),
    builder.bind(String(step.ordinal), 'integer'),
    `(${compileValue(itemsCount(step, `${first.alias}_items`), builder)})::text`,
  ]);
  return builder.statement(
    `select ${items.join(', ') || '1'} from ${tables.join(' ')} where ${conditions.join(' and ') || 'true'} limit 1`,
  );
}
