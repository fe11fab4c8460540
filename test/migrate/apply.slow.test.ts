// Depends on PostgreSQL: DDL.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { connect } from '../../runtime/database/connect.js';
import { ChangedMigrationError } from '../../runtime/tools/migrations/migration-record.js';
import { blockingMigrations, migrate } from '../../runtime/tools/migrations/migrate.js';
import { beginning, fill, first, required, wide } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

test('a backfill that was broken off goes on from its last batch', (t) =>
  withMigrations(beginning, async (scene) => {
    const { run, apply, write, drift } = scene;
    await apply();
    await fill(scene, 12_000);
    await run(`alter table "Order" add constraint trap check ("#id" <> 7000 or "Remark" is null)`);
    write(migrationsOf(required, beginning, noDecisions));
    await t.throwsAsync(apply(), {
      message:
        /^MIGR009 0002-order\.sql:\d+: .*violates check constraint "trap"\. Step 1 failed on "Order"; the steps before it are done\. .*resumes at this step\.$/s,
    });
    t.deepEqual(await run('select step::text, position::text, done::text from gable_migration_step'), [['1', '5000', 'false']]);
    const [before] = await run('select xmin::text from "Order" where "#id" = 1');
    await run('alter table "Order" drop constraint trap');
    t.deepEqual(await apply(), ['0002-order.sql']);
    t.deepEqual(await run('select xmin::text from "Order" where "#id" = 1'), [before], 'the first batch is not written again');
    t.deepEqual(await run(`select count(*) from "Order" where "Remark" = 'none'`), [['12000']]);
    t.deepEqual(await run('select count(*) from gable_migration_step'), [['0']]);
    t.deepEqual(await drift(), []);
  }));

test('what a service of the old model writes on the way follows its property into the shared column', (t) =>
  withMigrations(migrationsOf(wide, new Map(), noDecisions), async (scene) => {
    const { run, write, pool, folder, drift } = scene;
    await scene.apply();
    await fill(scene, 3);
    await run(`update "Order" set "W298" = 'first'`);
    write(
      migrationsOf(
        wide.replace('<Property Name="City"', '<Property Name="Note" Type="Edm.String"/><Property Name="City"'),
        migrationsOf(wide, new Map(), noDecisions),
        noDecisions,
      ),
    );
    await migrate(pool, folder, [], { until: 'backfill' });
    await run(`update "Order" set "W298" = 'second' where "#id" = 2`);
    await run(`update "Order" set "W298" = null where "#id" = 3`);
    await run(`insert into "Order" ("Number", "Old", "CustomerCode", "W298") values ('new', true, 'C', 'third')`);
    // One of the new model writes there alone, and is not overwritten.
    await run(`update "Order" set "#more" = "#more" || '{"W298": "newer"}' where "#id" = 1`);
    await scene.apply();
    t.deepEqual(await run(`select "#more" ->> 'W298' from "Order" order by "#id"`), [['newer'], ['second'], [null], ['third']]);
    t.deepEqual(await run('select tgname from pg_trigger where not tgisinternal'), []);
    t.deepEqual(await drift(), []);
  }));

test('what it writes into the shared column follows its property out of it', (t) =>
  withMigrations(migrationsOf(wide, new Map(), noDecisions), async (scene) => {
    const { run, write, pool, folder, drift } = scene;
    await scene.apply();
    await fill(scene, 2);
    await run(`update "Order" set "#more" = '{"W299": "first", "W300": "stays"}'`);
    const fewer = wide.replace('<Property Name="Remark" Type="Edm.String" MaxLength="100"/>', '');
    write(migrationsOf(fewer, migrationsOf(wide, new Map(), noDecisions), { ...noDecisions, dropped: new Set(['Order/Remark']) }));
    await migrate(pool, folder, [], { until: 'backfill' });
    t.deepEqual(
      (await drift()).filter((line) => line.includes('#moves')),
      [
        'trigger Order/#moves is in the database but not in the schema: trigger.',
        'function Order#moves is in the database but not in the schema: function.',
      ],
    );
    await run(`update "Order" set "#more" = "#more" || '{"W299": "second"}' where "#id" = 2`);
    await scene.apply();
    t.deepEqual(await run(`select "W299", "#more"::text from "Order" order by "#id"`), [
      ['first', '{"W300": "stays"}'],
      ['second', '{"W300": "stays"}'],
    ]);
    t.deepEqual(await drift(), []);
  }));

test('an index that was broken off is built anew', (t) =>
  withMigrations(beginning, async (scene) => {
    const { run, apply, write, drift } = scene;
    const other = first.replace('<Key><PropertyRef Name="Number"/></Key>', '<Key><PropertyRef Name="CustomerCode"/></Key>');
    await apply();
    await fill(scene, 2);
    write(migrationsOf(other, beginning, noDecisions));
    await t.throwsAsync(apply(), { message: /could not create unique index "Order#key#next"\. .*Step \d failed/ });
    t.true((await drift()).some((line) => line.includes('(invalid)')));
    await run(`delete from "Order" where "#id" = 2`);
    await apply();
    t.deepEqual(await drift(), []);
  }));

test('a migration that is begun may not be changed', (t) =>
  withMigrations(beginning, async (scene) => {
    const { run, apply, write, folder } = scene;
    await apply();
    await fill(scene, 6_000);
    await run(`alter table "Order" add constraint trap check ("#id" <> 5500 or "Remark" is null)`);
    write(migrationsOf(required, beginning, noDecisions));
    await t.throwsAsync(apply());
    const file = join(folder, '0002-order.sql');
    writeFileSync(file, `${readFileSync(file, 'utf8')}-- changed\n`);
    await t.throwsAsync(apply(), { instanceOf: ChangedMigrationError });
  }));

