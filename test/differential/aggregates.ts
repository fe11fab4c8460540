import type { Method } from './expression.js';
import { compareWithNull, fraction, isNum, whole, type Num, type Value } from './values.js';

/** One value of several; of none there is none, but a number of them. */
export function aggregate(method: Method, values: readonly NonNullable<Value>[]): Value {
  if (method === 'countdistinct') return whole(new Set(values.map(textOf)).size);
  if (values.length === 0) return null;
  const sorted = values.toSorted(compareWithNull);
  if (method === 'min') return sorted[0] ?? null;
  if (method === 'max') return sorted.at(-1) ?? null;
  const sum = sumOf(values);
  return method === 'sum' ? sum : fraction(sum.over, sum.under * BigInt(values.length));
}

/** An exact sum. */
export function sumOf(values: readonly Value[]): Num {
  return values.reduce<Num>(
    (sum, value) => (isNum(value) ? fraction(sum.over * value.under + value.over * sum.under, sum.under * value.under) : sum),
    whole(0),
  );
}

/** A text that equal values have in common. */
export function textOf(value: Value): string {
  return isNum(value)
    ? `${value.over}/${value.under}`
    : JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
