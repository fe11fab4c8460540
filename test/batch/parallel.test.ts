// Depends on PostgreSQL: locks.

import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import type { ConnectionPool } from '../../runtime/database/pool.js';
import { withConnection } from '../../runtime/database/run.js';
import { until } from '../operation/until.js';
import { patient } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

// Requests of a batch wait for a lock on the table, and PostgreSQL says how many of their statements wait at the same time.
let service: TestService;
let pool: ConnectionPool;

test.before(async () => {
  // More connections than a batch may take.
  service = await startService({ GABLE_POOL_SIZE: '10' });
  pool = connect(service.databaseUrl, patient);
});

test.after.always(async () => {
  await pool.close();
  await service.stop();
});

const requests = 20;
const filtered = (index: number): string => `Property?$filter=ListPrice gt ${index}&$select=ListingKey`;

for (const { name, preference, atOnce } of [
  { name: 'four requests of a batch run at a time', preference: 'continue-on-error', atOnce: 4 },
  { name: 'a batch that ends with a failure runs one at a time', preference: 'continue-on-error=false', atOnce: 1 },
])
  test.serial(name, async (t) => {
    const token = await service.token('all');
    const body = JSON.stringify({
      requests: Array.from({ length: requests }, (_, id) => ({ id: String(id), method: 'GET', url: filtered(id) })),
    });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Prefer: preference };
    const answer = await withConnection(pool, async ({ run }) => {
      await run({ text: 'begin', bind: [] });
      await run({ text: 'lock table "Property" in access exclusive mode', bind: [] });
      const response = fetch(`${service.root}/$batch`, { method: 'POST', headers, body });
      await until(async () => (await waiting()) >= atOnce);
      // Those that are not to wait would do so by now.
      await delay(300);
      const most = await waiting();
      await run({ text: 'commit', bind: [] });
      t.is(most, atOnce);
      return response;
    });
    const { responses } = (await answer.json()) as { readonly responses: readonly { readonly status: number }[] };
    t.deepEqual(
      responses.map(({ status }) => status),
      Array.from({ length: requests }, () => 200),
    );
  });

async function waiting(): Promise<number> {
  const text = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const [row] = await withConnection(pool, ({ run }) => run({ text, bind: [] }));
  return Number(row?.[0]);
}
