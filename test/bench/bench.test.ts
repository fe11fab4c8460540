import test from 'ava';
import { growthSizes, growthTable } from '../../bench/run/growth.js';
import { readOptions } from '../../bench/run/options.js';
import { comparison } from '../../bench/run/quick.js';

// oxfmt-ignore
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
W4       1.000      10.000       10.00        1.50 visits every match
W5       1.000       2.000        2.00        1.50      faster`,
  );
});

test('a ratio that fell by more than 0.08 is reported, a smaller fall or a rise is not', (t) => {
  const kept = { W1: 0.8, W2: 0.9, W3: 1.1, W7: 0.8 };
  t.is(
    comparison(kept, { W1: 0.72, W2: 0.81, W3: 1.3, W7: 0.71 }),
    'W2: the ratio by processor time fell from 0.90 to 0.81.\nW7: the ratio by processor time fell from 0.80 to 0.71.\n',
  );
  t.is(comparison(kept, { ...kept, W9: 0.1 }), 'No ratio by processor time fell by more than 0.08.\n');
});

test('a quick run has its own defaults, and options replace them', (t) => {
  const { listings, rounds, seconds, only, clients, quick } = readOptions(['--quick', '--rounds', '1', '--only', 'W1']);
  t.deepEqual(
    { listings, rounds, seconds, only, clients, quick },
    {
      listings: 20_000,
      rounds: 1,
      seconds: 1,
      only: ['W1'],
      clients: [16],
      quick: 'compare',
    },
  );
  t.throws(() => readOptions(['--keep']), { message: '--keep needs --quick.' });
  t.throws(() => readOptions(['--growht']), { message: 'unknown option --growht; did you mean --growth?' });
  t.throws(() => readOptions(['--only']), { message: '--only needs a value, as in --only=VALUE' });
});
