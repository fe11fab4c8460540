// Depends on PostgreSQL: DDL.

import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrate } from '../../runtime/tools/migrations/migrate.js';
import { migrationsOf, withMigrations } from './scene.js';

/** The names of a model's members; `was` follows renamed ones. */
interface Names {
  readonly code: string;
  readonly part: string;
  readonly special: string;
  readonly within: string;
  readonly was: Partial<Record<'code' | 'part' | 'special' | 'within', string>>;
}

const first: Names = { code: 'C', part: 'Part', special: 'Special', within: 'Number', was: {} };

function model({ code, part, special, within, was }: Names): string {
  const note = (name: keyof Names['was']): string =>
    was[name] === undefined ? '' : `<Annotation Term="Rules.RenamedFrom" String="${was[name]}"/>`;
  const member = (name: string, type: string, what: keyof Names['was']): string =>
    `<Property Name="${name}" Type="${type}" Nullable="false">${note(what)}</Property>`;
  return `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
  <edmx:Reference Uri="https://gable.example/ServiceRules.V1.xml"><edmx:Include Namespace="ServiceRules.V1" Alias="Rules"/></edmx:Reference>
  <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop" Alias="Self">
    <ComplexType Name="Mark">${member(code, 'Edm.String', 'code')}<Property Name="Kind" Type="Edm.String"/></ComplexType>
    <ComplexType Name="Inner">${member(within, 'Edm.Int32', 'within')}</ComplexType>
    <ComplexType Name="Outer">${member(part, 'Self.Inner', 'part')}</ComplexType>
    <ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/></ComplexType>
    <ComplexType Name="${special}" BaseType="Self.Place"><Property Name="Owner" Type="Edm.String"/>${note('special')}</ComplexType>
    <EntityType Name="Shelf">
      <Key><PropertyRef Name="K/${code}" Alias="Code"/></Key>
      <Property Name="K" Type="Self.Mark" Nullable="false"/>
    </EntityType>
    <EntityType Name="Box">
      <Key><PropertyRef Name="Place/${part}/${within}" Alias="Number"/><PropertyRef Name="Row"/></Key>
      <Property Name="Place" Type="Self.Outer" Nullable="false"/>
      <Property Name="Row" Type="Edm.Int32" Nullable="false"/>
      <Property Name="On" Type="Edm.String" Nullable="false"/>
      <Property Name="Beside" Type="Self.Mark"/>
      <Property Name="Home" Type="Self.Place"/>
      <NavigationProperty Name="Shelf" Type="Self.Shelf" Nullable="false"><ReferentialConstraint Property="On" ReferencedProperty="K/${code}"/></NavigationProperty>
      <NavigationProperty Name="Next" Type="Self.Shelf"><ReferentialConstraint Property="Beside/${code}" ReferencedProperty="K/${code}"/></NavigationProperty>
      <NavigationProperty Name="Owner" Type="Self.Shelf"><ReferentialConstraint Property="Home/Shop.${special}/Owner" ReferencedProperty="K/${code}"/></NavigationProperty>
    </EntityType>
    <EntityContainer Name="Container"><EntitySet Name="Shelves" EntityType="Self.Shelf"/><EntitySet Name="Boxes" EntityType="Self.Box"/></EntityContainer>
  </Schema></edmx:DataServices></edmx:Edmx>`;
}

const filled = [
  `insert into "Shelf" ("K") values ('{"C": "a", "Kind": "x"}'), ('{"C": "b"}')`,
  `insert into "Box" ("Place", "Row", "On", "Beside", "Home") values
    ('{"Part": {"Number": 1}}', 1, 'a', '{"C": "b"}', '{"Zip": "1", "@odata.type": "#Shop.Special", "Owner": "a"}'),
    ('{"Part": {"Number": 1}}', 2, 'b', null, null)`,
];

