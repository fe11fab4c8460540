import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import type { Sequelize } from 'sequelize';
import { generate } from '../../generator/generate.js';
import type { Decisions } from '../../generator/migrate/step.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { readMigrations } from '../../generator/migrate/read-migrations.js';
import { readCatalogue, type Catalogue } from '../../runtime/database/catalogue.js';
import { connect } from '../../runtime/database/connect.js';
import { compareCatalogues, findDrift, printDifference } from '../../runtime/database/drift.js';
import { migrate, withOwnConnection } from '../../runtime/database/migrate.js';
import { withConnection } from '../../runtime/database/run.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { testDatabase } from '../database.js';
import { decisionsOf, editModel, firstValues, modelChanges, type ModelChange } from './model-changes.js';

// GABLE_MIGRATION_ROWS=100000 for the numbers of a real service; the way is the same.
const rows = Number(process.env['GABLE_MIGRATION_ROWS'] ?? '3000');
const first = readFileSync('test/migrate/first.xml', 'utf8').replace(/\n\s*/g, '');

test('ten changes of a model lose nothing and end with the schema of a fresh generation', async (t) => {
  t.timeout(600_000);
  const [database, folder] = [await testDatabase(), mkdtempSync(join(tmpdir(), 'gable-ten-'))];
  const sequelize = connect(database.url, { statementTimeout: 0 });
  try {
    write(folder, first, noDecisions);
    await migrate(sequelize, join(folder, 'migrations'));
    await fill(sequelize);
    let [model, table] = [first, 'Order'];
    const holds = { ...firstValues };
    for (const change of modelChanges) {
      model = editModel(model, change);
      Object.assign(holds, change.holds);
      if (change.edits.some(([, to]) => to.includes('"Purchase"'))) table = 'Purchase';
      write(folder, model, decisionsOf(change));
      t.is((await migrate(sequelize, join(folder, 'migrations'))).length, 1, change.what);
      t.deepEqual(await wrongRows(sequelize, table, holds), ['0', String(rows)], change.what);
      t.deepEqual(await driftOf(sequelize, folder), [], change.what);
    }
    t.deepEqual(compareCatalogues(await freshCatalogue(model), await catalogueOf(sequelize)).map(printDifference), []);
  } finally {
    await sequelize.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
});

function write(folder: string, model: string, decisions: Decisions): void {
  const { files } = generate({ path: 'model.xml', bytes: Buffer.from(model) }, { migrations: { texts: readMigrations(folder), decisions } });
  for (const { path, text } of files.filter((file) => file.path.startsWith('migrations/'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function fill(sequelize: Sequelize): Promise<void> {
  const columns = Object.keys(firstValues).map((name) => `"${name}"`).join(', ');
  await run(sequelize, `insert into "Customer" ("Code", "Name") select 'C' || i, 'Customer ' || i from generate_series(0, 9) as i`);
  await run(sequelize, `insert into "Order" (${columns}) select ${Object.values(firstValues).join(', ')} from generate_series(1, ${rows}) as i`);
}

/** How many rows do not hold what they must, and how many there are. */
async function wrongRows(sequelize: Sequelize, table: string, holds: ModelChange['holds']): Promise<readonly (string | null)[]> {
  const same = Object.entries(holds).flatMap(([column, value]) => (value === undefined ? [] : [`"${column}" is not distinct from (${value})`]));
  const [row] = await run(sequelize, `select count(*) filter (where not (${same.join(' and ')})), count(*) from (select "#id" as i, * from "${table}") as numbered`);
  return row ?? [];
}

function run(sequelize: Sequelize, text: string): Promise<readonly (readonly (string | null)[])[]> {
  return withConnection(sequelize, (connection) => connection.run({ text, bind: [] }));
}

async function driftOf(sequelize: Sequelize, folder: string): Promise<readonly string[]> {
  const { schema } = JSON.parse(readFileSync(join(folder, 'migrations', 'schema.json'), 'utf8')) as { readonly schema: Schema };
  return (await withOwnConnection(sequelize, (client) => findDrift(client, schema))).map(printDifference);
}

function catalogueOf(sequelize: Sequelize): Promise<Catalogue> {
  return withOwnConnection(sequelize, (client) => readCatalogue(client, 'public'));
}

async function freshCatalogue(model: string): Promise<Catalogue> {
  const [database, folder] = [await testDatabase(), mkdtempSync(join(tmpdir(), 'gable-fresh-'))];
  const sequelize = connect(database.url);
  try {
    write(folder, model, noDecisions);
    await migrate(sequelize, join(folder, 'migrations'));
    return await catalogueOf(sequelize);
  } finally {
    await sequelize.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}
