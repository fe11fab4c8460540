// Depends on PostgreSQL: DDL.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { type Catalogue, compareCatalogues, printDifference, readCatalogue } from '../../runtime/tools/migrations/drift.js';
import { withOwnConnection } from '../../runtime/tools/migrations/migrate.js';
import { flat } from '../support/edits.js';
import { decisionsOf, editModel, firstValues, modelChanges, type ModelChange } from './model-changes.js';
import { migrationsOf, withMigrations, type Scene } from './scene.js';

/** As many as a real service has: backfills of fewer are over within one batch or two. */
const rows = 100_000;
const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));

test('ten changes of a model lose nothing and end with the schema of a fresh generation', async (t) => {
  t.timeout(600_000);
  let [model, texts, table] = [first, migrationsOf(first, new Map(), noDecisions), 'Order'];
  await withMigrations(texts, async (scene) => {
    await scene.apply();
    await fill(scene);
    const holds = { ...firstValues };
    for (const change of modelChanges) {
      model = editModel(model, change);
      Object.assign(holds, change.holds);
      if (change.edits.some(([, to]) => to.includes('"Purchase"'))) table = 'Purchase';
      texts = migrationsOf(model, texts, decisionsOf(change));
      scene.write(texts);
      t.is((await scene.apply()).length, 1, change.what);
      t.deepEqual(await wrongRows(scene, table, holds), ['0', String(rows)], change.what);
      t.deepEqual(await scene.drift(), [], change.what);
    }
    t.is(modelChanges.length, 10);
    await withMigrations(migrationsOf(model, new Map(), noDecisions), async (fresh) => {
      await fresh.apply();
      t.deepEqual(compareCatalogues(await catalogueOf(fresh), await catalogueOf(scene)).map(printDifference), []);
    });
  });
});

async function fill({ run }: Scene): Promise<void> {
  const columns = Object.keys(firstValues)
    .map((name) => `"${name}"`)
    .join(', ');
  await run(`insert into "Customer" ("Code", "Name") select 'C' || i, 'Customer ' || i from generate_series(0, 9) as i`);
  await run(`insert into "Order" (${columns}) select ${Object.values(firstValues).join(', ')} from generate_series(1, ${rows}) as i`);
}

/** The number of wrong rows, and of all rows. */
async function wrongRows({ run }: Scene, table: string, holds: ModelChange['holds']): Promise<readonly (string | null)[]> {
  const same = Object.entries(holds).flatMap(([column, value]) =>
    value === undefined ? [] : [`"${column}" is not distinct from (${value})`],
  );
  const [row] = await run(
    `select count(*) filter (where not (${same.join(' and ')})), count(*) from (select "#id" as i, * from "${table}") as numbered`,
  );
  return row ?? [];
}

function catalogueOf({ pool }: Scene): Promise<Catalogue> {
  return withOwnConnection(pool, (client) => readCatalogue(client, 'public'));
}
