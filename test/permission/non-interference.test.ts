import test from 'ava';
import { compareAnswers, startTwo } from './two-databases.js';

test('nothing that is answered depends on what the caller may not see', async (t) => {
  t.timeout(300_000);
  const two = await startTwo();
  t.teardown(() => two.stop());
  const { telling, different } = await compareAnswers(two, { cases: 1_500, seed: 1, caller: 'read' });
  t.deepEqual(different.slice(0, 3), []);
  // Random requests that are all refused would show nothing.
  t.true(telling > 150, `${telling} telling cases`);
  // Whoever may see them does see the difference, and often: the comparison can fail.
  const control = await compareAnswers(two, { cases: 150, seed: 1, caller: 'all' });
  t.true(control.different.length > 20, `${control.different.length} differences for a caller who sees all`);
});
