import test from 'ava';
import { fc } from '../support/fast-check.js';
import { canonicalDecimal, compareDecimal, decimalText, fitsDecimal } from '../../runtime/json/canonical-number.js';
import { checkCases } from '../support/cases.js';

const shown = (text: string): string => {
  const decimal = canonicalDecimal(text);
  if (decimal === undefined) return 'none';
  const written = decimalText(decimal);
  return `${decimal.negative ? '-' : ''}${decimal.digits} scale ${decimal.scale}: ${written.length > 60 ? `${written.length} characters` : written}`;
};

test('numbers.case', (t) =>
  checkCases(t, 'json/numbers.case', {
    number: shown,
    fits: (text) =>
      [
        [5, 2],
        [3, 0],
        [18, 4],
      ]
        .filter(([precision = 0, scale = 0]) => fitsDecimal(text, precision, scale))
        .map(String)
        .join(' ') || 'none of them',
  }));

test('comparison agrees with whole numbers of any size', (t) => {
  const value = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20));
  fc.assert(
    fc.property(value, value, ([a, aScale], [b, bScale]) => {
      const left = a * 10n ** BigInt(20 - aScale);
      const right = b * 10n ** BigInt(20 - bScale);
      const expected = left < right ? -1 : left > right ? 1 : 0;
      t.is(compareDecimal(`${a}e-${aScale}`, `${b}e-${bScale}`), expected);
    }),
  );
});

test('what is written out is the same number', (t) => {
  const text = fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?([eE][-+]?\d{1,2})?$/);
  fc.assert(
    fc.property(text, (each) => {
      const decimal = canonicalDecimal(each);
      t.truthy(decimal);
      if (decimal) t.deepEqual(canonicalDecimal(decimalText(decimal)), decimal);
    }),
  );
  t.is(compareDecimal('x', '1'), undefined);
});
