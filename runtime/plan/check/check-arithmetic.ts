import type { PrimitiveTypeName } from '../../edm/index.js';
import type { BinaryExpr } from '../../expression/ast.js';
import { familyOfExpr } from '../expr-facts.js';
import { mismatchAt, type Scope } from '../scope.js';
import type { ArithmeticOperator, TypedExpr } from '../typed-expr.js';
import { inArithmetic } from '../value/check-literal.js';
import { arithmeticType, describeFamily, temporalType, timeHint } from './operator-types.js';

/** Arithmetic with numbers, dates, times and durations (URL conventions 5.1.1.2). */
export function checkArithmetic(expr: BinaryExpr, operator: ArithmeticOperator, scope: Scope): TypedExpr {
  const given = [scope.checks.expr(expr.left, scope), scope.checks.expr(expr.right, scope)] as const;
  const [left, right] = [inArithmetic(given[0], given[1]), inArithmetic(given[1], given[0])];
  const type = arithmeticTypeOr(operator, left, right, () => {
    const sides = [familyOfExpr(left), familyOfExpr(right)];
    return mismatchAt(
      expr.at,
      scope,
      `${operator} needs numbers, but has ${sides.map(describeFamily).join(' and ')}`,
      `.${timeHint(operator, sides)}`,
    );
  });
  const divides = operator === 'mod' || (type !== 'Edm.Double' && (operator === 'div' || operator === 'divby'));
  if (divides) requireDivisor(operator, right, expr.at, scope);
  // A division by zero is null, and a day or time beyond all times; only doubles have a value for it (URL conventions 5.1.1.2.5).
  const mayBeNull = divides || type === 'Edm.Date' || type === 'Edm.DateTimeOffset' || type === 'Edm.Duration';
  return { kind: 'arithmetic', type, nullable: mayBeNull || left.nullable || right.nullable, operator, left, right };
}

function arithmeticTypeOr(operator: ArithmeticOperator, left: TypedExpr, right: TypedExpr, refuse: () => Error): PrimitiveTypeName {
  const family = [familyOfExpr(left), familyOfExpr(right)] as const;
  const temporal = temporalType(operator, family);
  if (temporal) return temporal;
  if (family.some((side) => side !== 'number' && side !== undefined)) throw refuse();
  return arithmeticType(operator, left, right);
}

// A literal zero is the client's mistake; one in the data gives null, and the row is excluded.
function requireDivisor(operator: ArithmeticOperator, right: TypedExpr, at: number, scope: Scope): void {
  if (right.kind === 'literal' && right.value !== null && /^-?[0.]+(e.*)?$/i.test(right.value)) {
    throw mismatchAt(at, scope, `${operator} by zero`);
  }
}
