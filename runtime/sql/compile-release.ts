import { fieldOf, primitives, propertyOf, type EntityType, type Navigation } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import { raised } from './compile-write.js';
import type { Statement } from './statement.js';

/** Takes the columns away from all the records that point somewhere, which changes their version where it is seen. */
export function compileRelease(
  type: EntityType,
  key: readonly { readonly column: string; readonly value: string }[],
  columns: readonly string[],
): Statement {
  const builder = new StatementBuilder();
  const sets = [...raised(type, columns), ...columns.map((column) => `${identifier(column)} = null`)];
  const where = key.map(({ column, value }) => {
    const field = fieldOf(type, propertyOf(type, column));
    return `${identifier(column)} = ${builder.bind(value, field === undefined ? 'bigint' : primitives[field.type].sql)}`;
  });
  return builder.unfilteredStatement(`update ${identifier(type.table)} set ${sets.join(', ')} where ${where.join(' and ')}`);
}

/** The numbers of what a record contains by a navigation property of a complex value, each locked. */
export function compileHeld(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(`select "#id" ${compileOfRecord(type, navigation, id, builder)} for update`);
}

/** Removes what a record contains by a navigation property of a complex value that it has no more. */
export function compileEmpty(type: EntityType, navigation: Navigation, id: string): Statement {
  const builder = new StatementBuilder();
  return builder.unfilteredStatement(`delete ${compileOfRecord(type, navigation, id, builder)}`);
}

function compileOfRecord({ table }: EntityType, { join }: Navigation, id: string, builder: StatementBuilder): string {
  const where = Object.values(join).map((column) => `${identifier(column)} = ${builder.bind(id, 'bigint')}`);
  return `from ${identifier(table)} where ${where.join(' and ')}`;
}
