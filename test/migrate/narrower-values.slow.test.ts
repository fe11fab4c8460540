// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';

const enums =
  '<EnumType Name="Grade"><Member Name="Low" Value="1"/><Member Name="High" Value="2"/></EnumType><EnumType Name="Some" IsFlags="true"><Member Name="R" Value="1"/><Member Name="G" Value="2"/></EnumType>';
const named = (type: string): string =>
  first
    .replace('<EntityType Name="Customer">', `${enums}<EntityType Name="Customer">`)
    .replace('Name="Name" Type="Edm.String" MaxLength="50"', `Name="Name" Type="${type}"`);

// The types before and after, a value before and after, and values that stop the migration before it changes anything.
const changes: readonly (readonly [from: string, to: string, before: string, after: string, ...refused: string[]])[] = [
  ['Edm.Int16', 'Edm.Byte', '255', '255', '256', '-1'],
  ['Edm.Int16', 'Edm.SByte', '-128', '-128', '128', '-129'],
  ['Edm.SByte', 'Edm.Byte', '127', '127', '-5'],
  ['Edm.Byte', 'Edm.SByte', '127', '127', '128'],
  ['Edm.Int32', 'Edm.Byte', '0', '0', '300'],
  ['Edm.String', 'Edm.Byte', '7', '7', '300'],
  ['Edm.Decimal" Scale="1', 'Edm.SByte', '126.7', '127', '127.6'],
  ['Collection(Edm.Int16)', 'Collection(Edm.Byte)', '{1,NULL,255}', '{1,NULL,255}', '{1,300}'],
  ['Edm.Binary', 'Edm.Binary" MaxLength="2', '\\x0102', '\\x0102', '\\x010203'],
  ['Collection(Edm.Binary)" MaxLength="3', 'Collection(Edm.Binary)" MaxLength="2', '{"\\\\x0102"}', '{"\\\\x0102"}', '{"\\\\x010203"}'],
  ['Edm.Int32', 'Self.Grade', '2', '2', '300', '3', '0'],
  ['Edm.Int64', 'Self.Grade', '1', '1', '-1'],
  ['Edm.String', 'Self.Grade', 'High', '2', '300'],
  ['Edm.Int32', 'Self.Some', '3', '3', '4', '-1', '7'],
  ['Self.Some', 'Self.Grade', '2', '2', '3'],
  ['Collection(Edm.Int32)', 'Collection(Self.Grade)', '{1,NULL,2}', '{1,NULL,2}', '{1,3}'],
  ['Edm.Int16', 'Collection(Self.Some)', '3', '{3}', '8'],
];

for (const [from, to, before, after, ...refused] of changes)
  test(`${from} becomes ${to}: a value that does not fit stops the migration`, (t) => {
    const old = migrationsOf(named(from), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, write, run, drift }) => {
      await apply();
      await run(`insert into "Customer" ("Code", "Name") values ('a', '${before}')`);
      write(migrationsOf(named(to), old, { ...noDecisions, allowLossy: true }));
      for (const value of refused) {
        await run(`insert into "Customer" ("Code", "Name") values ('b', '${value}')`);
        const { message } = await t.throwsAsync(apply());
        t.true(message.includes('Customer/Name has values that do not fit, the first in the row with "#id" '), message);
        t.deepEqual(await run(`select "Name"::text from "Customer" where "Code" = 'b'`), [[value]]);
        await run(`delete from "Customer" where "Code" = 'b'`);
      }
      await apply();
      t.deepEqual(await drift(), []);
      t.deepEqual(await run(`select "Name"::text from "Customer"`), [[after]]);
    });
  });

test('a value that a service with the old model wrote meanwhile stops the last phase', (t) => {
  const old = migrationsOf(named('Edm.Int16'), new Map(), noDecisions);
  const sql = migrationsOf(named('Edm.Byte'), old, noDecisions).get('migrations/0002-customer.sql') ?? '';
  t.deepEqual(sql.match(/^-- step \d \w+/gm), ['-- step 1 expand', '-- step 2 contract']);
});

test('a snapshot of an earlier version does not say what is stored: the same model needs no migration', (t) => {
  const texts = migrationsOf(named('Edm.Byte'), new Map(), noDecisions);
  const now = texts.get('migrations/schema.json') ?? '';
  const earlier = now.replace(/, "digest": "\w+"/, '').replace(/,"edm":"Edm.Byte"/, '');
  t.not(earlier, now);
  const next = migrationsOf(named('Edm.Byte'), new Map([...texts, ['migrations/schema.json', earlier]]), noDecisions);
  t.deepEqual([...next.keys()].sort(), [...texts.keys()].sort());
  t.is(next.get('migrations/schema.json'), now);
});
