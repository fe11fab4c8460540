// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { model, was } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';
import { sql, twice } from './sql-values.js';

const wide = Array.from({ length: 310 }, (_, index) => `<Property Name="W${index}" Type="Edm.String"/>`).join('');

const before =
  '<ComplexType Name="Geo"><Property Name="Lat" Type="Edm.Double"/><Property Name="Alt" Type="Edm.Double"/></ComplexType>' +
  '<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/><Property Name="Fax" Type="Edm.String"/><Property Name="Spot" Type="Self.Geo"/></ComplexType>' +
  '<ComplexType Name="Villa" BaseType="Self.Place"><Property Name="Rooms" Type="Edm.Int32"/><Property Name="Pool" Type="Edm.Int32"/></ComplexType>' +
  '<ComplexType Name="Barn" BaseType="Self.Place"><Property Name="Rooms" Type="Edm.Int32"/></ComplexType>';
const after =
  `<ComplexType Name="Geo"><Property Name="North" Type="Edm.Double">${was('Lat')}</Property><Property Name="Kind" Type="Edm.String" Nullable="false" DefaultValue="it's"/></ComplexType>` +
  `<ComplexType Name="Place"><Property Name="PostCode" Type="Edm.String">${was('Zip')}</Property><Property Name="Position" Type="Self.Geo">${was('Spot')}</Property></ComplexType>` +
  `<ComplexType Name="House" BaseType="Self.Place"><Property Name="Chambers" Type="Edm.Int32">${was('Rooms')}</Property>${was('Villa')}</ComplexType>` +
  '<ComplexType Name="Barn" BaseType="Self.Place"><Property Name="Rooms" Type="Edm.Int32"/><Property Name="Cows" Type="Edm.Int32" Nullable="false"/></ComplexType>';

// A value, and what the migration makes of it.
const values: readonly (readonly [before: string | null, after: string | null])[] = [
  [null, null],
  ['{}', '{}'],
  ['{"Zip": "1"}', '{"PostCode": "1"}'],
  ['{"Fax": "2", "Spot": {"Alt": 9, "Lat": 1.5}}', '{"Position": {"Kind": "it\'s", "North": 1.5}}'],
  [
    '{"Spot": {}, "@odata.type": "#Shop.Villa", "Pool": 1, "Rooms": 3}',
    '{"Chambers": 3, "Position": {"Kind": "it\'s"}, "@odata.type": "#Shop.House"}',
  ],
  ['{"@odata.type": "#Shop.Barn", "Rooms": 3}', '{"Cows": 7, "Rooms": 3, "@odata.type": "#Shop.Barn"}'],
  ['{"Zip": "old", "PostCode": "of a new service"}', '{"PostCode": "of a new service"}'],
];

const decisions = {
  ...noDecisions,
  dropped: new Set(['Home', 'Others'].flatMap((name) => ['Fax', 'Spot/Alt', 'Shop.Villa/Pool'].map((path) => `Order/${name}/${path}`))),
  fills: new Map([
    ['Order/Home/Shop.Barn/Cows', "'7'"],
    ['Order/Others/Shop.Barn/Cows', "'7'"],
  ]),
};

test('complex values follow their types: in a column, in a collection, and deep within each other', (t) => {
  const old = migrationsOf(model(before), new Map(), noDecisions);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    for (const [index, [value]] of values.entries())
      await run(
        `insert into "Order" ("Number", "Old", "CustomerCode", "Home", "Others") values ('${index}', true, 'c', ${sql(value)}, ${sql(twice(value))})`,
      );
    write(migrationsOf(model(after), old, decisions));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(
      await run(`select "Home"::text, "Others"::text from "Order" order by "Number"`),
      values.map(([, value]) => [value, twice(value)]),
    );
  });
});

test('and in the column that many properties share', (t) => {
  const old = migrationsOf(model(before, wide), new Map(), noDecisions);
  return withMigrations(old, async ({ apply, write, run }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "#more") values ('1', true, 'c', jsonb_build_object('Home', '{"Zip": "1", "Spot": {}}', 'W309', 'kept'))`,
    );
    write(migrationsOf(model(after, wide), old, decisions));
    await apply();
    t.deepEqual(await run(`select "#more" ->> 'Home', "#more" ->> 'W309' from "Order"`), [
      [`{"Position": {"Kind": "it's"}, "PostCode": "1"}`, 'kept'],
    ]);
  });
});
