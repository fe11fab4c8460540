import test from 'ava';
import { checkExchanges } from './http/exchanges.js';
import { startToy } from './toy/toy-service.js';

test('relations that no property of the model holds', async (t) => {
  const service = await startToy('test/toy/library.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/library.http', service);
});