// Renames, with the resulting values and columns.
const renames: readonly (readonly [
  title: string,
  names: Names,
  shelves: readonly (readonly string[])[],
  boxes: string,
  box: readonly (readonly (string | null)[])[],
])[] = [
  [
    'the only member of a key',
    { ...first, code: 'Code', was: { code: 'C' } },
    [
      ['a', '{"Code": "a", "Kind": "x"}'],
      ['b', '{"Code": "b"}'],
    ],
    'select "#Place/Part/Number"::text, "Row"::text, "On", "#Beside/Code", "Beside"::text, "#Home/Shop.Special/Owner" from "Box" order by "Row"',
    [
      ['1', '1', 'a', 'b', '{"Code": "b"}', 'a'],
      ['1', '2', 'b', null, null, null],
    ],
  ],
  [
    'a member of a value within a value',
    { ...first, within: 'No', was: { within: 'Number' } },
    [
      ['a', '{"C": "a", "Kind": "x"}'],
      ['b', '{"C": "b"}'],
    ],
    'select "#Place/Part/No"::text, "Place"::text from "Box" order by "Row"',
    [
      ['1', '{"Part": {"No": 1}}'],
      ['1', '{"Part": {"No": 1}}'],
    ],
  ],
  [
    'all of them, and a type in a path',
    { code: 'Code', part: 'Inner', special: 'Own', within: 'No', was: { code: 'C', part: 'Part', special: 'Special', within: 'Number' } },
    [
      ['a', '{"Code": "a", "Kind": "x"}'],
      ['b', '{"Code": "b"}'],
    ],
    'select "#Place/Inner/No"::text, "Place"::text, "#Beside/Code", "#Home/Shop.Own/Owner", "Home" ->> \'@odata.type\' from "Box" order by "Row"',
    [
      ['1', '{"Inner": {"No": 1}}', 'b', 'a', '#Shop.Own'],
      ['1', '{"Inner": {"No": 1}}', null, null, null],
    ],
  ],
];

for (const [title, names, shelves, select, box] of renames) {
  test(`a key within a complex value follows its name: ${title}`, (t) => {
    const old = migrationsOf(model(first), new Map(), noDecisions);
    const next = migrationsOf(model(names), old, noDecisions);
    return withMigrations(old, async ({ apply, write, run, drift }) => {
      await apply();
      for (const statement of filled) await run(statement);
      write(next);
      await apply();
      t.deepEqual(await drift(), []);
      t.deepEqual(await run(`select "#K/${names.code}", "K"::text from "Shelf" order by 1`), shelves);
      t.deepEqual(await run(select), box);
      await t.throwsAsync(run(`insert into "Shelf" ("K") values ('{"${names.code}": "a"}')`), { message: /unique/ });
      await t.throwsAsync(run(`delete from "Shelf"`), { message: /foreign key/ });
    });
  });
}

test('and what somebody says that it is called', (t) => {
  const old = migrationsOf(model(first), new Map(), noDecisions);
  const said = new Map([
    ['Shelf/K/C', 'Code'],
    ['Box/Beside/C', 'Code'],
    ['Box/Place/Part', 'Inner'],
    ['Box/Place/Part/Number', 'No'],
  ]);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    for (const statement of filled) await run(statement);
    write(migrationsOf(model({ ...first, code: 'Code', part: 'Inner', within: 'No' }), old, { ...noDecisions, renamed: said }));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(
      await run('select "#K/Code", "#Beside/Code", "#Place/Inner/No"::text from "Box" join "Shelf" on "#K/Code" = "On" order by 1'),
      [
        ['a', 'b', '1'],
        ['b', null, '1'],
      ],
    );
  });
});

