import test from 'ava';
import { hasPgBouncer, startPgBouncer } from '../database/pgbouncer.js';
import { startService } from '../support/service.js';
import { checkExchanges, exchangeFiles } from './exchanges.js';

if (!hasPgBouncer) test('PgBouncer is not installed: the requests through it are skipped', (t) => t.pass());

// Its connections to the server are renewed every second, so that no setting of a session lasts.
const settings = ['pool_mode = transaction', 'server_lifetime = 1'];

for (const file of hasPgBouncer ? exchangeFiles() : []) {
  test(`${file} through a pooler in transaction mode`, async (t) => {
    const service = await startService({}, (url) => startPgBouncer(url, settings));
    t.teardown(() => service.stop());
    await checkExchanges(t, file, service);
  });
}
