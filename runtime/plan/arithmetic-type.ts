import { primitives, type PrimitiveTypeName } from '../edm/index.js';
import type { ArithmeticOperator, TypedExpr } from './typed-expr.js';

/** The result of arithmetic after numeric promotion (URL conventions 5.1.1.16): whole, decimal or floating. */
export function arithmeticType(operator: ArithmeticOperator, left: TypedExpr, right: TypedExpr): PrimitiveTypeName {
  const rank = Math.max(rankOf(left), rankOf(right));
  if (rank > decimal) return 'Edm.Double';
  return rank === decimal || operator === 'divby' ? 'Edm.Decimal' : 'Edm.Int64';
}

/** The type that holds each of several numbers. */
export function commonNumberType(numbers: readonly TypedExpr[]): PrimitiveTypeName {
  const rank = Math.max(...numbers.map(rankOf));
  if (rank > decimal) return 'Edm.Double';
  return rank === decimal ? 'Edm.Decimal' : 'Edm.Int64';
}

const decimal = 5;

function rankOf({ type }: TypedExpr): number {
  return type === 'null' || type === 'polygon' || type === 'line' ? 0 : (primitives[type].rank ?? 0);
}
