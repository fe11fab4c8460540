// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

const keyed = first
  .replace('Name="CustomerCode" Type="Edm.String" Nullable="false"', 'Name="CustomerCode" Type="Edm.String"')
  .replace('Type="Self.Customer" Nullable="false">', 'Type="Self.Customer">');
const numbered = keyed.replace(/<ReferentialConstraint [^>]*\/>/, '');
const decisions = { ...noDecisions, dropped: new Set(['Order/#Customer']) };

test('what led by a number leads to the same record by its key, where rows have none', (t) =>
  withMigrations(migrationsOf(numbered, new Map(), noDecisions), async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('a'), ('b')`);
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "#Customer") values ('1', true, null, 1), ('2', true, 'b', 1), ('3', true, null, null)`,
    );
    write(migrationsOf(keyed, migrationsOf(numbered, new Map(), noDecisions), decisions));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select "Number", "CustomerCode" from "Order" order by 1'), [
      ['1', 'a'],
      ['2', 'b'],
      ['3', null],
    ]);
  }));

test('and where a row has the key of none, nothing is dropped before that is mended', (t) =>
  withMigrations(migrationsOf(numbered, new Map(), noDecisions), async ({ apply, write, run }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('a')`);
    await run(`insert into "Order" ("Number", "Old", "CustomerCode", "#Customer") values ('1', true, 'none', 1)`);
    write(migrationsOf(keyed, migrationsOf(numbered, new Map(), noDecisions), decisions));
    await t.throwsAsync(apply, { message: /is not present in table "Customer"/ });
    t.deepEqual(await run('select "#Customer" from "Order"'), [['1']]);
    await run(`update "Order" set "CustomerCode" = 'a'`);
    await apply();
    t.deepEqual(await run('select "CustomerCode" from "Order"'), [['a']]);
  }));
