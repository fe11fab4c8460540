import { constant, type Comparison } from '../expr-facts.js';
import type { PrimitiveTypeName } from '../../edm/index.js';
import { observed, parameterOf, withParameter } from '../../expression/plan-parameter.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../typed-expr.js';

const temporal: ReadonlySet<string> = new Set<PrimitiveTypeName>(['Edm.DateTimeOffset', 'Edm.TimeOfDay', 'Edm.Duration']);

/** The digits after the microseconds, which are the last that PostgreSQL stores, if one of them is not zero. */
const finerDigits = /(\.\d{6})(\d*[1-9]\d*)/;

/** The operator for values without their finer digits, by whether those of the left or of the right value are more. */
const cutOperators: { readonly [More in 'left' | 'right']: { readonly [Operator in ComparisonOperator]?: ComparisonOperator } } = {
  left: { gt: 'ge', ge: 'ge', lt: 'lt', le: 'lt' },
  right: { gt: 'gt', ge: 'gt', lt: 'le', le: 'le' },
};

/** The operator with its operands exchanged. */
export const turned: { readonly [Operator in ComparisonOperator]: ComparisonOperator } = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
};

/**
 * A comparison with literals that have digits beyond microseconds, which the database would round: no stored value equals
 * such a literal, and its order is that of the literal without these digits.
 */
export function compareFiner(comparison: Comparison): TypedExpr {
  const { operator, left, right } = comparison;
  const more = excessOf(left, right);
  if (more === undefined) return comparison;
  const without = { ...comparison, left: cutOff(left), right: cutOff(right) };
  if (more === 0) return without;
  if (operator === 'eq' || operator === 'ne') return constant(operator === 'ne');
  return { ...without, operator: cutOperators[more > 0 ? 'left' : 'right'][operator] ?? operator };
}

/** Whether a literal has digits beyond microseconds. */
export function isFiner(expr: TypedExpr): boolean {
  return observedRest(expr, Math.sign) !== 0;
}

// How much more the finer digits of the left value are. Only the sign of a single literal is observed, so that a plan serves all.
function excessOf(left: TypedExpr, right: TypedExpr): number | undefined {
  const [leftSign, rightSign] = [observedRest(left, Math.sign), observedRest(right, Math.sign)];
  if (leftSign === 0 && rightSign === 0) return undefined;
  if (leftSign === 0 || rightSign === 0) return leftSign - rightSign;
  return observedRest(left, Number) - observedRest(right, Number);
}

// The finer digits of a literal as a fraction of a microsecond; 0 of any other expression.
function observedRest(expr: TypedExpr, form: (rest: number) => number): number {
  if (expr.kind !== 'literal' || expr.nullable || !temporal.has(expr.type)) return 0;
  const isDuration = expr.type === 'Edm.Duration';
  return observed(expr, 'value', (text) => {
    const [, , digits = '0'] = finerDigits.exec(text) ?? [];
    return form(Number(`${isDuration && text.includes('-') ? '-' : ''}0.${digits}`));
  });
}

function cutOff(expr: TypedExpr): TypedExpr {
  if (!isFiner(expr) || expr.kind !== 'literal') return expr;
  const from = parameterOf(expr);
  if (from === undefined) return { ...expr, value: expr.value === null ? null : cut(expr.value) };
  const literal: TypedLiteral = { kind: 'literal', type: expr.type, nullable: false, value: '' };
  return withParameter(literal, 'value', { parameter: from.parameter, form: (text) => cut(from.form(text)) });
}

function cut(text: string): string {
  return text.replace(finerDigits, '$1');
}
