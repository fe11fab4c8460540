import test from 'ava';
import { comparison } from '../../bench/run/quick.js';
import { readOptions } from '../../bench/run/options.js';

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
});
