import type { PrimitiveTypeName } from '../edm/index.js';
import { canonicalDecimal, decimalText } from '../json/canonical-number.js';

/** Whether two texts that JSON may have of a key are one value: `PT90M` is `PT1H30M`, and 12.5 is 12.50. */
export function isSameKey(type: PrimitiveTypeName, left: string | null, right: string | null): boolean {
  if (left === right || left === null || right === null) return left === right;
  const canonical = canonicalTexts[type];
  return canonical !== undefined && canonical(left) === canonical(right);
}

const canonicalTexts: { readonly [Name in PrimitiveTypeName]?: (text: string) => string } = {
  'Edm.Decimal': (text) => {
    const decimal = canonicalDecimal(text);
    return decimal === undefined ? text : decimalText(decimal);
  },
  'Edm.Duration': (text) => String(microseconds(text)),
};

const parts = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/;

// Digits beyond those are rounded, as columns have them.
function microseconds(duration: string): bigint {
  const [, sign = '', days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts.exec(duration) ?? [];
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  const size = whole * 1_000_000n + (BigInt(fraction.padEnd(12, '0')) + 500_000n) / 1_000_000n;
  return sign === '-' ? -size : size;
}
