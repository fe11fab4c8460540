import { temporalOf, temporalText } from './calendar.js';
import type { Expression, Items } from './expression.js';
import { decimalText, isNum, isTemporal, whole, fraction, type Value } from './values.js';

/** An expression, and what its literals look like in a bind; all of them have four characters and more. */
interface Relabelled {
  readonly expression: Expression;
  readonly texts: readonly string[];
}

/** The same tree with literals that occur nowhere else; another `turn` gives others. Booleans, nulls and spans stay. */
export function withLiterals(expression: Expression, turn: number): Relabelled {
  const texts: string[] = [];
  const fresh = (value: Value): Value => {
    const made = distinct(value, turn, texts.length);
    if (made !== value) texts.push(textOf(made));
    return made;
  };
  return { expression: relabel(expression, fresh), texts };
}

function relabelItems(items: Items, again: (expr: Expression) => Expression): Items {
  return 'path' in items ? items : items.map(again);
}

function relabel(expr: Expression, fresh: (value: Value) => Value): Expression {
  const again = (inner: Expression): Expression => relabel(inner, fresh);
  switch (expr.kind) {
    case 'literal':
      return { ...expr, value: fresh(expr.value) };
    case 'path':
      return expr;
    case 'unary':
    case 'cast':
      return { ...expr, operand: again(expr.operand) };
    case 'binary':
      return { ...expr, left: again(expr.left), right: again(expr.right) };
    case 'in':
      return { ...expr, operand: again(expr.operand), items: expr.items.map(again) };
    case 'call':
      return { ...expr, arguments: expr.arguments.map(again) };
    case 'case':
      return { ...expr, branches: expr.branches.map(({ condition, value }) => ({ condition: again(condition), value: again(value) })) };
    case 'collections':
      return { ...expr, left: relabelItems(expr.left, again), right: relabelItems(expr.right, again) };
    case 'tuple':
      return { ...expr, operands: expr.operands.map(again), rows: expr.rows.map((row) => row.map(again)) };
    case 'count':
      return { ...expr, predicate: again(expr.predicate) };
    case 'items':
      return { ...expr, items: expr.items.map(fresh) as typeof expr.items }; // No value becomes null.
    case 'flags':
    case 'dynamic':
    case 'near':
    case 'inside':
      return expr;
    default:
      return expr.predicate === undefined ? expr : { ...expr, predicate: again(expr.predicate) };
  }
}

// A number keeps being whole or not, because that is its type.
function distinct(value: Value, turn: number, index: number): Value {
  const number = BigInt(7_306_951 + 1_000_003 * turn + 7919 * index);
  if (typeof value === 'string') return `Q'z;${turn}x${index}--"`;
  if (isNum(value)) return value.under === 1n ? whole(number) : fraction(number * 8n + 1n, 8n);
  if (isTemporal(value)) return instant(value.kind, turn, index) ?? value;
  if (typeof value === 'object' && value !== null)
    return { kind: 'guid', text: `7d0b5a3e-${turn}c4f-4b1d-9e6a-${String(index).padStart(12, '5')}` };
  return value;
}

function instant(kind: string, turn: number, index: number): Value | undefined {
  const date = `18${String(((index + turn) % 90) + 10)}-1${turn}-${String((index % 17) + 11)}`;
  const time = `1${turn}:4${index % 10}:3${index % 7}.73${String(index % 1000).padStart(3, '0')}${turn}`;
  if (kind === 'date') return temporalOf('date', date);
  if (kind === 'time') return temporalOf('time', time);
  return kind === 'timestamp' ? temporalOf('timestamp', `${date}T${time}Z`) : undefined;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value.slice(0, -1).replaceAll('%', String.raw`\%`);
  if (isNum(value)) return decimalText(value);
  if (isTemporal(value)) return temporalText(value);
  return typeof value === 'object' && value !== null ? value.text : String(value);
}