test('also where the name of the column has no room for the path', (t) => {
  const [before, after, code] = ['Number'.repeat(11), 'No'.repeat(40), 'Code'.repeat(20)];
  const old = migrationsOf(model({ ...first, within: before, code }), new Map(), noDecisions);
  const said = new Map([
    ['Box/Place/Part', 'Inner'],
    [`Box/Place/Part/${before}`, after],
    [`Shelf/K/${code}`, 'Code'],
    [`Box/Beside/${code}`, 'Code'],
  ]);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Shelf" ("K") values ('{"${code}": "a"}')`);
    await run(`insert into "Box" ("Place", "Row", "On") values ('{"Part": {"${before}": 1}}', 1, 'a')`);
    const next = migrationsOf(model({ ...first, part: 'Inner', within: after, code: 'Code' }), old, { ...noDecisions, renamed: said });
    t.true([...next.values()].some((text) => /alter table "Box" rename column "#Place\/Part\/\w+" to "#Place\/Inner\/\w+";/.test(text)));
    write(next);
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select "Place"::text, "K"::text from "Box" join "Shelf" on "#K/Code" = "On"'), [
      [`{"Inner": {"${after}": 1}}`, '{"Code": "a"}'],
    ]);
  });
});

// Between the phases, rows have the old names, some of the new ones, or all of them.
const passing = ['{"Part": {"Number": 1}}', '{"Inner": {"Number": 2}}', '{"Inner": {"No": 3}}'];

test('a key has its value and holds in every phase', (t) => {
  const old = migrationsOf(model(first), new Map(), noDecisions);
  const next = migrationsOf(model({ ...first, part: 'Inner', within: 'No', was: { part: 'Part', within: 'Number' } }), old, noDecisions);
  return withMigrations(old, async ({ apply, pool, folder, write, run, drift }) => {
    await apply();
    for (const statement of filled) await run(statement);
    write(next);
    await migrate(pool, folder, [], { until: 'expand' });
    await run(`delete from "Box"`);
    for (const [index, place] of passing.entries())
      await run(`insert into "Box" ("Place", "Row", "On") values ('${place}', ${index}, 'a')`);
    t.deepEqual(await run('select "#Place/Inner/No"::text from "Box" order by "Row"'), [['1'], ['2'], ['3']]);
    await t.throwsAsync(run(`insert into "Box" ("Place", "Row", "On") values ('{"Inner": {"No": 1}}', 0, 'a')`), { message: /unique/ });
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select "Place"::text from "Box" order by "Row"'), [
      ['{"Inner": {"No": 1}}'],
      ['{"Inner": {"No": 2}}'],
      ['{"Inner": {"No": 3}}'],
    ]);
  });
});

test('a key outlives that its type has more room', (t) => {
  const old = migrationsOf(model(first), new Map(), noDecisions);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    for (const statement of filled) await run(statement);
    write(migrationsOf(model(first).replace('Edm.Int32', 'Edm.Int64'), old, noDecisions));
    await apply();
    t.deepEqual(await drift(), []);
    await t.throwsAsync(run(`insert into "Box" ("Place", "Row", "On") values ('{"Part": {"Number": 1}}', 1, 'a')`), { message: /unique/ });
  });
});

// Facets are the column's alone: its expression casts to the bare type.
const room = model(first)
  .replaceAll('Edm.String"', 'Edm.String" MaxLength="2"')
  .replace('Edm.Int32"', 'Edm.Decimal" Precision="3" Scale="1"');

test('also where the room is of its facets', (t) => {
  const old = migrationsOf(room, new Map(), noDecisions);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    for (const statement of filled) await run(statement);
    write(
      migrationsOf(
        room.replaceAll('MaxLength="2"', 'MaxLength="20"').replace('Precision="3" Scale="1"', 'Precision="8" Scale="3"'),
        old,
        noDecisions,
      ),
    );
    await apply();
    t.deepEqual(await drift(), []);
    await run(`insert into "Shelf" ("K") values ('{"C": "more than two"}')`);
    t.deepEqual(
      await run(
        `update "Box" set "Place" = '{"Part": {"Number": 12345.678}}', "On" = 'more than two' where "Row" = 1 returning "#Place/Part/Number"::text`,
      ),
      [['12345.678']],
    );
    await t.throwsAsync(run(`delete from "Shelf" where "#K/C" = 'more than two'`), { message: /foreign key/ });
  });
});

