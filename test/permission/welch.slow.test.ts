import test from 'ava';
import { createRandom } from './random.js';
import { telling, welch, withoutPauses } from './welch.js';

test("Welch's t of samples that a textbook has", (t) => {
  const one = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4];
  const other = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4];
  t.is(welch(one, other).toFixed(2), '-2.85');
  t.is(welch([1, 1], [1, 1]), 0);
});

test('one part in fifty is told among 2 000 noisy pairs, and nothing is told where nothing is', (t) => {
  const random = createRandom(7);
  const sample = (mean: number): readonly number[] =>
    Array.from({ length: 2_000 }, () => mean + random.below(200) + (random.chance(0.02) ? 5_000 : 0));
  t.true(Math.abs(welch(...withoutPauses(sample(1_000), sample(1_000)))) < telling);
  t.true(Math.abs(welch(...withoutPauses(sample(1_000), sample(1_020)))) > telling);
});
