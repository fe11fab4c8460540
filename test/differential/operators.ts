import { compareValues, fraction, isNum, isTemporal, type Num, type Temporal, type Value } from './values.js';

/** The result of an operator for two values (URL conventions 5.1.1.1 and 5.1.1.2); `and` and `or` are three-valued. */
type Operator = (left: Value, right: Value) => Value;

// oxfmt-ignore
/** The operators by name. */
export const operators: { readonly [name: string]: Operator | undefined } = {
  and: (left, right) => (left === false || right === false ? false : left === null || right === null ? null : true),
  or: (left, right) => (left === true || right === true ? true : left === null || right === null ? null : false),
  eq: equal,
  ne: (left, right) => !equal(left, right),
  gt: comparison((order) => order > 0),
  ge: comparison((order) => order >= 0),
  lt: comparison((order) => order < 0),
  le: comparison((order) => order <= 0),
  add: (left, right) => (isTemporal(left) ? moment(left, right, 1n) : arithmetic(add)(left, right)),
  sub: (left, right) => (isTemporal(left) ? moment(left, right, -1n) : arithmetic((a, b) => add(a, negate(b)))(left, right)),
  mul: (left, right) => (isTemporal(left) ? scaled(left, right) : isTemporal(right) ? scaled(right, left) : arithmetic((a, b) => fraction(a.over * b.over, a.under * b.under))(left, right)),
  divby: arithmetic(divide),
  // The generator says whether both are whole, because the type decides and not the value.
  div: (left, right) => (isTemporal(left) ? divided(left, right) : arithmetic(divide)(left, right)),
  wholeDiv: arithmetic((a, b) => truncated(divide(a, b))),
  mod: arithmetic((a, b) => remainder(a, b)),
};

function divided(left: Temporal, right: Value): Value {
  return isNum(right) && right.over !== 0n ? { kind: 'duration', micros: (left.micros * right.under) / right.over } : null;
}

/** `not`: null stays null. */
export function not(value: Value): Value {
  return value === null ? null : !(value as boolean);
}

/** The sign turned. */
export function minus(value: Value): Value {
  if (isTemporal(value)) return { ...value, micros: -value.micros };
  return isNum(value) ? negate(value) : null;
}

/** Equality, where null equals null and nothing else; never null itself. */
export function equal(left: Value, right: Value): boolean {
  if (left === null || right === null) return left === right;
  return compareValues(left, right) === 0;
}

/** The whole part, towards zero. */
export function truncated(value: Num | null): Num | null {
  return value && fraction(value.over / value.under);
}

// With null on a side, gt, ge, lt and le are false.
function comparison(holds: (order: number) => boolean): Operator {
  return (left, right) => left !== null && right !== null && holds(compareValues(left, right));
}

function arithmetic(compute: (left: Num, right: Num) => Num | null): Operator {
  return (left, right) => (isNum(left) && isNum(right) ? compute(left, right) : null);
}

function add(a: Num, b: Num): Num {
  return fraction(a.over * b.under + b.over * a.under, a.under * b.under);
}

function negate({ over, under }: Num): Num {
  return fraction(-over, under);
}

// Decisions, section 3: a zero in the data makes the expression null.
function divide(a: Num, b: Num): Num | null {
  return b.over === 0n ? null : fraction(a.over * b.under, a.under * b.over);
}

// The sign is that of the dividend.
function remainder(a: Num, b: Num): Num | null {
  const times = truncated(divide(a, b));
  return times && add(a, negate(fraction(times.over * b.over, b.under)));
}

// 0001-01-01T00:00:00Z, the first moment that answers can have.
const year1 = -62_135_596_800_000_000n;

function moment(left: Temporal, right: Value, direction: bigint): Value {
  if (!isTemporal(right)) return null;
  const kind = right.kind === 'duration' ? left.kind : 'duration';
  const micros = left.micros + direction * right.micros;
  if (kind !== 'duration' && micros < year1) return null;
  return { kind, micros: kind === 'date' ? micros - modulo(micros, 86_400_000_000n) : micros };
}

// The remainder of a day is cut off, before 1970 too.
function modulo(value: bigint, divisor: bigint): bigint {
  return ((value % divisor) + divisor) % divisor;
}

// The generator takes whole numbers only, so that nothing is rounded.
function scaled(left: Temporal, right: Value): Value {
  return isNum(right) ? { kind: 'duration', micros: left.micros * right.over } : null;
}
