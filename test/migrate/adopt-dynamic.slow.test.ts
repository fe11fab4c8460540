// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

const openCustomer = first.replace('<EntityType Name="Customer">', '<EntityType Name="Customer" OpenType="true">');
const named = (properties: string): string =>
  openCustomer
    .replace(
      '<EntityType Name="Customer"',
      '<EnumType Name="Grade"><Member Name="Low" Value="1"/><Member Name="High" Value="2"/></EnumType><EnumType Name="Some" IsFlags="true"><Member Name="R" Value="1"/><Member Name="G" Value="2"/></EnumType><ComplexType Name="Mark"><Property Name="X" Type="Edm.Int32"/><Property Name="Grades" Type="Collection(Self.Grade)"/></ComplexType><EntityType Name="Customer"',
    )
    .replace(
      '<Property Name="Name" Type="Edm.String" MaxLength="50"/>',
      `<Property Name="Name" Type="Edm.String" MaxLength="50"/>${properties}`,
    );

test('values of dynamic properties become those of the property that is named now', (t) => {
  const properties =
    '<Property Name="Age" Type="Edm.Int32"/><Property Name="Nick" Type="Edm.String" MaxLength="20"/><Property Name="Marks" Type="Collection(Edm.Decimal)" Nullable="true"/><Property Name="Grade" Type="Self.Grade"/><Property Name="Seal" Type="Edm.Binary"/><Property Name="Far" Type="Edm.Double"/><Property Name="At" Type="Edm.GeographyPoint"/><Property Name="Past" Type="Edm.Duration"/><Property Name="Some" Type="Self.Some"/><Property Name="Sets" Type="Collection(Self.Some)"/>';
  const before = migrationsOf(openCustomer, new Map(), noDecisions);
  return withMigrations(before, async ({ run, apply, write }) => {
    await apply();
    await run(
      `insert into "Customer" ("Code", "#open") values ('A', '{"Age": 41, "Age@odata.type": "#Int32", "Nick": "it''s me", "Marks": [1.5, null, 2], "Grade": "High", "Grade@odata.type": "#Self.Grade", "Seal": "_-8", "Seal@odata.type": "#Binary", "Far": "-INF", "At": {"type": "Point", "coordinates": [1, 2.5]}, "Past": "-P1DT2H", "Some": "R,G", "Some@odata.type": "#Self.Some", "Sets": ["R", "G,R"], "Sets@odata.type": "#Collection(Self.Some)", "Other": true}'), ('B', '{}'), ('C', '{"Age": null, "Nick": null, "Marks": null}')`,
    );
    write(migrationsOf(named(properties), before, noDecisions));
    await apply();
    t.deepEqual(
      await run(
        'select "Code", "Age", "Nick", "Marks"::text, "Grade", "Seal"::text, "Far"::text, "At"::text, extract(epoch from "Past")::integer, "Some", "Sets"::text, "#open"::text from "Customer" order by 1',
      ),
      [
        ['A', '41', "it's me", '{1.5,NULL,2}', '2', '\\xffef', '-Infinity', '(1,2.5)', '-93600', '3', '{1,3}', '{"Other": true}'],
        ['B', null, null, '{}', null, null, null, null, null, null, '{}', '{}'],
        ['C', null, null, '{}', null, null, null, null, null, null, '{}', '{}'],
      ],
    );
  });
});

for (const { name, type, value } of [
  { name: 'a number as a text', type: 'Edm.String', value: '5' },
  { name: 'an object as a text', type: 'Edm.String', value: '{"a": 1}' },
  { name: 'a text as a number', type: 'Edm.Int32', value: '"5"' },
  { name: 'a text as a truth value', type: 'Edm.Boolean', value: '"true"' },
  { name: 'one value as a collection', type: 'Collection(Edm.Int32)', value: '5' },
  { name: 'a collection with a text', type: 'Collection(Edm.Int32)', value: '[1, "2"]' },
  { name: 'a name that is none of the enumeration', type: 'Self.Grade', value: '"Odd"' },
  { name: 'names that nothing says are flags', type: 'Self.Grade', value: '"Low,High"' },
  { name: 'a text as a complex value', type: 'Self.Mark', value: '"x"' },
  { name: 'an object as a complex value', type: 'Self.Mark', value: '{"X": 1}' },
  { name: 'an object as a collection of complex values', type: 'Collection(Self.Mark)', value: '{"X": 1}' },
  { name: 'another shape as a point', type: 'Edm.GeographyPoint', value: '{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}' },
]) {
  test(`the value of a dynamic property stops a migration that names it otherwise: ${name}`, (t) => {
    const before = migrationsOf(openCustomer, new Map(), noDecisions);
    return withMigrations(before, async ({ run, apply, write }) => {
      await apply();
      await run(`insert into "Customer" ("Code", "#open") values ('A', '{}'), ('B', '{"P": ${value}}')`);
      write(migrationsOf(named(`<Property Name="P" Type="${type}"/>`), before, noDecisions));
      await t.throwsAsync(apply(), { message: /Customer\/P has values that do not fit, the first in the row with "#id" 2\./ });
      t.deepEqual(await run('select "#open" ->> \'P\' from "Customer" order by "Code"'), [
        [null],
        [value.startsWith('"') ? value.slice(1, -1) : value],
      ]);
    });
  });
}

for (const { name, from, to } of [
  {
    name: 'of a renamed property',
    from: 'Name="Name" Type="Edm.String" MaxLength="50"/>',
    to: 'Name="P" Type="Edm.String" MaxLength="50"><Annotation Term="Rules.RenamedFrom" String="Name"/></Property>',
  },
  { name: 'of a new stream', from: '<Property Name="Name"', to: '<Property Name="P" Type="Edm.Stream"/><Property Name="Name"' },
  {
    name: 'of a new navigation property',
    from: '<Property Name="Name"',
    to: '<NavigationProperty Name="P" Type="Self.Customer"/><Property Name="Name"',
  },
]) {
  test(`a dynamic property stops a migration that gives it the name ${name}`, (t) => {
    const before = migrationsOf(openCustomer, new Map(), noDecisions);
    return withMigrations(before, async ({ run, apply, write, drift }) => {
      await apply();
      await run(`insert into "Customer" ("Code", "Name", "#open") values ('A', 'a', '{}'), ('B', 'b', '{"P": "dynamic"}')`);
      write(migrationsOf(openCustomer.replace(from, to), before, noDecisions));
      await t.throwsAsync(apply(), { message: /Customer\/P has values that do not fit, the first in the row with "#id" 2\./ });
      t.deepEqual(await run('select "Name", "#open" ->> \'P\' from "Customer" order by "Code"'), [
        ['a', null],
        ['b', 'dynamic'],
      ]);
      await run(`update "Customer" set "#open" = '{}'`);
      await apply();
      t.deepEqual(await drift(), []);
    });
  });
}
