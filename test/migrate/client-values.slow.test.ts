// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';

const named = (type: string): string => first.replace('Name="Name" Type="Edm.String" MaxLength="50"', `Name="Name" Type="${type}"`);

// The types before and after, and values before and after, in the text of their columns.
const changes: readonly (readonly [from: string, to: string, ...values: (readonly [before: string, after: string])[]])[] = [
  [
    'Edm.DateTimeOffset',
    'Edm.String',
    ['2026-01-02 03:04:05.123456+00', '2026-01-02T03:04:05.123456Z'],
    ['2026-07-02 03:04:05.12+02', '2026-07-02T01:04:05.12Z'],
    ['2026-01-02 03:04:00+00', '2026-01-02T03:04:00Z'],
  ],
  ['Edm.String', 'Edm.DateTimeOffset', ['2026-01-02T03:04:05.123456Z', '2026-01-02 03:04:05.123456+00']],
  ['Edm.DateTimeOffset', 'Edm.String" MaxLength="30', ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05Z']],
  ['Edm.DateTimeOffset', 'Collection(Edm.String)', ['2026-01-02 03:04:05+00', '{2026-01-02T03:04:05Z}']],
  ['Edm.Double', 'Edm.String', ['Infinity', 'INF'], ['-Infinity', '-INF'], ['NaN', 'NaN'], ['1.5', '1.5']],
  ['Edm.String', 'Edm.Double', ['INF', 'Infinity'], ['-INF', '-Infinity'], ['NaN', 'NaN']],
  ['Edm.Duration', 'Edm.String', ['P-1DT-2H-0.5S', '-P1DT2H0.5S'], ['P1DT2H', 'P1DT2H'], ['PT0S', 'PT0S']],
  ['Edm.String', 'Edm.Duration', ['-P1DT2H0.5S', 'P-1DT-2H-0.5S'], ['P1DT2H', 'P1DT2H'], ['PT12M10.1234560S', 'PT12M10.123456S']],
  ['Edm.String', 'Collection(Edm.Duration)', ['-PT1.5S', '{PT-1.5S}']],
  ['Edm.TimeOfDay', 'Edm.String', ['03:04:05.12', '03:04:05.12']],
];

for (const [from, to, ...values] of changes)
  test(`${from} becomes ${to}: clients receive the same value`, (t) => {
    const old = migrationsOf(named(from), new Map(), noDecisions);
    // A collection is never null.
    const none = to.startsWith('Collection') ? [] : [[null]];
    return withMigrations(old, async ({ apply, write, run, drift }) => {
      await apply();
      for (const [index, [before]] of values.entries())
        await run(`insert into "Customer" ("Code", "Name") values ('${index}', '${before}')`);
      if (none.length > 0) await run(`insert into "Customer" ("Code") values ('none')`);
      write(migrationsOf(named(to), old, noDecisions));
      await apply();
      t.deepEqual(await drift(), []);
      t.deepEqual(await run(`select "Name"::text from "Customer" order by "#id"`), [...values.map(([, after]) => [after]), ...none]);
    });
  });

for (const [from, to, value] of [
  ['Edm.String', 'Edm.Duration', 'PT0.1234567S'],
  ['Edm.String', 'Edm.Duration', '-P1DT0.0000004S'],
  ['Edm.String', 'Edm.Duration" Precision="3', 'PT0.1234S'],
  ['Edm.String', 'Collection(Edm.Duration)', 'PT0.1234567S'],
] as const)
  test(`${from} becomes ${to}: ${value} stops the migration instead of being rounded`, (t) => {
    const old = migrationsOf(named(from), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, write, run }) => {
      await apply();
      await run(`insert into "Customer" ("Code", "Name") values ('a', '${value}')`);
      write(migrationsOf(named(to), old, noDecisions));
      const { message } = await t.throwsAsync(apply());
      t.true(message.includes('not exactly ') && message.includes(value), message);
      t.deepEqual(await run(`select "Name"::text from "Customer"`), [[value]]);
    });
  });
