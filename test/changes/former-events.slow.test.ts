// Depends on PostgreSQL: DDL.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { migrationsFolder } from '../../runtime/config/served-model.js';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { serviceTables } from '../../runtime/features/service-tables.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { patient, testDatabase } from '../support/database.js';

test('events of an earlier version keep their numbers, also those that are written while services change', async (t) => {
  const database = await testDatabase();
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  const folder = mkdtempSync(join(tmpdir(), 'gable-events-'));
  t.teardown(async () => {
    rmSync(folder, { recursive: true });
    await pool.close();
    await database.drop();
  });
  const run = (text: string): Promise<readonly (readonly (string | null)[])[]> =>
    withConnection(pool, (connection) => connection.run({ text, bind: [] }));
  copyFileSync(join(migrationsFolder(), '0001-initial.sql'), join(folder, '0001-initial.sql'));
  await migrate(pool, folder, serviceTables);
  await run(`insert into "Office" ("OfficeKey", "ModificationTimestamp") values ('O1', now())`);
  const events = `insert into "EntityEvent" ("#id", "EntityEventSequence", "ResourceName", "ResourceRecordKey")`;
  await run(`${events} values (7, 7, 'Office', 'O1'), (9, 9, 'Property', 'gone')`);
  await migrate(pool, migrationsFolder(), serviceTables, { until: 'expand' });
  // A service of the earlier version, and one of the new.
  await run(`${events} values (10, 10, 'Property', 'late')`);
  await run(`insert into "#changes" ("#set", "#key", "#operation") values ('Office', 'O1', 'u')`);
  await migrate(pool, migrationsFolder(), serviceTables);
  t.deepEqual(await run('select "#id", "#set", "#key", "#operation" from "#changes" order by 1'), [
    ['7', 'Office', 'O1', 'u'],
    ['9', 'Property', 'gone', 'd'],
    ['10', 'Office', 'O1', 'u'],
    ['11', 'Property', 'late', 'd'],
  ]);
  t.deepEqual(await run(`select to_regclass('"EntityEvent"')`), [[null]]);
});
