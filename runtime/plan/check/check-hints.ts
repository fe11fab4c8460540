import type { BinaryExpr, CommonExpr } from '../../expression/ast.js';
import { precedences } from '../../expression/operators.js';
import { printExpr } from '../../expression/print.js';
import type { TypedExpr } from '../typed-expr.js';
import type { ExprFamily } from '../expr-facts.js';
import { describeFamily } from './operator-types.js';

/** The advice for a value in place of a condition: a comparison, as the end of a message. */
export function comparedHint(expr: CommonExpr, { type }: TypedExpr): string {
  if (expr.kind !== 'member' && expr.kind !== 'methodCall' && expr.kind !== 'binary') return '';
  return ` Compare it, as in ${printExpr(expr)} eq ${type === 'Edm.String' ? `'x'` : '1'}, or ne null.`;
}

/** `City eq 'x' or 'y'`: each value requires a comparison. */
export function alternativesHint({ operator, left, right }: BinaryExpr): string {
  if (operator !== 'or' || right.kind !== 'literal') return '';
  if (left.kind === 'literal') return ` Write in (${printExpr(left)},${printExpr(right)}).`;
  if (left.kind !== 'binary' || left.operator !== 'eq' || left.right.kind !== 'literal') return '';
  return ` Write ${printExpr(left.left)} in (${printExpr(left.right)},${printExpr(right)}).`;
}

const comparisons: ReadonlySet<number> = new Set([precedences.eq, precedences.lt]);

/** `1 lt ListPrice lt 5`: one comparison for each bound. */
export function chainHint({ operator, left, right }: BinaryExpr): string {
  if (left.kind !== 'binary' || !comparisons.has(precedences[left.operator])) return '';
  const middle = left.right.kind === 'literal' ? left.left : left.right;
  return ` Write ${printExpr(left)} and ${printExpr({ kind: 'binary', at: 0, operator, left: middle, right })}.`;
}

/** The literal in the required form. */
export function mismatchHint(right: CommonExpr, family: ExprFamily): string {
  if (right.kind !== 'literal') return '';
  if (family === 'timestamp' && right.type === 'Edm.Int64' && /^\d{9,13}$/.test(right.value))
    return ` A date-time is not a number: write ${momentOf(right.value)}.`;
  if (family === 'date' && right.type === 'Edm.Int64' && /^\d{4}$/.test(right.value))
    return ` Write ${right.value}-01-01, or compare year(...) with it.`;
  if (family === 'duration' && right.type === 'Edm.Int64')
    return ` Write duration'PT${right.value}S' for that many seconds, or compare totalseconds(...) with it.`;
  if (family === 'enumeration') return ' Write the name of a member in single quotes.';
  if (right.type === 'Edm.String') return unquoted(right.value, family);
  if (family === 'string') return ` Write '${right.value}'.`;
  if (family === 'boolean' && (right.value === '1' || right.value === '0')) return ` Write ${right.value === '1'}.`;
  if (family === 'timestamp' && right.type === 'Edm.Date') return ` Write ${right.value}T00:00:00Z.`;
  if (family === 'date' && right.type === 'Edm.DateTimeOffset') return ` Write ${right.value.slice(0, 10)}.`;
  return '';
}

// Seconds or milliseconds since 1970.
function momentOf(digits: string): string {
  return `${new Date(Number(digits) * (digits.length > 11 ? 1 : 1000)).toISOString().slice(0, 19)}Z`;
}

/** The forms of literals that a message can suggest. */
const plainForms: { readonly [Name in NonNullable<ExprFamily>]?: RegExp } = {
  number: /^-?\d+(\.\d+)?$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[-+]\d\d:\d\d)$/,
  time: /^\d\d:\d\d(:\d\d(\.\d+)?)?$/,
  guid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

function unquoted(text: string, family: ExprFamily): string {
  if (family === 'timestamp' && plainForms.date?.test(text)) return ` Write ${text}T00:00:00Z, without quotes.`;
  const known = family !== undefined && plainForms[family]?.test(text);
  if (!known && (family === 'date' || family === 'timestamp'))
    return ` Write ${family === 'date' ? '2024-01-31' : '2024-01-31T00:00:00Z'}, without quotes.`;
  if (family === 'complex') return ' Compare one of its properties.';
  return ` Write ${known ? text : describeFamily(family)}, without quotes.`;
}

/** A collection compared with a value: each item requires a comparison. */
export function anyHint({ operator, left, right }: BinaryExpr): string {
  return right.kind === 'literal' && right.type !== 'null' ? `write ${printExpr(left)}/any(x:x ${operator} ${printExpr(right)})` : '';
}
