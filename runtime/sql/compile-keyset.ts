import { isFloating, primitives } from '../edm/index.js';
import { isPropertyType } from '../plan/expr-facts.js';
import type { KeysetValue } from '../plan/keyset-value.js';
import type { OrderTerm } from '../plan/read-plan.js';
import type { TypedExpr } from '../plan/typed-expr.js';
import type { StatementBuilder } from './builder.js';
import { compileValue } from './compile-expr.js';

/** The value of an order term that `after` lacks. */
const nothing: KeysetValue = { isNull: true, value: null };

/**
 * The condition for rows after a given one in the order. With one direction and no nulls involved, it is a row
 * comparison; otherwise a bound on the first term narrows the scan, followed by the exact condition.
 */
export function compileAfter(
  order: readonly OrderTerm[],
  values: readonly KeysetValue[],
  builder: StatementBuilder,
  reach: Reach | undefined,
): string {
  const [term] = order;
  // Nothing comes after a row that is equal in all terms.
  if (term === undefined) return 'false';
  const value = values[0] ?? nothing;
  if (reach === 'far') return `${compileValue(term.expression, builder)} is ${value.isNull ? 'not null' : 'null'}`;
  if (reach === 'near') return compileNear(order, values, builder);
  const { descending } = term;
  // Null sorts lowest: ascending, it is never after a value, and PostgreSQL's row comparison excludes it as well.
  const plain = order.every(
    ({ descending: direction, expression }, at) =>
      direction === descending && (!expression.nullable || (!descending && !(values[at] ?? nothing).isNull)),
  );
  return plain ? compileRowComparison(order, values, descending, builder) : compileSteps(order, values, builder);
}

/** The part of the rows after a given one: those whose first term is equally null or not null, or the others. */
export type Reach = 'near' | 'far';

/** Whether rows with and without null in the first term come next: no index scan begins at both, so they are read one after the other. */
export function splitsAtNull([term]: readonly OrderTerm[], values: readonly KeysetValue[]): boolean {
  return term !== undefined && term.expression.nullable && term.descending !== (values[0] ?? nothing).isNull;
}

function compileNear(order: readonly OrderTerm[], values: readonly KeysetValue[], builder: StatementBuilder): string {
  const [term, ...others] = order;
  const [value = nothing, ...otherValues] = values;
  if (term === undefined) return 'false';
  if (value.isNull) return `${compileValue(term.expression, builder)} is null and ${compileAfter(others, otherValues, builder, undefined)}`;
  // A comparison excludes nulls.
  const known = { ...term, expression: { ...term.expression, nullable: false } as TypedExpr };
  return compileAfter([known, ...others], values, builder, undefined);
}

function compileRowComparison(
  order: readonly OrderTerm[],
  values: readonly KeysetValue[],
  descending: boolean,
  builder: StatementBuilder,
): string {
  const left = order.map((term) => compileValue(term.expression, builder));
  const right = order.map((term, index) => bindTerm(term, values[index] ?? nothing, builder));
  return `(${left.join(', ')}) ${descending ? '<' : '>'} (${right.join(', ')})`;
}

function compileSteps(order: readonly OrderTerm[], values: readonly KeysetValue[], builder: StatementBuilder): string {
  const [term, ...others] = order;
  const [value = nothing, ...otherValues] = values;
  if (term === undefined) return 'false';
  const beyond = compileBeyond(term, value, builder);
  if (others.length === 0) return beyond;
  const equal = compileEqual(term, value, builder);
  const rest = compileSteps(others, otherValues, builder);
  return `${compileBound(term, value, builder)}(${beyond} or (${equal} and ${rest}))`;
}

// `a >= x and (a > x or ...)`: an index scan starts from the first half.
function compileBound(term: OrderTerm, value: KeysetValue, builder: StatementBuilder): string {
  if (value.isNull || (term.descending && term.expression.nullable)) return '';
  return `${compileValue(term.expression, builder)} ${term.descending ? '<=' : '>='} ${bindTerm(term, value, builder)} and `;
}

function compileBeyond(term: OrderTerm, value: KeysetValue, builder: StatementBuilder): string {
  // Before the expression is compiled: an unused parameter would have no type.
  if (value.isNull && term.descending) return 'false';
  const expression = compileValue(term.expression, builder);
  if (value.isNull) return `${expression} is not null`;
  const beyond = `${expression} ${term.descending ? '<' : '>'} ${bindTerm(term, value, builder)}`;
  return term.descending && term.expression.nullable ? `(${beyond} or ${expression} is null)` : beyond;
}

function compileEqual(term: OrderTerm, value: KeysetValue, builder: StatementBuilder): string {
  const expression = compileValue(term.expression, builder);
  return value.isNull ? `${expression} is null` : `${expression} = ${bindTerm(term, value, builder)}`;
}

// Integer arithmetic is numeric, so values come back as numeric unless the term is a plain column.
function bindTerm({ expression }: OrderTerm, value: KeysetValue, builder: StatementBuilder): string {
  const { type } = expression;
  if (!isPropertyType(type)) return builder.bindValueOf(value, 'text');
  const { sql, rank } = primitives[type];
  const exact = rank !== undefined && expression.kind !== 'column' && !isFloating(type);
  return builder.bindValueOf(value, exact ? 'numeric' : sql);
}
