import test from 'ava';
import { fc } from '../support/fast-check.js';
import { checkPair, pair } from './random-models.js';

// GABLE_MIGRATION_PAIRS=200 for a long run; FAST_CHECK_SEED=random for pairs that nobody has tried.
const pairs = Number(process.env['GABLE_MIGRATION_PAIRS'] ?? '8');

test('a model made of another one ends with the schema of a fresh one, and keeps what both have', async (t) => {
  t.timeout(60_000 + pairs * 30_000);
  await fc.assert(fc.asyncProperty(pair, checkPair), { numRuns: pairs, includeErrorInReport: true });
  t.pass();
});
