import { dateOf, partsOf, temporalOf, timeOf, type Parts } from './calendar.js';
import { fraction, isNum, isTemporal, whole, type Num, type Value } from './values.js';

type Present = NonNullable<Value>;
type Function = (...args: readonly Present[]) => Value;

/** The canonical functions by name (URL conventions 5.1.1.5 to 5.1.1.9); an argument that is null makes the result null. */
const functions: { readonly [name: string]: Function | undefined } = {
  concat: (left, right) => `${text(left)}${text(right)}`,
  contains: (value, part) => text(value).includes(text(part)),
  startswith: (value, part) => text(value).startsWith(text(part)),
  endswith: (value, part) => text(value).endsWith(text(part)),
  length: (value) => whole(characters(value).length),
  indexof: (value, part) => whole(indexOf(characters(value), characters(part))),
  substring: (value, start, length) => substring(characters(value), size(start), length === undefined ? undefined : size(length)),
  tolower: (value) => text(value).toLowerCase(),
  toupper: (value) => text(value).toUpperCase(),
  trim: (value) => text(value).replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''),
  year: part((parts) => parts.year),
  month: part((parts) => parts.month),
  day: part((parts) => parts.day),
  hour: part((parts) => parts.hour),
  minute: part((parts) => parts.minute),
  second: part((parts) => parts.second),
  fractionalseconds: (value) => (isTemporal(value) ? fraction(partsOf(value).micros, 1_000_000n) : null),
  totaloffsetminutes: () => whole(0),
  totalseconds: (value) => (isTemporal(value) ? fraction(value.micros, 1_000_000n) : null),
  date: (value) => (isTemporal(value) ? dateOf(value) : null),
  time: (value) => (isTemporal(value) ? timeOf(value) : null),
  // Later than all that is generated; the two ends of time are the service's own.
  now: () => temporalOf('timestamp', '2025-01-01T00:00:00Z'),
  mindatetime: () => temporalOf('timestamp', '0001-01-01T00:00:00Z'),
  maxdatetime: () => temporalOf('timestamp', '9999-12-31T23:59:59.999999Z'),
  floor: number((value) => floor(value)),
  ceiling: number(({ over, under }) => -floor(fraction(-over, under))),
  round: number(round),
};

/** A function's value. */
export function call(name: string, args: readonly Value[]): Value {
  const present = args.flatMap((argument) => (argument === null ? [] : [argument]));
  return present.length < args.length ? null : (functions[name]?.(...present) ?? null);
}

function text(value: Present): string {
  return value as string;
}

// A character is a code point.
function characters(value: Present): readonly string[] {
  return [...text(value)];
}

function size(value: Present): number {
  return isNum(value) ? Number(value.over) : 0;
}

function indexOf(all: readonly string[], part: readonly string[]): number {
  for (let at = 0; at + part.length <= all.length; at += 1) {
    if (part.every((character, index) => all[at + index] === character)) return at;
  }
  return -1;
}

// A negative start counts from the end, and one before the beginning is the beginning; a negative length in the data takes nothing.
function substring(all: readonly string[], start: number, length: number | undefined): string {
  const from = start < 0 ? Math.max(0, all.length + start) : start;
  return all.slice(from, length === undefined ? undefined : from + Math.max(0, length)).join('');
}

function part(of: (parts: Parts) => number): Function {
  return (value) => (isTemporal(value) ? whole(of(partsOf(value))) : null);
}

function number(compute: (value: Num) => bigint): Function {
  return (value) => (isNum(value) ? whole(compute(value)) : null);
}

function floor({ over, under }: Num): bigint {
  const quotient = over / under;
  return over % under < 0n ? quotient - 1n : quotient;
}

// Halves go away from zero.
function round({ over, under }: Num): bigint {
  const size = over < 0n ? -over : over;
  const rounded = (2n * size + under) / (2n * under);
  return over < 0n ? -rounded : rounded;
}
