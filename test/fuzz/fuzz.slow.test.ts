import test from 'ava';
import { fuzzInput } from './fuzz-input.js';
import { loadModels } from './models.js';

test('a seed makes the same input every time', async (t) => {
  const models = await loadModels();
  t.true(models[0].corpus.urls.length > 300 && models.every(({ corpus }) => corpus.urls.length > 10 && corpus.bodies.length > 0));
  t.deepEqual(fuzzInput(7, models), fuzzInput(7, models));
  t.notDeepEqual(fuzzInput(7, models), fuzzInput(8, models));
});
