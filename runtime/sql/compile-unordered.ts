import type { ComparisonOperator, TypedExpr } from '../plan/typed-expr.js';

type Comparison = Extract<TypedExpr, { kind: 'comparison' }>;

/**
 * A comparison that may meet NaN, which is in no order and equals nothing, not even itself (URL conventions 5.1.1.1).
 * To PostgreSQL it equals itself and is larger than all others, so one side is asked whether it is the one that would be.
 */
export function compileUnordered(comparison: Comparison, a: string, b: string, plain: (a: string, b: string) => string): string {
  const side = sides[comparison.operator](mayBeNaN(comparison.left), mayBeNaN(comparison.right));
  if (side === undefined) return plain(a, b);
  const asked = side === 'a' ? comparison.left : comparison.right;
  if (asked.kind === 'column' || asked.kind === 'literal') return guarded(comparison.operator, plain(a, b), side === 'a' ? a : b);
  // An operand may hold such comparisons itself: written twice it would double with every level.
  return `(select ${guarded(comparison.operator, plain('a', 'b'), side)} from (select ${a} as a, ${b} as b offset 0) operands)`;
}

function guarded(operator: ComparisonOperator, plain: string, side: string): string {
  return operator === 'ne' ? `(${plain} or ${side} = 'NaN')` : `(${plain} and ${side} is distinct from 'NaN')`;
}

/** The side at which PostgreSQL would be wrong, where there is one. */
type Side = (left: boolean, right: boolean) => 'a' | 'b' | undefined;

const both: Side = (left, right) => (left && right ? 'a' : undefined);
const larger: Side = (left) => (left ? 'a' : undefined);
const smaller: Side = (_, right) => (right ? 'b' : undefined);

const sides: { readonly [Operator in ComparisonOperator]: Side } = { eq: both, ne: both, gt: larger, ge: larger, lt: smaller, le: smaller };

// A statement serves other literals too, so that a literal's own value decides nothing.
function mayBeNaN(expr: TypedExpr): boolean {
  return (expr.type === 'Edm.Double' || expr.type === 'Edm.Single') && !('collection' in expr && expr.collection === true);
}
