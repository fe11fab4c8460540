// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';

const complex = '<ComplexType Name="Mark"><Property Name="Note" Type="Edm.String"/></ComplexType>';
const named = (type: string): string =>
  first
    .replace('<EntityType Name="Customer">', `${complex}<EntityType Name="Customer">`)
    .replace('Name="Name" Type="Edm.String" MaxLength="50"', `Name="Name" Type="${type}"`);

// The types before and after, and values before and after, in the text of their columns.
const changes: readonly (readonly [from: string, to: string, ...values: (readonly [before: string, after: string])[]])[] = [
  ['Edm.String', 'Edm.Untyped', ['12', '"12"'], ['a "b"', '"a \\"b\\""'], ['{"a":1}', '"{\\"a\\":1}"'], ['null', '"null"']],
  ['Edm.Untyped', 'Edm.String', ['"text"', 'text'], ['12', '12'], ['{"a": ["b"]}', '{"a": ["b"]}'], ['true', 'true']],
  ['Edm.String', 'Self.Mark', ['{"Note":"n"}', '{"Note": "n"}']],
  ['Self.Mark', 'Edm.String', ['{"Note": "n"}', '{"Note": "n"}']],
];

for (const [from, to, ...values] of changes)
  test(`${from} becomes ${to}: clients receive the same value`, (t) => {
    const old = migrationsOf(named(from), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, write, run, drift }) => {
      await apply();
      for (const [index, [before]] of values.entries())
        await run(`insert into "Customer" ("Code", "Name") values ('${index}', '${before}')`);
      await run(`insert into "Customer" ("Code") values ('none')`);
      write(migrationsOf(named(to), old, noDecisions));
      await apply();
      t.deepEqual(await drift(), []);
      t.deepEqual(await run(`select "Name"::text from "Customer" order by "#id"`), [...values.map(([, after]) => [after]), [null]]);
    });
  });

for (const text of ['12', '"Note"', '[{"Note":"n"}]', 'null', 'Note'])
  test(`the text ${text} becomes no complex value`, (t) => {
    const old = migrationsOf(named('Edm.String'), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, write, run }) => {
      await apply();
      await run(`insert into "Customer" ("Code", "Name") values ('a', '${text}')`);
      write(migrationsOf(named('Self.Mark'), old, noDecisions));
      const { message } = await t.throwsAsync(apply());
      t.true(message.includes('invalid input syntax for type json'), message);
    });
  });
