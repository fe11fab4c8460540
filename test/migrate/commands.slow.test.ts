import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { stepReporter } from '../../runtime/tools/cli/migrate-ways.js';
import type { MigrationStep } from '../../runtime/tools/migrations/migration-files.js';
import { beginning, fill, first, required } from './orders.js';
import { migrationsOf, withMigrations, type Scene } from './scene.js';

const gable = fileURLToPath(new URL('../../gable.js', import.meta.url));

function tellIn({
  folder,
  url,
}: Scene): (...args: readonly string[]) => Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return (...args) =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [gable, 'migrate', ...args, '--migrations', folder],
        { env: { ...process.env, DATABASE_URL: url } },
        (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
}

test('plan, apply, status and verify say what they find, and end accordingly', (t) =>
  withMigrations(beginning, async (scene) => {
    const { folder, run, write } = scene;
    const tell = tellIn(scene);
    t.like(await tell('status'), { code: 4, out: 'pending  0001-initial.sql\n' });
    t.like(await tell(), { code: 0, out: 'applied 0001-initial.sql\n' });
    t.like(await tell('verify'), { code: 0, out: 'The database matches the migrations.\n' });
    t.like(await tell('apply'), { code: 0, out: 'Nothing to apply; the database is up to date.\n' });
    await fill(scene, 100);
    await run('analyze');
    write(migrationsOf(required, beginning, noDecisions));
    const plan = await tell('plan');
    t.regex(
      plan.out,
      /^0002-order\.sql\n {2}step 1, backfill in batches\n {4}locks of the rows of one batch at a time\n {6}update "Order" /,
    );
    t.regex(
      plan.out,
      /step 3, contract in one transaction\n {4}SHARE UPDATE EXCLUSIVE on "Order" while its rows are read; they can be read and written; Order has about 100 rows\n {6}alter table "Order" validate/,
    );
    t.is((await tell('verify')).code, 4);
    t.deepEqual(JSON.parse((await tell('apply', '--json')).out), { applied: ['0002-order.sql'], begun: null });
    t.regex((await tell('status')).out, /^applied {2}0001-initial\.sql {2}20\S+ \S+\napplied {2}0002-order\.sql /);
    await run(`select setval(pg_get_serial_sequence('"Order"', '#id'), 5)`);
    t.like(await tell('verify'), { code: 4, out: 'sequence Order/#id is at 5; the schema has rows up to 100.\n' });
    await run(`select setval(pg_get_serial_sequence('"Order"', '#id'), 100)`);
    await run('alter table "Order" add column "Mine" integer');
    t.like(JSON.parse((await tell('verify', '--json')).out) as object, { differences: [{ what: 'column Order/Mine', found: 'integer' }] });
    rmSync(join(folder, '0002-order.sql'));
    t.regex((await tell('status')).out, /unknown {2}0002-order\.sql {2}is in the database but not in the folder\n/);
    const unknown = await tell('veryfy');
    t.is(unknown.code, 2);
    t.regex(unknown.err, /gable migrate has no 'veryfy'\. Did you mean verify\?/);
  }));

test('a migration that rows refuse is gone on with once they are mended, or given up and forgotten', (t) =>
  withMigrations(beginning, async (scene) => {
    const { folder, run, write, apply } = scene;
    const tell = tellIn(scene);
    await apply();
    await fill(scene, 3);
    await run(`update "Order" set "Remark" = 'much too long'`);
    write(migrationsOf(shorter, beginning, noDecisions));
    const refused = await tell('apply');
    t.is(refused.code, 2);
    t.regex(
      refused.err,
      /value too long for type character varying\(5\)\. Step 2 failed on "Order"; the steps before it are done\. Correct the cause \("Remark": a longer string stops it\), and migrate again: it resumes at this step\./,
    );
    t.like(await tell('abandon'), { code: 2, out: '' });
    rmSync(join(folder, '0002-customer-and-order.sql'));
    write(beginning);
    t.regex((await tell('status')).out, /unknown {2}0002-customer-and-order\.sql {2}is started in the database but not in the folder\n/);
    const unnamed = await tell('abandon');
    t.is(unnamed.code, 2);
    t.regex(
      unnamed.err,
      /0002-customer-and-order\.sql is started in the database but not in this folder\. To give it up, run: gable migrate abandon 0002-customer-and-order\.sql\./,
    );
    t.regex(
      (await tell('abandon', '0001-initial.sql')).err,
      /0001-initial\.sql is not started in the database, or is in this folder; 0002-customer-and-order\.sql can be abandoned\./,
    );
    await run(`insert into gable_migration (name, sha256) values ('0001-of-a-newer-model.sql', 'x')`);
    t.regex(
      (await tell('abandon', '0002-customer-and-order.sql')).err,
      /The database has 0001-of-a-newer-model\.sql, which this folder lacks: the folder is older than the database, and 0002-customer-and-order\.sql may be in progress\./,
    );
    await run(`delete from gable_migration where name = '0001-of-a-newer-model.sql'`);
    t.like(await tell('abandon', '0002-customer-and-order.sql'), {
      code: 4,
      out: 'abandoned 0002-customer-and-order.sql\ncolumn Customer/Flag is in the database but not in the schema: boolean.\n',
    });
    await run('alter table "Customer" drop column "Flag"');
    t.like(await tell('verify'), { code: 0 });
    t.like(await tell('status'), { code: 0 });
    write(migrationsOf(shorter, beginning, noDecisions));
    await run(`update "Order" set "Remark" = 'short'`);
    t.like(await tell('apply'), { code: 0, out: 'applied 0002-customer-and-order.sql\n' });
  }));

// A column that is new, and one that rows do not fit.
const shorter = first
  .replace('<Property Name="Remark" Type="Edm.String" MaxLength="100"/>', '<Property Name="Remark" Type="Edm.String" MaxLength="5"/>')
  .replace(
    '<Property Name="Name" Type="Edm.String" MaxLength="50"/>',
    '<Property Name="Name" Type="Edm.String" MaxLength="50"/><Property Name="Flag" Type="Edm.Boolean"/>',
  );

test('a backfill is a bar on a terminal, and a line for every tenth elsewhere', (t) => {
  const [begun, ended] = ['0002-a.sql step 1, expand in one transaction\n', '0002-a.sql step 3, contract in one transaction\n'];
  const name = '0002-a.sql step 2, backfill in batches: ';
  t.is(shownOn(false), `${begun}${name}10000 of 100000 rows\n${name}100000 of 100000 rows\n${ended}`);
  t.regex(
    shownOn(true),
    /^.*transaction\n\r0002-a\.sql step 2, backfill in batches: \[#{2}\.{28}\] 5000 of 100000 rows\r.*\[#{30}\] 100000 of 100000 rows\n0002-a\.sql step 3, contract in one transaction\n$/s,
  );
});

function shownOn(isTTY: boolean): string {
  let text = '';
  const tell = stepReporter({ isTTY, write: (part) => (text += part) });
  tell('0002-a.sql', step);
  for (const done of [5_000, 6_000, 10_000, 100_000])
    tell('0002-a.sql', { ...step, number: 2, phase: 'backfill', manner: 'in batches' }, { done, end: 100_000 });
  tell('0002-a.sql', { ...step, number: 3, phase: 'contract' });
  return text;
}

const step: MigrationStep = { number: 1, phase: 'expand', manner: 'in one transaction', costs: '', text: '', table: '"A"', line: 1 };
