import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { readStrangers, schemaProbe } from '../../runtime/tools/migrations/migration-status.js';
import { migrationsOf, withMigrations } from './scene.js';

const first = readFileSync('test/migrate/first.xml', 'utf8');
const second = first.replace('<Property Name="Old"', '<Property Name="Note" Type="Edm.String"/><Property Name="Old"');

test('a running process and a starting one notice migrations that their release does not have', async (t) => {
  const texts = migrationsOf(first, new Map(), noDecisions);
  await withMigrations(texts, async ({ pool, folder, apply, write, run }) => {
    const state = schemaProbe(pool, folder);
    t.deepEqual(await state(), { missing: ['0001-initial.sql'], newer: [], isReadOnly: false });
    t.deepEqual(await readStrangers(pool, folder), { isEmpty: true, strangers: [] });
    await apply();
    t.deepEqual(await state(), { missing: [], newer: [], isReadOnly: false });
    write(migrationsOf(second, texts, noDecisions));
    t.deepEqual(await state(), { missing: [], newer: [], isReadOnly: false }, 'the code is still that of the start');
    await apply();
    t.deepEqual(await state(), { missing: [], newer: ['0002-order.sql'], isReadOnly: false });
    await run("INSERT INTO gable_migration_step VALUES ('0003-order.sql', 1, '', NULL, true)");
    t.deepEqual((await state()).newer, ['0002-order.sql', '0003-order.sql'], 'one that has begun counts');
    await run('DELETE FROM gable_migration_step');
    rmSync(join(folder, '0002-order.sql'));
    t.deepEqual(await readStrangers(pool, folder), { isEmpty: false, strangers: ['0002-order.sql'] });
  });
});
