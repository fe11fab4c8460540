import type { ComparisonOperator, TypedExpr } from '../plan/typed-expr.js';

type Comparison = Extract<TypedExpr, { kind: 'comparison' }>;

/**
 * A comparison that may involve NaN, which is unordered and unequal to everything, itself included (URL conventions
 * 5.1.1.1). In PostgreSQL it equals itself and is the largest value, so the side where that matters is tested.
 */
export function compileUnordered(comparison: Comparison, a: string, b: string, plain: (a: string, b: string) => string): string {
  const side = sides[comparison.operator](mayBeNaN(comparison.left), mayBeNaN(comparison.right));
  if (side === undefined) return plain(a, b);
  const asked = side === 'a' ? comparison.left : comparison.right;
  if (asked.kind === 'column' || asked.kind === 'literal') return guarded(comparison.operator, plain(a, b), side === 'a' ? a : b);
  // An operand may contain such comparisons: written twice it would double with every level.
  return `(select ${guarded(comparison.operator, plain('a', 'b'), side)} from (select ${a} as a, ${b} as b offset 0) operands)`;
}

function guarded(operator: ComparisonOperator, plain: string, side: string): string {
  return operator === 'ne' ? `(${plain} or ${side} = 'NaN')` : `(${plain} and ${side} is distinct from 'NaN')`;
}

/** The side for which PostgreSQL's result would be wrong, if any. */
type Side = (left: boolean, right: boolean) => 'a' | 'b' | undefined;

const both: Side = (left, right) => (left && right ? 'a' : undefined);
const larger: Side = (left) => (left ? 'a' : undefined);
const smaller: Side = (_, right) => (right ? 'b' : undefined);

const sides: { readonly [Operator in ComparisonOperator]: Side } = { eq: both, ne: both, gt: larger, ge: larger, lt: smaller, le: smaller };

// A statement also serves other literals, so a literal's value decides nothing.
function mayBeNaN(expr: TypedExpr): boolean {
  return (expr.type === 'Edm.Double' || expr.type === 'Edm.Single') && !('collection' in expr && expr.collection === true);
}
