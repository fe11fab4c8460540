import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
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

const containing = (navigation: string): string =>
  model(
    `<EntityType Name="Note"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType><ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/>${navigation}</ComplexType>`,
  );

test('what items contain follows the name of the navigation property, and is not lost unasked', (t) => {
  const bare = migrationsOf(
    model('<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/></ComplexType>'),
    new Map(),
    noDecisions,
  );
  const old = new Map([
    ...bare,
    ...migrationsOf(containing('<NavigationProperty Name="Notes" Type="Collection(Self.Note)" ContainsTarget="true"/>'), bare, noDecisions),
  ]);
  const asked = (navigation: string): unknown =>
    t
      .throws(() => migrationsOf(containing(navigation), old, noDecisions), { instanceOf: UndecidedError })
      ?.problems.filter(({ table, column }) => `${table}/${column}`.includes('Others'))
      .map(({ table, column, kind }) => [table, column, kind]);
  t.deepEqual(asked(''), [
    ['Note@Order.Others/Notes', undefined, 'lossy'],
    ['Order', 'Others/#Notes', 'lossy'],
  ]);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    t.deepEqual(await drift(), []);
    await run(`insert into "Customer" ("Code") values ('c')`);
    const mark = '6f9619ff-8b86-4d11-b42d-00c04fc964ff';
    const [[number] = []] = await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "Others") values ('1', true, 'c', '[{"#Notes": "${mark}"}]') returning "#id"`,
    );
    await run(`insert into "Note@Order.Others/Notes" ("#in.Order", "#item", "Id") values (${number}, '${mark}', 5)`);
    write(
      migrationsOf(
        containing(
          `<NavigationProperty Name="Remarks" Type="Collection(Self.Note)" ContainsTarget="true">${was('Notes')}</NavigationProperty>`,
        ),
        old,
        noDecisions,
      ),
    );
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run(`select "Others"::text from "Order"`), [[`[{"#Remarks": "${mark}"}]`]]);
    t.deepEqual(await run(`select "#item"::text, "Id"::text from "Note@Order.Others/Remarks"`), [[mark, '5']]);
    await run(`delete from "Order"`);
    t.deepEqual(await run(`select from "Note@Order.Others/Remarks"`), []);
  });
});

const streaming = (properties: string): string =>
  model(
    `<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/>${properties}</ComplexType>`,
    '<Property Name="Plan" Type="Edm.Stream"/>',
  );

test('streams of items follow the name of the property, and their bytes go with it', (t) => {
  const photo = '<Property Name="Photo" Type="Edm.Stream"/>';
  const bare = migrationsOf(streaming(''), new Map(), noDecisions);
  const old = new Map([...bare, ...migrationsOf(streaming(`${photo}<Property Name="Scan" Type="Edm.Stream"/>`), bare, noDecisions)]);
  const asked = t
    .throws(() => migrationsOf(streaming(photo), old, noDecisions), { instanceOf: UndecidedError })
    ?.problems.filter(({ column }) => column?.includes('Others'))
    .map(({ column, kind }) => [column, kind]);
  t.deepEqual(asked, [['Others/#Scan', 'lossy']]);
  const [kept, gone, own, single] = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(8)}-8b86-4d11-b42d-00c04fc964ff`);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    t.deepEqual(await drift(), []);
    await run(`insert into "Customer" ("Code") values ('c')`);
    const item = (first: string, second: string): string => `[{"Zip": "1", "${first}": {"stream": "${kept}"}${second}}, null]`;
    const [[number] = []] = await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "#Plan.stream", "#Home/Scan.stream", "Home", "Others") values ('1', true, 'c', '${own}', '${single}', '{}', '${item('#Photo', `, "#Scan": {"stream": "${gone}"}`)}') returning "#id"`,
    );
    await run(
      `insert into "#stream" ("#stream", "#number", "#data", "Order") select id::uuid, 0, '', ${number} from unnest(array['${kept}', '${gone}', '${own}', '${single}']) id`,
    );
    write(
      migrationsOf(streaming(`<Property Name="Picture" Type="Edm.Stream">${was('Photo')}</Property>`), old, {
        ...noDecisions,
        dropped: new Set(['Order/Others/#Scan', 'Order/#Home/Scan.stream']),
      }),
    );
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run(`select "Others"::text from "Order"`), [[item('#Picture', '')]]);
    t.deepEqual(await run(`select "#stream"::text from "#stream" order by 1`), [[kept], [own]]);
  });
});
