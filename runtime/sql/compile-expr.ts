import { sqlHooks } from './hooks.js';
import { primitives } from '../edm/index.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import { type StatementBuilder } from './builder.js';
import { compileArithmetic, compileNegative, compileNumber } from './compile-arithmetic.js';
import { compileCallOrArray } from './compile-call.js';
import { compileCast } from './compile-cast.js';
import { compileComparison, compileIn, compileLiteral } from './compile-comparison.js';
import { compileDynamic, compileProperty } from './compile-path.js';
import { compileReached } from './compile-rows.js';

/**
 * A condition in which null counts as false: a `where`, including its `and` and `or`. Comparisons stay plain here, so that indexes apply.
 */
export function compileCondition(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'logical':
      return `(${compileCondition(expr.left, builder)} ${expr.operator} ${compileCondition(expr.right, builder)})`;
    case 'not':
      return compileNegation(expr.operand, builder);
    case 'comparison':
      return compileComparison(expr, builder);
    case 'in':
      return compileIn(expr, builder);
    default:
      return compileValue(expr, builder);
  }
}

// `not` is pushed inwards: OData's comparisons are never null, so a negation is true where SQL's would be unknown.
function compileNegation(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'not':
      return compileCondition(expr.operand, builder);
    case 'logical': {
      const operator = expr.operator === 'and' ? 'or' : 'and';
      return `(${compileNegation(expr.left, builder)} ${operator} ${compileNegation(expr.right, builder)})`;
    }
    case 'comparison':
      if (expr.operator === 'eq') return compileComparison({ ...expr, operator: 'ne' }, builder);
      if (expr.operator === 'ne') return compileComparison({ ...expr, operator: 'eq' }, builder);
      return `(${compileComparison(expr, builder)}) is not true`;
    case 'in':
      return `(${compileIn(expr, builder)}) is not true`;
    default:
      return `(not ${compileValue(expr, builder)})`;
  }
}

/** A value in OData's three-valued logic: comparisons are true or false, never null. */
export function compileValue(expr: TypedExpr, builder: StatementBuilder): string {
  switch (expr.kind) {
    case 'literal':
      return compileLiteral(expr, builder);
    case 'column':
    case 'path':
      return compileProperty(expr, builder);
    case 'dynamic':
      return compileDynamic(expr, builder);
    case 'not':
      return `(not ${compileValue(expr.operand, builder)})`;
    case 'negate':
      return compileNegative(expr, builder);
    case 'logical':
      return `(${compileValue(expr.left, builder)} ${expr.operator} ${compileValue(expr.right, builder)})`;
    case 'comparison':
    case 'in':
      return `((${compileCondition(expr, builder)}) is true)`;
    case 'arithmetic':
      return compileArithmetic(expr, builder);
    case 'call':
    case 'array':
    case 'computedArray':
      return compileCallOrArray(expr, builder);
    case 'case':
      return compileCase(expr, builder);
    case 'cast':
      return compileCast(expr, builder);
    case 'search':
      return sqlHooks.get('compileSearch')(expr, builder);
    case 'constant':
      return expr.value ? 'true' : 'false';
    default:
      return compileReached(expr, builder);
  }
}

type Case = Extract<TypedExpr, { kind: 'case' }>;

// The value of the first true condition; numbers in one type, text compared by code point.
function compileCase({ type, branches }: Case, builder: StatementBuilder): string {
  const numeric = primitives[type].rank !== undefined;
  const sqlType = type === 'Edm.Double' ? 'double precision' : 'numeric';
  const compiled = branches.map(({ condition, value }) => {
    const when = compileCondition(condition, builder);
    return `when ${when} then ${numeric ? compileNumber(value, sqlType, builder) : compileValue(value, builder)}`;
  });
  const text = `(case ${compiled.join(' ')} end)`;
  return type === 'Edm.String' ? `(${text} collate "C")` : text;
}
