import type { PrimitiveTypeName } from '../../edm/index.js';
import { observed, parameterOf, withParameter } from '../../expression/plan-parameter.js';
import type { ComparisonOperator, TypedExpr, TypedLiteral } from '../typed-expr.js';

type Comparison = Extract<TypedExpr, { kind: 'comparison' }>;

const temporal: ReadonlySet<string> = new Set<PrimitiveTypeName>(['Edm.DateTimeOffset', 'Edm.TimeOfDay', 'Edm.Duration']);

/** A digit other than zero after the microseconds, which are the last digits that PostgreSQL stores. */
const finerDigits = /(\.\d{6})\d*[1-9]\d*/;

/** The operator for the literal without its finer digits, by whether cutting them off lowers or raises the value. */
const cutOperators: { readonly [Cut in 'lower' | 'higher']: { readonly [Operator in ComparisonOperator]?: ComparisonOperator } } = {
  lower: { gt: 'gt', ge: 'gt', lt: 'le', le: 'le' },
  higher: { gt: 'ge', ge: 'ge', lt: 'lt', le: 'lt' },
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
 * A comparison whose literal has digits beyond microseconds, which the database would round: no stored value equals the
 * literal, and its order is that of the literal without these digits.
 */
export function compareFiner(comparison: Comparison): TypedExpr {
  const { operator, left, right } = comparison;
  const [fineLeft, fineRight] = [finerCut(left), finerCut(right)];
  if ((fineLeft === undefined) === (fineRight === undefined)) return comparison;
  if (operator === 'eq' || operator === 'ne') return { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: operator === 'ne' };
  if (fineRight !== undefined) return { ...comparison, operator: cutOperators[fineRight][operator] ?? operator, right: cutOff(right) };
  if (fineLeft === undefined) return comparison;
  const cut = cutOperators[fineLeft][turned[operator]] ?? operator;
  return { ...comparison, operator: turned[cut], left: cutOff(left) };
}

/** Whether a literal has digits beyond microseconds. */
export function isFiner(expr: TypedExpr): boolean {
  return finerCut(expr) !== undefined;
}

function finerCut(expr: TypedExpr): 'lower' | 'higher' | undefined {
  if (expr.kind !== 'literal' || expr.nullable || !temporal.has(expr.type)) return undefined;
  const isDuration = expr.type === 'Edm.Duration';
  const look = (text: string): ReturnType<typeof finerCut> =>
    finerDigits.test(text) ? (isDuration && text.includes('-') ? 'higher' : 'lower') : undefined;
  return observed(expr, 'value', look);
}

function cutOff(expr: TypedExpr): TypedExpr {
  if (expr.kind !== 'literal') return expr;
  const from = parameterOf(expr);
  if (from === undefined) return { ...expr, value: expr.value === null ? null : cut(expr.value) };
  const literal: TypedLiteral = { kind: 'literal', type: expr.type, nullable: false, value: '' };
  return withParameter(literal, 'value', { parameter: from.parameter, form: (text) => cut(from.form(text)) });
}

function cut(text: string): string {
  return text.replace(finerDigits, '$1');
}
