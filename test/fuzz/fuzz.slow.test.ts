import test from 'ava';
import { fuzzInput } from './fuzz-input.js';
import { longestShared, runFuzz } from './fuzz.js';
import { loadModels } from './models.js';

test('ten thousand broken inputs are answered from the catalogue, quickly, and leave nothing behind', async (t) => {
  const { statuses, faults, growth } = await runFuzz(10_000, 1, { allowed: longestShared });
  t.deepEqual(faults, []);
  t.true(growth < 16 * 1024 * 1024, `${growth} bytes`);
  // Both what is answered and what is refused is there, and a lot of each.
  t.true((statuses.get(200) ?? 0) > 400, [...statuses].join(' '));
  t.true((statuses.get(400) ?? 0) > 1_000);
});

test('a seed makes the same input every time', async (t) => {
  const models = await loadModels();
  t.true(models[0].corpus.urls.length > 300 && models.every(({ corpus }) => corpus.urls.length > 10 && corpus.bodies.length > 0));
  t.deepEqual(fuzzInput(7, models), fuzzInput(7, models));
  t.notDeepEqual(fuzzInput(7, models), fuzzInput(8, models));
});
