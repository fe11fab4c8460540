// Depends on PostgreSQL: locks.

import test from 'ava';
import { hasPgBouncer, preparedStatements, startPgBouncer } from '../database/pgbouncer.js';
import { startService } from '../support/service.js';
import { findLosses } from './loss.js';

/** `LOSS_SECONDS=3600` looks for longer. */
const seconds = Number(process.env['LOSS_SECONDS'] ?? 12);

test('readers of the log miss nothing, get nothing twice, and get the changes of a record in order', async (t) => {
  t.timeout(seconds * 1_000 + 120_000);
  const service = await startService();
  t.teardown(() => service.stop());
  const settings = ['pool_mode = transaction', ...[preparedStatements(200) ?? []].flat()];
  const pooler = hasPgBouncer ? await startPgBouncer(service.databaseUrl, settings) : undefined;
  t.teardown(() => pooler?.stop());
  const { log, readers, disordered, writes } = await findLosses(service, { seconds, secondUrl: pooler?.url ?? service.databaseUrl });
  t.log(`${writes} answered writes, ${log.length} changes${pooler === undefined ? ', no PgBouncer' : ''}`);
  for (const found of readers) t.deepEqual(found, log);
  t.deepEqual(disordered, []);
});
