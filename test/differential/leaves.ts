import { fc } from '../support/fast-check.js';
import type { Expression } from './expression.js';
import { literals } from './literals.js';
import { pathsTo } from './names.js';
import type { Expressions, Place } from './place.js';
import { isNum, numberOf, type TypeName } from './values.js';

/** A property or a literal. */
export function leaf(type: TypeName, place: Place): Expressions {
  const paths = pathsTo(type, place.names);
  const literal = literalOf(type);
  return paths.length === 0
    ? literal
    : fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...paths).map((path) => ({ kind: 'path' as const, path })) },
        { weight: 1, arbitrary: literal },
      );
}

/** A literal, sometimes null. */
export function literalOf(type: TypeName): Expressions {
  const values = literals[type].map((value) => ({ kind: 'literal' as const, type, value }));
  if (type === 'duration') return values;
  return fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.constant({ kind: 'literal' as const, type, value: null }) });
}

/** A property that is one of these. */
export function pathOf(columns: readonly string[], place: Place): Expressions {
  const paths = [...pathsTo('int', place.names), ...pathsTo('decimal', place.names)].filter((path) => columns.includes(path.at(-1) ?? ''));
  return fc.constantFrom(...paths).map((path) => ({ kind: 'path', path }));
}

/** A day that is known to be one. */
export function day(place: Place): Expressions {
  return leaf('date', place).filter((expr) => expr.kind !== 'literal' || expr.value !== null);
}

/** With a bare null the type of a sum with a duration is ambiguous; the service rejects it. */
export function moment(place: Place): Expressions {
  return leaf('timestamp', place).filter((expr) => expr.kind !== 'literal' || expr.value !== null);
}

/** A function of such arguments. */
export function call(names: readonly string[], ...args: readonly Expressions[]): Expressions {
  return fc.tuple(fc.constantFrom(...names), fc.tuple(...args)).map(([method, values]) => ({ kind: 'call', method, arguments: values }));
}

/** A cast to one of the types. */
export function cast(values: Expressions, ...types: readonly string[]): Expressions {
  return fc.tuple(values, fc.constantFrom(...types)).map(([operand, to]) => ({ kind: 'cast', operand, to }));
}

/** Two operands. */
export function binary(operator: string, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right };
}

/** A minus in front. */
export function negation(operand: Expression): Expression {
  return { kind: 'unary', operator: '-', operand };
}

/** The service refuses a literal zero as a divisor, and a literal negative length. */
export function isNotZero(expr: Expression): boolean {
  if (expr.kind === 'unary') return isNotZero(expr.operand);
  return expr.kind !== 'literal' || !isNum(expr.value) || expr.value.over !== 0n;
}

/** A literal that is not negative. */
export function withoutSign(expr: Expression): Expression {
  return expr.kind === 'literal' && isNum(expr.value) && expr.value.over < 0n ? { ...expr, value: numberOf('1') } : expr;
}

/** Whether a number is exact as a double. */
export function isSmall(expr: Expression): boolean {
  return expr.kind === 'path'
    ? expr.path.at(-1) !== 'L'
    : expr.kind !== 'literal' || !isNum(expr.value) || expr.value.over ** 2n < 10n ** 18n;
}
