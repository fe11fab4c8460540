import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { caller } from '../toy/test-models.js';
import { startToy } from '../toy/toy-service.js';

test('a service that only reads offers no method that changes something', async (t) => {
  const service = await startToy('test/toy/club.xml', {}, { readOnly: true, authenticate: () => Promise.resolve(caller(['admin'])) });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../operation/read-only.http', service);
});
