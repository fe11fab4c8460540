import { primitives, type PrimitiveTypeName } from '../edm/index.js';
import type { TypedLiteral } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';

/** A literal in its own type. */
export function compileLiteral(literal: TypedLiteral, builder: StatementBuilder): string {
  return builder.bindValueOf(literal, literalSqlType(literal));
}

function literalSqlType({ type }: TypedLiteral): string {
  if (type === 'null') return 'text';
  if (type === 'polygon') return 'polygon';
  return type === 'line' ? 'path' : primitives[type].sql;
}

/** A number compared with a column of another numeric type: whole numbers stay whole, decimals exact. */
export function compileLiteralAs(literal: TypedLiteral, type: PrimitiveTypeName, builder: StatementBuilder): string {
  if (type === 'Edm.Single' && (literal.type === 'Edm.Decimal' || literal.type === 'Edm.Double'))
    return compileAsSingle(compileLiteral(literal, builder));
  return builder.bindValueOf(literal, literal.type === 'null' ? primitives[type].sql : numericSqlType(literal, type));
}

// A literal compared with a Single becomes one, since answers show 0.1, which no Double equals. A number outside of
// Single's range is kept.
function compileAsSingle(number: string): string {
  return `(case when abs(${number}) <= 3.4028235e38 and (abs(${number}) >= 1e-45 or ${number} = 0) then ${number}::real else ${number} end)`;
}

function numericSqlType(literal: TypedLiteral, type: PrimitiveTypeName): string {
  const primitive = primitives[type];
  if (primitive.rank === undefined || literal.type !== 'Edm.Int64') return literalSqlType(literal);
  return primitive.range === undefined ? primitive.sql : 'bigint';
}
