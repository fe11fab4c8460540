import { readFileSync } from 'node:fs';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { driftOf, type SchemaMatch, watchSchema } from '../../runtime/tools/migrations/schema-watch.js';
import { until } from '../operation/until.js';
import { migrationsOf, withMigrations } from './scene.js';

test('the schema is unknown until it is compared, and a difference is logged', async (t) => {
  const texts = migrationsOf(readFileSync('test/migrate/first.xml', 'utf8'), new Map(), noDecisions);
  await withMigrations(texts, async ({ pool, folder, apply, run }) => {
    const logged: string[] = [];
    const watch = (): (() => SchemaMatch) =>
      watchSchema(
        () => driftOf(pool, folder),
        (level, data, message) => logged.push(`${level} ${message} ${JSON.stringify(data)}`),
      );
    t.is(await driftOf(pool, folder), undefined, 'a migration is missing');
    await apply();
    const schema = watch();
    t.is(schema(), 'unknown');
    await until(async () => schema() === 'current');
    t.deepEqual(logged, []);
    await run('ALTER TABLE "Order" DROP COLUMN "Old"');
    const later = watch();
    await until(async () => later() === 'different');
    t.regex(logged.join(), /^warn the schema is not that of the migrations .*"what":"column Order\/Old","expected":"[^"]+"/);
  });
});

test('a comparison that fails leaves the schema unknown, and is not repeated at once', async (t) => {
  let asked = 0;
  const schema = watchSchema(
    async () => {
      asked += 1;
      throw new Error('permission denied');
    },
    (level) => t.is(level, 'debug'),
  );
  t.deepEqual([schema(), schema()], ['unknown', 'unknown']);
  await new Promise(setImmediate);
  t.deepEqual([schema(), asked], ['unknown', 1]);
});
