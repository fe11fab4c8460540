import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createOperationsServer } from '../../runtime/tools/operation/health.js';

test('what fails while it is answered on the port of operations is 500, and the process goes on', async (t) => {
  const server = createOperationsServer(() => Promise.reject(new Error('No answer.')));
  t.teardown(() => server.close());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.is((await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)).status, 500);
});
