/** An exact number: a fraction in lowest terms with a positive denominator. */
export interface Num {
  readonly kind: 'number';
  readonly over: bigint;
  readonly under: bigint;
}

/** A point in time, a day, a time of day or a span, in microseconds. */
export interface Temporal {
  readonly kind: 'date' | 'time' | 'timestamp' | 'duration';
  readonly micros: bigint;
}

interface Guid {
  readonly kind: 'guid';
  readonly text: string;
}

/** A value of OData as the evaluator sees it; null has no type. */
export type Value = null | boolean | string | Num | Temporal | Guid;

/** The types that expressions are generated for. */
export type TypeName = 'string' | 'int' | 'decimal' | 'double' | 'boolean' | 'date' | 'time' | 'timestamp' | 'duration' | 'guid';

/** A fraction in lowest terms. */
export function fraction(over: bigint, under = 1n): Num {
  const divisor = greatestCommonDivisor(over, under);
  const sign = under < 0n ? -1n : 1n;
  return { kind: 'number', over: (sign * over) / divisor, under: (sign * under) / divisor };
}

/** The number that a decimal text such as `-12.50` or `1.5e-3` stands for. */
export function numberOf(text: string): Num {
  const [, sign = '', whole = '', digits = '', exponent = '0'] = /^([-+]?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const shift = Number(exponent) - digits.length;
  const scaled = BigInt(`${whole}${digits}`) * (sign === '-' ? -1n : 1n);
  return shift < 0 ? fraction(scaled, 10n ** BigInt(-shift)) : fraction(scaled * 10n ** BigInt(shift));
}

/** A whole number. */
export function whole(value: number | bigint): Num {
  return fraction(BigInt(value));
}

/** The text of a number that has finitely many decimal digits, without zeros at the end. */
export function decimalText({ over, under }: Num): string {
  let scale = 0n;
  while ((over * 10n ** scale) % under !== 0n) scale += 1n;
  const digits = ((over < 0n ? -over : over) * 10n ** scale) / under;
  const padded = String(digits).padStart(Number(scale) + 1, '0');
  const cut = padded.length - Number(scale);
  const text = scale === 0n ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
  return over < 0n ? `-${text}` : text;
}

/** Which of two values of one type comes first: strings by code point, false before true. */
export function compareValues(left: NonNullable<Value>, right: NonNullable<Value>): number {
  if (isNum(left) && isNum(right)) return sign(left.over * right.under - right.over * left.under);
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (isTemporal(left) && isTemporal(right) && left.kind === right.kind) return sign(left.micros - right.micros);
  if (isGuid(left) && isGuid(right)) return compareText(left.text, right.text);
  throw new Error(`The generator compared ${JSON.stringify(typeof left)} with ${JSON.stringify(typeof right)}.`);
}

/** Order with null lowest, as `$orderby` has it. */
export function compareWithNull(left: Value, right: Value): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  return compareValues(left, right);
}

export function isNum(value: Value): value is Num {
  return typeof value === 'object' && value?.kind === 'number';
}

/** A whole number within the bounds of Int64. */
export function inInt64(value: Value): Value {
  return isNum(value) && BigInt.asIntN(64, value.over / value.under) !== value.over / value.under ? null : value;
}

export function isTemporal(value: Value): value is Temporal {
  return typeof value === 'object' && value !== null && value.kind !== 'number' && value.kind !== 'guid';
}

function isGuid(value: Value): value is Guid {
  return typeof value === 'object' && value?.kind === 'guid';
}

// JavaScript compares UTF-16 units, which orders U+FFFF after U+10000.
function compareText(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => [...text].map((character) => character.codePointAt(0) ?? 0));
  const at = (a ?? []).findIndex((point, index) => point !== b?.[index]);
  if (at < 0) return sign(BigInt((a?.length ?? 0) - (b?.length ?? 0)));
  return (a?.[at] ?? 0) - (b?.[at] ?? -1);
}

function sign(value: bigint): number {
  return value < 0n ? -1 : Number(value > 0n);
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