const required = model(first)
  .replace('Name="Beside" Type="Self.Mark"', 'Name="Beside" Type="Self.Mark" Nullable="false"')
  .replace('Name="Next" Type="Self.Shelf"', 'Name="Next" Type="Self.Shelf" Nullable="false"');

test('what a foreign key is made of may be null from here on, and may not', (t) => {
  const old = migrationsOf(model(first), new Map(), noDecisions);
  const { problems } = t.throws(() => migrationsOf(required, old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    problems.map(({ column, kind }) => [column, kind]),
    [['Beside', 'fill']],
  );
  const stricter = new Map([...old, ...migrationsOf(required, old, { ...noDecisions, fills: new Map([['Box/Beside', `'{"C": "a"}'`]]) })]);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    for (const statement of filled) await run(statement);
    write(stricter);
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select "#Beside/C" from "Box" order by "Row"'), [['b'], ['a']]);
    write(migrationsOf(model(first), stricter, noDecisions));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('update "Box" set "Beside" = null returning "#Beside/C"'), [[null], [null]]);
  });
});

// JSON values that no plain cast computes, with their column values.
const moments: readonly (readonly [type: string, json: string, column: string])[] = [
  ['Edm.Date', '0001-02-28', '0001-02-28'],
  ['Edm.TimeOfDay', '08:30:00.000001', '08:30:00.000001'],
  ['Edm.DateTimeOffset" Precision="6', '9999-12-31T23:59:59.999999Z', '9999-12-31 23:59:59.999999+00'],
  ['Edm.Duration', '-P1DT2H3M4.5S', 'P-1DT-2H-3M-4.5S'],
];

function momentModel(type: string, name: string, was = ''): string {
  const note = was === '' ? '' : `<Annotation Term="Rules.RenamedFrom" String="${was}"/>`;
  return `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
  <edmx:Reference Uri="https://gable.example/ServiceRules.V1.xml"><edmx:Include Namespace="ServiceRules.V1" Alias="Rules"/></edmx:Reference>
  <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop" Alias="Self">
    <ComplexType Name="Inner"><Property Name="${name}" Type="${type}" Nullable="false">${note}</Property></ComplexType>
    <ComplexType Name="Outer"><Property Name="In${name}" Type="Self.Inner" Nullable="false">${note.replace('String="', 'String="In')}</Property></ComplexType>
    <EntityType Name="Box"><Key><PropertyRef Name="K/In${name}/${name}" Alias="Key"/></Key><Property Name="K" Type="Self.Outer" Nullable="false"/></EntityType>
    <EntityContainer Name="Container"><EntitySet Name="Boxes" EntityType="Self.Box"/></EntityContainer>
  </Schema></edmx:DataServices></edmx:Edmx>`;
}

for (const [type, json, column] of moments) {
  test(`a key within a complex value has its value and follows its name in every phase: ${type}`, (t) => {
    const old = migrationsOf(momentModel(type, 'Old'), new Map(), noDecisions);
    return withMigrations(old, async ({ apply, pool, folder, write, run, drift }) => {
      await apply();
      t.deepEqual(await drift(), []);
      await run(`insert into "Box" ("K") values ('{"InOld": {"Old": "${json}"}}')`);
      write(migrationsOf(momentModel(type, 'New', 'Old'), old, noDecisions));
      await migrate(pool, folder, [], { until: 'expand' });
      t.deepEqual(await run('select "#K/InNew/New"::text from "Box"'), [[column]]);
      for (const passing of ['{"InOld": {"Old": "V"}}', '{"InNew": {"Old": "V"}}', '{"InNew": {"New": "V"}}']) {
        await t.throwsAsync(run(`insert into "Box" ("K") values ('${passing.replace('V', json)}')`), { message: /unique/ });
      }
      await apply();
      t.deepEqual(await drift(), []);
      t.deepEqual(await run('select "#K/InNew/New"::text, "K"::text from "Box"'), [[column, `{"InNew": {"New": "${json}"}}`]]);
      await t.throwsAsync(run(`insert into "Box" ("K") values ('{"InNew": {}}')`), { message: /not-null/ });
    });
  });
}
