import { fc } from '../support/fast-check.js';
import { temporalOf } from './calendar.js';
import { fraction, numberOf, whole, type TypeName, type Value } from './values.js';

type Values = fc.Arbitrary<NonNullable<Value>>;

// Few values, so that equal ones meet; the odd ones are where languages and databases differ.
const words = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'A',
  'Ab',
  "it's",
  '%',
  'a%b',
  '_',
  '\\',
  'a b',
  ' a ',
  '\u2003a\u3000',
  'straße',
  'STRASSE',
  'İi',
  'ΣΑΣ',
  '\uFF5E',
  '😀',
  '😀a',
  'é',
  '12',
  '-3',
  '3.7',
  '+5',
  '.5',
  '5.',
  '1e3',
  '1e400',
  ' 1',
  '99999999999',
  'null',
  'true',
  '+&#?/=',
  '2020-01-01',
  '2023-02-29',
  '2000-02-30',
  '12:30:00',
  '12:30:59.999999',
  '12:30:59.9999999',
  '12:30',
  '24:00:00',
  '2020-01-01T12:30Z',
  '2019-12-31T23:59:59.99999999Z',
  '2020-01-01T12:30:00Z',
  '2020-01-01T12:30:00',
  '2020-01-01T12:30:60Z',
  'P1D',
  '-PT1H',
  'PT',
  'P1DT',
  '0A000000-0000-0000-0000-00000000000B',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

const characters = fc.constantFrom('a', 'b', 'A', 'é', 'ß', '😀', '\uFF5E', ' ', '%', '_', "'", '\\', '1', '.', '+');

/** Words as they are stored and as they are asked for. */
export const strings: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: characters, maxLength: 6 }) },
);

/** Whole numbers of 32 bits, mostly small. */
export const ints: Values = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -12, max: 12 }).map(whole) },
  { weight: 1, arbitrary: fc.constantFrom(2147483647, -2147483648, 1000).map(whole) },
);

/** Whole numbers of 64 bits. */
const longs: Values = fc.oneof(
  { weight: 3, arbitrary: ints },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(9223372036854775807n, 9223372036854775806n, 9223372036854775805n, -9223372036854775808n, 9007199254740993n)
      .map(whole),
  },
);

/** Numbers with at most three digits after the point. */
const decimals: Values = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -40, max: 40 }).map((value) => fraction(BigInt(value), 4n)) },
  { weight: 2, arbitrary: fc.integer({ min: -3000, max: 3000 }).map((value) => fraction(BigInt(value), 1000n)) },
  { weight: 1, arbitrary: fc.constantFrom('999999999.999', '-999999999.999', '0.001', '0.1', '0.5', '-0.5', '1.5', '2.5').map(numberOf) },
);

const fineDecimals: Values = fc.oneof(
  decimals,
  fc.constantFrom('0.1000000001', '-0.0000000001', '12345678901234567890.0123456789').map(numberOf),
);

// Quarters are exact in binary too, so that sums and products of doubles can be compared exactly.
const doubles: Values = fc.integer({ min: -40, max: 40 }).map((value) => fraction(BigInt(value), 4n));

const dates = fc
  .constantFrom('2000-02-29', '2019-12-31', '2020-01-01', '2020-01-02', '1969-12-31', '0001-01-01', '9999-12-31')
  .map((text) => temporalOf('date', text));
const times = fc.constantFrom('00:00:00', '12:30:00', '12:30:59.999999', '23:59:59', '07:05:03.5').map((text) => temporalOf('time', text));
const seconds = fc
  .constantFrom('2019-12-31T23:59:59Z', '2020-01-01T00:00:00Z', '2020-01-01T12:30:00Z', '1969-12-31T23:59:59Z', '2000-02-29T07:05:03Z')
  .map((text) => temporalOf('timestamp', text));
const instants = fc.oneof(
  seconds,
  fc
    .constantFrom('2019-12-31T23:59:59.999999Z', '2020-01-01T00:00:00.5Z', '1969-12-31T23:59:59.000001Z')
    .map((text) => temporalOf('timestamp', text)),
);
const durations = fc
  .constantFrom(0n, 1n, 500_000n, -1_000_000n, 3_600_000_000n, -86_400_000_000n, 86_400_000_000n, 43_200_000_000n)
  .map((micros) => ({ kind: 'duration' as const, micros }));
const guids = fc
  .constantFrom('00000000-0000-0000-0000-000000000000', '0a000000-0000-0000-0000-00000000000b', 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  .map((text) => ({ kind: 'guid' as const, text }));

/** Values of a type that is not null. */
export const literals: { readonly [Type in TypeName]: Values } = {
  string: strings,
  int: longs,
  decimal: decimals,
  double: doubles,
  boolean: fc.boolean(),
  date: dates,
  time: times,
  timestamp: instants,
  duration: durations,
  guid: guids,
};

/** Places on a map, as the database writes them: far enough apart that no distance is near another one's. */
export const places = ['(1,2)', '(-79.5,43.25)', '(179.5,-10)', '(0,0)', '(1.5,2.5)'] as const;

/** The words of texts that are searched, and of searches. */
export const searchWords = ['oak', 'elm', 'pine', 'Ash', 'fir42'] as const;

/** Values of properties that the model does not declare: of any type, and mostly not of the one that is asked for. */
export const dynamicColumns: { readonly [column: string]: fc.Arbitrary<Value> } = {
  Da: orNull(fc.oneof(strings, decimals, fc.boolean(), fc.constantFrom('2020-01-01', '2000-02-30', 'true', '12'))),
  Db: orNull(fc.oneof(ints, decimals, strings)),
};

/** The values that each column of an item is filled with; a good third of them is null. */
export const itemColumns: { readonly [column: string]: fc.Arbitrary<Value> } = {
  S: orNull(strings),
  U: orNull(strings),
  I: orNull(ints),
  J: orNull(ints),
  L: orNull(longs),
  N: orNull(decimals),
  M: orNull(fineDecimals),
  R: orNull(doubles),
  B: orNull(fc.boolean()),
  C: orNull(fc.boolean()),
  D: orNull(dates),
  E: orNull(dates),
  T: orNull(seconds),
  X: orNull(instants),
  H: orNull(times),
  G: orNull(guids),
  K: orNull(fc.integer({ min: 0, max: 7 }).map(whole)),
  P: orNull(fc.constantFrom(...places)),
  Words: orNull(fc.array(fc.constantFrom(...searchWords), { maxLength: 5 }).map((words) => words.join(' '))),
};

/** The values of a part. */
export const partColumns: { readonly [column: string]: fc.Arbitrary<Value> } = {
  Text: orNull(strings),
  Amount: orNull(decimals),
  Flag: orNull(fc.boolean()),
};

function orNull(values: Values): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 2, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
}

/** The values of the complex property and of the one within; each may be missing as a whole. */
export const placeColumns: { readonly [column: string]: fc.Arbitrary<Value> } = {
  Town: orNull(strings),
  Zip: orNull(ints),
  Size: orNull(decimals),
  Since: orNull(dates),
};

export const innerColumns: { readonly [column: string]: fc.Arbitrary<Value> } = {
  Open: orNull(fc.boolean()),
  Floor: orNull(ints),
};
