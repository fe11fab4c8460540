import test from 'ava';
import { createRandom } from '../permission/random.js';
import { isWithin } from './figures.js';
import { trendOf, type Point } from './trend.js';

// Two hours of a sample every ten seconds, as a heap goes up and down, with so much more every hour.
function heap(growth: number): readonly Point[] {
  const random = createRandom(1);
  return Array.from({ length: 720 }, (_, index) => ({ time: index / 360, value: 100 + (growth * index) / 360 + random.below(30) }));
}

test('the slope is that of the floor, and known to a part of a megabyte', (t) => {
  const { slope, uncertainty } = trendOf(heap(5));
  t.true(Math.abs(slope - 5) < uncertainty + 0.1, `${slope} within ${uncertainty}`);
  t.true(uncertainty < 1, String(uncertainty));
});

test('growth beyond the limit is told, and noise is not taken for it', (t) => {
  t.true(isWithin(trendOf(heap(0)), 1));
  t.false(isWithin(trendOf(heap(3)), 1));
  t.true(isWithin(trendOf(heap(3)), undefined));
});
