// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';

const grade = '<EnumType Name="Grade"><Member Name="Low" Value="1"/><Member Name="High" Value="2"/></EnumType>';
const marked = (type: string): string =>
  first
    .replace('<EntityType Name="Customer">', `${grade}<EntityType Name="Customer">`)
    .replace('Name="Name" Type="Edm.String" MaxLength="50"', `Name="Name" Type="${type}"`);

// The types before and after, a value before and after, and a value that stops the migration, with a part of the message.
const changes: readonly (readonly [from: string, to: string, before: string, after: string, refused: string, message: string])[] = [
  ['Collection(Self.Grade)', 'Collection(Edm.String)', '{2,NULL,1,2}', '{High,NULL,Low,High}', '{1,3}', 'no single member: {1,3}'],
  ['Collection(Edm.String)', 'Collection(Self.Grade)', '{High,NULL,Low}', '{2,NULL,1}', '{Low,Middle}', '"Middle"'],
  ['Self.Grade', 'Collection(Edm.String)', '2', '{High}', '3', 'no single member: 3'],
  ['Edm.String', 'Collection(Self.Grade)', 'High', '{2}', 'Middle', '"Middle"'],
  ['Edm.String', 'Collection(Edm.Date)', '2026-01-31', '{2026-01-31}', '2026-01-31T01:02:03Z', 'not exactly one: 2026-01-31T01:02:03Z'],
];

for (const [from, to, before, after, refused, message] of changes)
  test(`${from} becomes ${to}: items are converted like single values`, (t) => {
    const old = migrationsOf(marked(from), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, write, run, drift }) => {
      await apply();
      await run(`insert into "Customer" ("Code", "Name") values ('a', '${before}'), ('b', '${refused}')`);
      write(migrationsOf(marked(to), old, noDecisions));
      const error = await t.throwsAsync(apply());
      t.true(error.message.includes(message), error.message);
      await run(`delete from "Customer" where "Code" = 'b'`);
      await apply();
      t.deepEqual(await drift(), []);
      t.deepEqual(await run(`select "Name"::text from "Customer"`), [[after]]);
    });
  });
