import test from 'ava';
import { startClubs } from './club-databases.js';
import { startListings } from './listing-databases.js';
import { compareLogs } from './two-logs.js';
import { compareAnswers } from './two-databases.js';

test('nothing that is answered depends on properties that the caller may not see', async (t) => {
  t.timeout(300_000);
  const two = await startListings();
  t.teardown(() => two.stop());
  const { telling, different } = await compareAnswers(two, { cases: 1_000, seed: 1, caller: 'read' });
  t.deepEqual(different.slice(0, 3), []);
  // Random requests that are all refused would show nothing.
  t.true(telling > 100, `${telling} telling cases`);
  // Whoever may see them does see the difference, and often: the comparison can fail.
  const control = await compareAnswers(two, { cases: 150, seed: 1, caller: 'all' });
  t.true(control.different.length > 15, `${control.different.length} differences for a caller who sees all`);
});

test('nor do delta links, events and webhooks', async (t) => {
  t.timeout(300_000);
  const [listings, clubs] = [await startListings(), await startClubs()];
  t.teardown(() => Promise.all([listings.stop(), clubs.stop()]));
  for (const [two, caller] of [
    [listings, 'read'],
    [clubs, 'reader'],
    [clubs, 'worker'],
  ] as const) {
    const { followed, telling, delivered, different } = await compareLogs(two, { cases: 96, seed: 1, caller });
    t.deepEqual(different.slice(0, 3), [], caller);
    t.true(telling > 5, `${telling} of ${followed} links of ${caller} led to changes`);
    t.true(delivered > 5, `${delivered} rounds with deliveries to ${caller}`);
  }
  const control = await compareLogs(clubs, { cases: 64, seed: 1, caller: 'admin' });
  t.true(control.different.length > 15, `${control.different.length} differences for a caller who sees all`);
});

test('nor on records that the caller may not see, wherever a request would meet them, and whatever it changes', async (t) => {
  t.timeout(300_000);
  const two = await startClubs();
  t.teardown(() => two.stop());
  for (const caller of ['reader', 'worker']) {
    const { telling, statuses, different } = await compareAnswers(two, { cases: 400, seed: 1, caller });
    t.deepEqual(different.slice(0, 3), [], caller);
    t.true(telling > 100, `${telling} telling cases of ${caller}`);
    if (caller === 'worker') t.true((statuses.get(201) ?? 0) + (statuses.get(204) ?? 0) > 5, 'something was changed');
  }
  const control = await compareAnswers(two, { cases: 150, seed: 1, caller: 'admin' });
  t.true(control.different.length > 15, `${control.different.length} differences for a caller who sees all`);
});
