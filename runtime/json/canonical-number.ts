/** The most digits of a number written out; longer numbers are rejected. */
export const maxDigits = 1000;

/** An exact number: `digits` × 10^-`scale`, with no zero at either end of the digits; zero is `0` with scale 0. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  /** Negative for whole numbers that end in zeros: 1e3 has the digits 1 and the scale -3. */
  readonly scale: number;
}

/** Parses a decimal, with or without exponent; undefined for other text and for more than `maxDigits` digits. */
export function canonicalDecimal(text: string): Decimal | undefined {
  const match = /^([-+]?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = trimZeros(whole + fraction);
  if (digits.text === '') return { negative: false, digits: '0', scale: 0 };
  const scale = fraction.length - Number(exponent) - digits.trailing;
  if (Math.max(digits.text.length, digits.text.length - scale, scale) > maxDigits) return undefined;
  return { negative: sign === '-', digits: digits.text, scale };
}

/** Compares two numbers: -1, 0 or 1; undefined when either text is no number. */
export function compareDecimal(a: string, b: string): -1 | 0 | 1 | undefined {
  const left = canonicalDecimal(a);
  const right = canonicalDecimal(b);
  if (!left || !right) return undefined;
  const signs = [signOf(left), signOf(right)] as const;
  if (signs[0] !== signs[1]) return signs[0] < signs[1] ? -1 : 1;
  const magnitude = compareMagnitude(left, right);
  return left.negative ? negated(magnitude) : magnitude;
}

/** Whether a number has at most `precision` digits, and `scale` of them after the point, where that is fixed (CSDL XML 4.01, 7.2.4). */
export function fitsDecimal(text: string, precision: number | undefined, scale: number | undefined): boolean {
  if (precision === undefined && scale === undefined) return true;
  const decimal = canonicalDecimal(text);
  if (!decimal) return false;
  if (scale === undefined) return decimal.digits.length <= (precision ?? Infinity);
  const whole = decimal.digits === '0' ? 0 : Math.max(0, decimal.digits.length - decimal.scale);
  return Math.max(0, decimal.scale) <= scale && whole <= (precision ?? Infinity) - scale;
}

/** The number without an exponent, as the database reads it. */
export function decimalText({ negative, digits, scale }: Decimal): string {
  const sign = negative ? '-' : '';
  if (scale <= 0) return `${sign}${digits}${'0'.repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

// A loop: a pattern for trailing zeros would rescan every run of zeros.
function trimZeros(text: string): { text: string; trailing: number } {
  let start = 0;
  let end = text.length;
  while (text[start] === '0') start++;
  while (end > start && text[end - 1] === '0') end--;
  return { text: text.slice(start, end), trailing: text.length - end };
}

function signOf({ negative, digits }: Decimal): -1 | 0 | 1 {
  if (digits === '0') return 0;
  return negative ? -1 : 1;
}

// Numbers of equal length before the point compare like their digits as text.
function compareMagnitude(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const lengths = [left.digits.length - left.scale, right.digits.length - right.scale] as const;
  if (lengths[0] !== lengths[1]) return lengths[0] < lengths[1] ? -1 : 1;
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -1 : 1;
}

function negated(order: -1 | 0 | 1): -1 | 0 | 1 {
  if (order === 0) return 0;
  return order === 1 ? -1 : 1;
}
