import test from 'ava';
import { startSecond } from './second-service.js';
import { checkExchanges } from '../http/exchanges.js';

test('mistakes in a model that has what the listing model does not', async (t) => {
  const service = await startSecond();
  t.teardown(() => service.stop());
  await checkExchanges(t, '../conformance/mistakes.http', service);
});
