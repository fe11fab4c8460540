import { fieldOf, primitives, propertyOf, type EntityType } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** Takes the columns away from all the records that point somewhere, which changes their version. */
export function compileRelease(type: EntityType, key: readonly { readonly column: string; readonly value: string }[], columns: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const sets = ['"#version" = "#version" + 1', ...columns.map((column) => `${identifier(column)} = null`)];
  const where = key.map(({ column, value }) => {
    const field = fieldOf(type, propertyOf(type, column));
    return `${identifier(column)} = ${builder.bind(value, field === undefined ? 'bigint' : primitives[field.type].sql)}`;
  });
  return builder.wholeStatement(`update ${identifier(type.table)} set ${sets.join(', ')} where ${where.join(' and ')}`);
}
