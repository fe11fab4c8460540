import test from 'ava';
import { requestsToTry } from '../../runtime/tools/cli/introduce.js';

test('a model without entity sets is tried at its singletons', (t) => {
  const container = { namespace: 'House', entityTypes: {}, entitySets: {}, singletons: { Thermostat: 'Thermostat' } };
  t.deepEqual(
    requestsToTry(container, '/odata').map(({ url }) => url),
    ['/odata/$metadata', '/odata/Thermostat'],
  );
});
