// Depends on PostgreSQL: DDL.

import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { model } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';

const types = (inner: string): string =>
  `<EnumType Name="Kind"><Member Name="Flat" Value="1"/><Member Name="House" Value="2"/></EnumType><ComplexType Name="Room"><Property Name="Name" Type="Edm.String"/></ComplexType><ComplexType Name="Place">${inner}</ComplexType>`;
const single = types(
  '<Property Name="Room" Type="Self.Room"/><Property Name="Kind" Type="Self.Kind"/><Property Name="Kinds" Type="Collection(Self.Kind)" Nullable="false"/>',
);
const many = types(
  '<Property Name="Room" Type="Collection(Self.Room)" Nullable="false"/><Property Name="Kind" Type="Edm.String"/><Property Name="Kinds" Type="Collection(Edm.String)" Nullable="false"/>',
);
// Whether these are collections is what changes.
const one = '<Property Name="Part" Type="Self.Room"/><Property Name="Shape" Type="Edm.GeographyPolygon"/>';
const several =
  '<Property Name="Part" Type="Collection(Self.Room)" Nullable="false"/><Property Name="Shape" Type="Collection(Edm.GeographyPolygon)" Nullable="false"/>';

const values = `"Part"::text, "Shape"::text, "Home"::text, "Others"::text from "Order" order by "Number"`;

test('one complex value becomes the only item', (t) => {
  const old = migrationsOf(model(single, one), new Map(), noDecisions);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    const columns = '"Number", "Old", "CustomerCode", "Part", "Shape", "Home", "Others"';
    await run(
      `insert into "Order" (${columns}) values ('1', true, 'c', '{"Name":"a"}', '{"type":"Polygon"}', '{"Room":{"Name":"b"},"Kind":2,"Kinds":[1,7]}', '[{"Kind":1},null,{}]'), ('2', true, 'c', null, null, null, '[]')`,
    );
    write(migrationsOf(model(single, several), old, noDecisions));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run(`select ${values}`), [
      ['[{"Name": "a"}]', '[{"type": "Polygon"}]', '{"Kind": 2, "Room": {"Name": "b"}, "Kinds": [1, 7]}', '[{"Kind": 1}, null, {}]'],
      ['[]', '[]', null, '[]'],
    ]);
  });
});

test('members of complex values stay as they are, which is asked', (t) => {
  const old = migrationsOf(model(single, one), new Map(), noDecisions);
  const { problems } = t.throws<UndecidedError>(() => migrationsOf(model(many, one), old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    problems.map(({ table, column }) => `${table}/${column}`),
    ['Place/Room', 'Place/Kind', 'Place/Kinds'],
  );
  for (const { message } of problems) t.regex(message, /but values stay as they are\. Restore it; or write the change of the rows/);
});

test('several complex values that become one are asked about, and end', (t) => {
  const old = migrationsOf(model(many, several), new Map(), noDecisions);
  const wanted = model(many.replace('Type="Collection(Self.Room)" Nullable="false"', 'Type="Self.Room"'), one);
  const { problems } = t.throws<UndecidedError>(() => migrationsOf(wanted, old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    problems.map(({ message }) => message.replace(/: (?:all items|there is no).*|\..*/s, '')),
    [
      'Place/Room changed from Collection(Edm',
      'Order/Part changed from a collection to a single value',
      'Order/Shape changed from a collection to a single value',
    ],
  );
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    const columns = '"Number", "Old", "CustomerCode", "Part", "Shape", "Home"';
    await run(
      `insert into "Order" (${columns}) values ('1', true, 'c', '[{"Name":"a"},{}]', '[{"type":"Polygon"}]', '{"Room":[{"Name":"b"},{}]}'), ('2', true, 'c', '[]', '[null]', '{"Room":[]}')`,
    );
    write(migrationsOf(wanted, old, { ...noDecisions, allowLossy: true }));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run(`select ${values}`), [
      [null, null, '{"Room": [{"Name": "b"}, {}]}', '[]'],
      [null, null, '{"Room": []}', '[]'],
    ]);
  });
});

// A text, the type that it becomes, and whether it does.
const texts: readonly (readonly [type: string, text: string, result: string | undefined])[] = [
  ['Edm.Decimal" Precision="8" Scale="2', '1.20', '1.20'],
  ['Edm.Decimal" Precision="8" Scale="2', '-1.2000', '-1.20'],
  ['Edm.Decimal" Precision="8" Scale="2', '1.239', undefined],
  ['Edm.Date', '2024-03-05', '2024-03-05'],
  ['Edm.Date', '2024-03-05T23:59:00Z', undefined],
  ['Edm.TimeOfDay" Precision="0', '12:30', '12:30:00'],
  ['Edm.TimeOfDay" Precision="0', '12:30:00.5', undefined],
  ['Edm.DateTimeOffset" Precision="0', '2024-03-05T23:59:00+01:00', '2024-03-05 22:59:00+00'],
  ['Edm.DateTimeOffset" Precision="0', '2024-03-05T23:59:00', undefined],
  ['Edm.DateTimeOffset" Precision="0', '2024-03-05T23:59:00.7Z', undefined],
];

const withType = (name: string): string => model(single, `<Property Name="Said" Type="${name}"/>`);

for (const [type, text, result] of texts) {
  test(`a text becomes a value of ${type.replaceAll('"', '')} where nothing of it is lost: ${text}`, (t) => {
    const old = migrationsOf(withType('Edm.String'), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, write, run }) => {
      await apply();
      await run(`insert into "Customer" ("Code") values ('c')`);
      await run(`insert into "Order" ("Number", "Old", "CustomerCode", "Said") values ('1', true, 'c', '${text}')`);
      write(migrationsOf(withType(type), old, noDecisions));
      if (result === undefined) await t.throwsAsync(apply, { message: /not exactly one/ });
      else await apply();
      t.deepEqual(await run(`select "Said"::text from "Order"`), [[result ?? text]]);
    });
  });
}
