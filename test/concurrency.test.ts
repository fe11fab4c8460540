import test from 'ava';
import { increment, mixtures } from './concurrency/increments.js';
import { startService } from './service.js';

test('of many who change one record from the same state, one does', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const { statuses, final } = await increment(service, { clients: 10, attempts: 15 });
  t.is(statuses.get(204), final);
  t.deepEqual([...statuses.keys()].sort(), [204, 412]);
  t.is((statuses.get(204) ?? 0) + (statuses.get(412) ?? 0), 150);
  t.deepEqual(await mixtures(service, { clients: 6, attempts: 10 }), []);
});
