import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { startToy } from '../toy/toy-service.js';

test('ways back to what contains a record, which may be in one of several places', async (t) => {
  const service = await startToy('test/toy/inns.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/inns.http', service);
});
