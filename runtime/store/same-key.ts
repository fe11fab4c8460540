import type { PrimitiveTypeName } from '../edm/index.js';
import { durationMicros } from '../json/canonical-duration.js';
import { canonicalDecimal, decimalText } from '../json/canonical-number.js';

/** Whether two JSON texts of a key are equal: `PT90M` is `PT1H30M`, and 12.5 is 12.50. */
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
  'Edm.Duration': (text) => String(durationMicros(text)),
};