test('several processes that find an index to build concurrently do not wait for each other for ever', (t) =>
  withMigrations(beginning, async ({ url, apply, write, folder, drift }) => {
    await apply();
    write(
      migrationsOf(
        first.replace('<PropertyPath>City</PropertyPath>', '<PropertyPath>City</PropertyPath><PropertyPath>Amount</PropertyPath>'),
        beginning,
        noDecisions,
      ),
    );
    const others = [1, 2, 3].map(() => connect(url));
    const applied = await Promise.all(others.map((pool) => migrate(pool, folder)));
    t.deepEqual(applied.flat(), ['0002-order.sql']);
    t.deepEqual(await drift(), []);
    await Promise.all(others.map((pool) => pool.close()));
  }));

test('apply goes as far as it is told, and the service of the new model works from there', (t) =>
  withMigrations(beginning, async (scene) => {
    const { pool, folder, run, apply, write, drift } = scene;
    await apply();
    await fill(scene, 10);
    const changed = required
      .replace('<Property Name="Pieces"', '<Property Name="Boxes" Type="Edm.Int32"/><Property Name="Pieces"')
      .replace('<Property Name="Old" Type="Edm.Boolean" Nullable="false"/>', '');
    const second = migrationsOf(changed, beginning, { ...noDecisions, allowLossy: true });
    write(
      migrationsOf(
        changed.replace('<Property Name="Boxes"', '<Property Name="Crates" Type="Edm.Int32"/><Property Name="Boxes"'),
        second,
        noDecisions,
      ),
    );
    t.deepEqual(await blockingMigrations(pool, folder), ['0002-order.sql', '0003-order.sql']);
    t.deepEqual(await migrate(pool, folder, [], { until: 'expand' }), []);
    t.deepEqual(await run(`select count("Boxes"), count("Remark"), count("Old") from "Order"`), [['0', '0', '10']]);
    t.deepEqual(await blockingMigrations(pool, folder), ['0002-order.sql', '0003-order.sql']);
    t.deepEqual(await migrate(pool, folder, [], { until: 'backfill' }), []);
    t.deepEqual(await run(`select count("Remark"), count("Old") from "Order"`), [['10', '10']]);
    t.deepEqual(await blockingMigrations(pool, folder), ['0003-order.sql'], 'which waits for the end of the one before');
    t.deepEqual(await apply(), ['0002-order.sql', '0003-order.sql']);
    t.deepEqual(await blockingMigrations(pool, folder), []);
    t.deepEqual(await drift(), []);
  }));

test('a text becomes an enumeration and a text again, and what has no name stops it', (t) => {
  const graded = first
    .replace(
      '<EntityType Name="Customer">',
      '<EnumType Name="Grade"><Member Name="Low" Value="1"/><Member Name="High" Value="2"/></EnumType><EntityType Name="Customer">',
    )
    .replace('<Property Name="Name" Type="Edm.String" MaxLength="50"/>', '<Property Name="Name" Type="Self.Grade"/>');
  return withMigrations(beginning, async ({ run, apply, write }) => {
    await apply();
    await run(`insert into "Customer" ("Code", "Name") values ('A', 'High'), ('B', null), ('C', 'Odd')`);
    const second = migrationsOf(graded, beginning, noDecisions);
    write(second);
    await t.throwsAsync(apply(), { message: /invalid input syntax for type integer: "Odd"/ });
    await run(`delete from "Customer" where "Code" = 'C'`);
    await apply();
    t.deepEqual(await run('select "Name"::text from "Customer" order by "Code"'), [['2'], [null]]);
    await run(`insert into "Customer" ("Code", "Name") values ('D', 3)`);
    write(migrationsOf(first, second, noDecisions));
    await t.throwsAsync(apply(), { message: /"no single member: 3"/ });
    await run(`delete from "Customer" where "Code" = 'D'`);
    await apply();
    t.deepEqual(await run('select "Name" from "Customer" order by "Code"'), [['High'], [null]]);
  });
});

test('what somebody changed in the database by hand is named, each thing', (t) =>
  withMigrations(beginning, async ({ apply, run, drift }) => {
    await apply();
    t.deepEqual(await drift(), []);
    await run('alter table "Order" alter column "Remark" type varchar(120)');
    await run('alter table "Order" alter column "Old" drop not null');
    await run('alter table "Order" alter column "#version" set default 7');
    await run('alter table "Order" add column "Mine" integer');
    await run('drop index "Order#City"');
    await run('alter table "Order" drop constraint "Order#Customer#fk"');
    await run('create table mine (id integer)');
    t.deepEqual(await drift(), [
      'column Order/#version is bigint not null default 7; the schema has bigint not null default 1.',
      'column Order/Old is boolean; the schema has boolean not null.',
      'column Order/Remark is character varying(120); the schema has character varying(100) collate C.',
      'constraint Order/Order#Customer#fk is missing: FOREIGN KEY ("CustomerCode") REFERENCES "Customer"("Code") DEFERRABLE.',
      'index Order/Order#City is missing: btree ("City" NULLS FIRST, "Number").',
      'table mine is in the database but not in the schema.',
      'column Order/Mine is in the database but not in the schema: integer.',
    ]);
    await run('drop table "Customer"');
    t.true((await drift()).includes('table Customer is missing.'));
    t.deepEqual(await run("select count(*) from pg_namespace where nspname like 'gable%'"), [['0']], 'nothing of the comparison is left');
  }));
