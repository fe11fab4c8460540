// Depends on PostgreSQL: DDL.

import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { first, was } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';
import { sql, twice } from './sql-values.js';

const within = (types: string): string =>
  first
    .replace('<EntityType Name="Customer">', `${types}<EntityType Name="Customer">`)
    .replace(
      '<Property Name="Old"',
      '<Property Name="Home" Type="Self.Place"/><Property Name="Others" Type="Collection(Self.Place)" Nullable="true"/><Property Name="Old"',
    );

const nested = within(
  '<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/><Property Name="Fax" Type="Edm.String"/><Property Name="Annex" Type="Self.Annex"/></ComplexType>' +
    '<ComplexType Name="Annex"><Property Name="Zip" Type="Edm.String"/><Property Name="Rooms" Type="Collection(Self.Room)" Nullable="true"/></ComplexType>' +
    '<ComplexType Name="Room"><Property Name="Zip" Type="Edm.String"/></ComplexType>' +
    '<ComplexType Name="Bath" BaseType="Self.Room"><Property Name="Pool" Type="Edm.Int32"/><Property Name="Tags" Type="Collection(Edm.String)" Nullable="true"/></ComplexType>',
);
const walked = within(
  `<ComplexType Name="Place"><Property Name="PostCode" Type="Edm.String">${was('Zip')}</Property><Property Name="Wing" Type="Self.Annex">${was('Annex')}</Property></ComplexType>` +
    `<ComplexType Name="Annex"><Property Name="Zip" Type="Edm.String"/><Property Name="Kind" Type="Edm.String" Nullable="false" DefaultValue="$walk$ it's"/><Property Name="Rooms" Type="Collection(Self.Room)" Nullable="true"/></ComplexType>` +
    `<ComplexType Name="Room"><Property Name="PostCode" Type="Edm.String">${was('Zip')}</Property></ComplexType>` +
    `<ComplexType Name="Bath" BaseType="Self.Room"><Property Name="Basin" Type="Edm.Int32">${was('Pool')}</Property><Property Name="Tags" Type="Collection(Edm.String)"/></ComplexType>`,
);

const kind = '"Kind": "$walk$ it\'s"';

// oxfmt-ignore
const nestedValues: readonly (readonly [before: string | null, after: string | null])[] = [
  [null, null],
  ['{"Zip": "1", "Fax": "2", "Annex": null}', '{"Wing": null, "PostCode": "1"}'],
  ['{"Zip": "1", "Annex": {"Zip": "stays"}}', `{"Wing": {"Zip": "stays", ${kind}}, "PostCode": "1"}`],
  // Rooms of other types have no pool, whatever their names.
  ['{"Annex": {"Rooms": [null, {"Zip": "1", "Pool": 2}, {"@odata.type": "#Shop.Bath", "Pool": 3, "Tags": ["a", null]}]}}', `{"Wing": {${kind}, "Rooms": [null, {"Pool": 2, "PostCode": "1"}, {"Tags": ["a", null], "Basin": 3, "@odata.type": "#Shop.Bath"}]}}`],
];

test('values within values follow their types', (t) => {
  const old = migrationsOf(nested, new Map(), noDecisions);
  const { problems } = t.throws(() => migrationsOf(walked, old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    problems.map(({ table, column, kind: what }) => [table, column, what]),
    [
      ['Place', 'Fax', 'lossy'],
      ['Shop.Bath', 'Tags', 'lossy'],
    ],
  );
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    for (const [index, [value]] of nestedValues.entries())
      await run(
        `insert into "Order" ("Number", "Old", "CustomerCode", "Home", "Others") values ('${index}', true, 'c', ${sql(value)}, ${sql(twice(value))})`,
      );
    write(migrationsOf(walked, old, { ...noDecisions, allowLossy: true, dropped: new Set(['Order/Home/Fax', 'Order/Others/Fax']) }));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(
      await run(`select "Home", "Others" from "Order" order by "Number"`),
      await Promise.all(
        nestedValues.map(async ([, value]) => (await run(`select ${sql(value)}::jsonb::text, ${sql(twice(value))}::jsonb::text`))[0]),
      ),
    );
    t.deepEqual(await run(`select count(*)::text from pg_proc where proname like '%#within'`), [['0']]);
  });
});

// Each type contains the next one twice: fully expanded, the first would have a milliard of members.
const doubling = (last: string): string =>
  Array.from(
    { length: 30 },
    (_, index) =>
      `<ComplexType Name="T${index}"><Property Name="A" Type="${index === 29 ? last : `Self.T${index + 1}`}"/><Property Name="B" Type="${index === 29 ? last : `Self.T${index + 1}`}"/></ComplexType>`,
  ).join('');

const deep = (last: string): string =>
  first
    .replace('<EntityType Name="Customer">', `${doubling(last)}<EntityType Name="Customer">`)
    .replace('<Property Name="Old"', '<Property Name="Deep" Type="Self.T0"/><Property Name="Old"');

test('types that hold each other many times are told as a whole, and a change within is asked about', (t) => {
  const old = migrationsOf(deep('Edm.String'), new Map(), noDecisions);
  t.deepEqual(migrationsOf(deep('Edm.String'), old, noDecisions), old);
  const error = t.throws(() => migrationsOf(deep('Edm.Int32'), old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    error.problems.map(({ column, kind }) => [column, kind]),
    [
      ['Deep/A', 'lossy'],
      ['Deep/B', 'lossy'],
    ],
  );
});

const ring = (facets: string): string =>
  within(
    `<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/><Property Name="Part" Type="Self.Part"/></ComplexType><ComplexType Name="Part"><Property Name="Whole" Type="Self.Place"/><Property Name="Note" Type="Edm.String"${facets}/></ComplexType>`,
  );

test('a change within a type that lies within itself is asked about', (t) => {
  const old = migrationsOf(ring(''), new Map(), noDecisions);
  const error = t.throws(() => migrationsOf(ring(' Nullable="false" DefaultValue="x"'), old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    error.problems.map(({ table, column, kind: what }) => [table, column, what]),
    [['Place', 'Part', 'lossy']],
  );
});

const chained = (last: string): string =>
  first
    .replace(
      '<EntityType Name="Customer">',
      `${Array.from({ length: 40 }, (_, index) => `<ComplexType Name="T${index}">${index === 39 ? last : `<Property Name="A" Type="Self.T${index + 1}"/>`}</ComplexType>`).join('')}<EntityType Name="Customer">`,
    )
    .replace('<Property Name="Old"', '<Property Name="Deep" Type="Self.T0"/><Property Name="Old"');

test('a member that lies deep is renamed by a short text', (t) => {
  const old = migrationsOf(chained('<Property Name="Z" Type="Edm.String"/>'), new Map(), noDecisions);
  const { length } =
    migrationsOf(chained(`<Property Name="Last" Type="Edm.String">${was('Z')}</Property>`), old, noDecisions).get(
      'migrations/0002-model.sql',
    ) ?? '';
  t.true(length > 1_000 && length < 1_000_000, `${length} characters`);
});

test('a chain of types is no stack', (t) => {
  const chain = Array.from(
    { length: 5_000 },
    (_, index) =>
      `<ComplexType Name="T${index}"><Property Name="A" Type="${index === 4_999 ? 'Edm.String' : `Self.T${index + 1}`}"/></ComplexType>`,
  ).join('');
  const model = first
    .replace('<EntityType Name="Customer">', `${chain}<EntityType Name="Customer">`)
    .replace('<Property Name="Old"', '<Property Name="Deep" Type="Self.T0"/><Property Name="Old"');
  t.true(migrationsOf(model, new Map(), noDecisions).size > 0);
});
