// Depends on PostgreSQL: SQL.

import test from 'ava';
import { checkExchanges, exchangeFiles } from './exchanges.js';
import { startService } from '../support/service.js';

for (const file of exchangeFiles()) {
  test(file, async (t) => {
    const service = await startService();
    t.teardown(() => service.stop());
    await checkExchanges(t, file, service);
  });
}

// 2.1 and 2.2 are the model's own; 1, 2 and 6 describe no request.
const sections = ['3', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '5', '7', '8', '9'];

test('every section of the specification has its cases', (t) => {
  const files = exchangeFiles();
  t.deepEqual(
    sections.filter((section) => !files.some((name) => name.startsWith(`${section}-`))),
    [],
  );
});
