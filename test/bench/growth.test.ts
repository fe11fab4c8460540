import test from 'ava';
import { growthSizes, growthTable } from '../../bench/run/growth.js';

// prettier-ignore
const sizes: { readonly [largest: number]: readonly number[] } = {
  9_999: [9_999], 10_000: [10_000], 250_000: [10_000, 100_000], 1_000_000: [10_000, 100_000, 1_000_000],
};

test('sizes go up to the largest, in steps of ten', (t) => {
  t.deepEqual(Object.fromEntries(Object.keys(sizes).map((largest) => [largest, growthSizes(Number(largest))])), sizes);
});

test('a cost is compared with the logarithm of the listings; a count may grow with what it counts', (t) => {
  const costs = [
    { W1: 0.1, W4: 1, W5: 1 },
    { W1: 0.12, W4: 10, W5: 2 },
  ];
  t.is(
    growthTable([10_000, 1_000_000], costs),
    `         10000     1000000    grows by   logarithm
W1       0.100       0.120        1.20        1.50          ok
W4       1.000      10.000       10.00        1.50 counts every match
W5       1.000       2.000        2.00        1.50      faster`,
  );
});
