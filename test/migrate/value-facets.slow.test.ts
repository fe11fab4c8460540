import { readFileSync } from 'node:fs';
import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { flat } from '../support/edits.js';
import { migrationsOf, withMigrations } from './scene.js';

const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));

function model(zip: string, amount: string, at: string, tags: string, name = ''): string {
  const types =
    `<ComplexType Name="Spot"><Property Name="Amount" Type="Edm.Decimal" ${amount}/><Property Name="Hours" Type="Collection(Edm.TimeOfDay)" ${at}/></ComplexType>` +
    `<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String" ${zip}/><Property Name="At" Type="Edm.DateTimeOffset" ${at}/><Property Name="Spot" Type="Self.Spot"/></ComplexType>` +
    `<ComplexType Name="Villa" BaseType="Self.Place"><Property Name="Tags" Type="Collection(Edm.String)" ${tags}/><Property Name="Names" Type="Collection(Edm.String)" Nullable="true" ${name}/></ComplexType>`;
  return first
    .replace('<EntityType Name="Customer">', `${types}<EntityType Name="Customer">`)
    .replace(
      '<Property Name="Old"',
      '<Property Name="Home" Type="Self.Place"/><Property Name="Others" Type="Collection(Self.Place)" Nullable="true"/><Property Name="Old"',
    );
}

const wide = model('MaxLength="400"', 'Precision="10" Scale="4"', 'Precision="6"', 'Nullable="true"');
const narrow = model('MaxLength="300"', 'Precision="6" Scale="2"', 'Precision="2"', 'Nullable="false"', 'MaxLength="3"');
const lossy = { ...noDecisions, allowLossy: true };

// A value, and what the migration leaves of it.
const values: readonly (readonly [before: string | null, after: string | null])[] = [
  [null, null],
  ['{}', '{}'],
  ['{"At": null, "Zip": null, "Spot": null}', '{"At": null, "Zip": null, "Spot": null}'],
  [
    '{"At": "2020-01-01T10:00:00.120456Z", "Spot": {"Hours": ["10:00:00.001", "10:00:00.987", "10:00:00"], "Amount": 1234.5678}}',
    '{"At": "2020-01-01T10:00:00.12Z", "Spot": {"Hours": ["10:00:00", "10:00:00.98", "10:00:00"], "Amount": 1234.57}}',
  ],
  ['{"Tags": ["a", null, "b", null], "@odata.type": "#Shop.Villa"}', '{"Tags": ["a", "b"], "@odata.type": "#Shop.Villa"}'],
  ['{"Tags": [null]}', '{"Tags": [null]}'],
  ['{"Spot": {"Hours": null}}', '{"Spot": {"Hours": null}}'],
  ['{"Spot": {"Hours": "10:00:00.987"}}', '{"Spot": {"Hours": "10:00:00.987"}}'],
];

test('members of complex values are cut to facets that are less, and lose null items, where somebody says so', (t) => {
  const old = migrationsOf(wide, new Map(), noDecisions);
  const { problems } = t.throws(() => migrationsOf(narrow, old, noDecisions), { instanceOf: UndecidedError });
  t.deepEqual(
    problems.map(({ column }) => column),
    ['Home', 'Others'].flatMap((name) => ['At', 'Spot/Amount', 'Spot/Hours', 'Shop.Villa/Tags'].map((path) => `${name}/${path}`)),
  );
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    for (const [index, [value]] of values.entries())
      await run(
        `insert into "Order" ("Number", "Old", "CustomerCode", "Home", "Others") values ('${index}', true, 'c', ${sql(value)}, ${sql(twice(value))})`,
      );
    write(migrationsOf(narrow, old, lossy));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(
      await run(`select "Home", "Others" from "Order" order by "Number"`),
      await Promise.all(
        values.map(async ([, value]) => (await run(`select ${sql(value)}::jsonb::text, ${sql(twice(value))}::jsonb::text`))[0]),
      ),
    );
  });
});

/** Values that no facet of the new model permits, and the member that says so. */
const misfits: readonly (readonly [value: string, member: string])[] = [
  [`{"Zip": "${'x'.repeat(301)}"}`, 'Order/Home/Zip'],
  [`[{}, {"Zip": "${'x'.repeat(301)}"}, null]`, 'Order/Others/Zip'],
  ['{"Spot": {"Amount": 9999.995}}', 'Order/Home/Spot/Amount'],
  ['{"Spot": {"Amount": -10000}}', 'Order/Home/Spot/Amount'],
  ['{"@odata.type": "#Shop.Villa", "Names": ["abc", null, "abcd"]}', 'Order/Home/Shop.Villa/Names'],
];

test('one that does not fit stops the migration before anything changes, and the way is free once it does', (t) => {
  const old = migrationsOf(wide, new Map(), noDecisions);
  return withMigrations(old, async ({ apply, write, run }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    write(migrationsOf(narrow, old, lossy));
    for (const [index, [value, member]] of misfits.entries()) {
      await run(
        `insert into "Order" ("Number", "Old", "CustomerCode", "${member.split('/')[1] ?? ''}") values ('${index}', true, 'c', '${value}')`,
      );
      const { message } = await t.throwsAsync(apply());
      t.true(message.includes(`${member} has values that do not fit, the first in the row with "#id" `), message);
      await run('delete from "Order"');
    }
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "Home") values ('9', true, 'c', '{"Zip": "${'x'.repeat(300)}", "@odata.type": "#Shop.Villa", "Names": ["abc", null]}')`,
    );
    t.deepEqual(await apply(), ['0002-model.sql']);
  });
});

const around = (zip: string, amount: string): string =>
  first
    .replace(
      '<EntityType Name="Customer">',
      `<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String" ${zip}/><Property Name="Amount" Type="Edm.Decimal" ${amount}/><Property Name="Annex" Type="Self.Place"/></ComplexType><ComplexType Name="Villa" BaseType="Self.Place"><Property Name="Names" Type="Collection(Edm.String)" ${zip}/><Property Name="Wings" Type="Collection(Self.Villa)"/></ComplexType><EntityType Name="Customer">`,
    )
    .replace('<Property Name="Old"', '<Property Name="Home" Type="Self.Place"/><Property Name="Old"');

test('values that lie within each other are looked at to any depth', (t) => {
  const old = migrationsOf(around('MaxLength="5"', 'Precision="10" Scale="4"'), new Map(), noDecisions);
  const untold = new Map(
    [...old].map(([path, text]) => [path, path === schemaPath ? text.replaceAll(/"again":\{[^}]*\}/g, '"again":true') : text]),
  );
  const { problems } = t.throws(() => migrationsOf(around('MaxLength="3"', 'Precision="10" Scale="4"'), untold, noDecisions), {
    instanceOf: UndecidedError,
  });
  t.regex(
    problems[0]?.message ?? '',
    /^Order\/Home\/Zip changed from varchar\(5\) to varchar\(3\), in recursive values, which are not searched\./,
  );
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    write(migrationsOf(around('MaxLength="3"', 'Precision="6" Scale="2"'), old, lossy));
    for (const [value, member] of [
      ['{"Annex": {"Annex": {"Zip": "long"}}}', 'Zip'],
      ['{"Annex": {"Amount": 12345}}', 'Amount'],
      ['{"Annex": {"@odata.type": "#Shop.Villa", "Wings": [{}, {"Names": ["abc", "long"]}]}}', 'Shop.Villa/Names'],
    ]) {
      await run(`insert into "Order" ("Number", "Old", "CustomerCode", "Home") values ('1', true, 'c', '${value}')`);
      const { message } = await t.throwsAsync(apply());
      t.true(message.includes(`Order/Home/${member} has values that do not fit, the first in the row with "#id" `), message);
      await run('delete from "Order"');
    }
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "Home") values ('1', true, 'c', '{"Names": ["longer"], "Annex": {"Zip": "abc", "Annex": {"Amount": 1234.5678}}}')`,
    );
    await apply();
    t.deepEqual(await run('select "Home"::text from "Order"'), [
      ['{"Annex": {"Zip": "abc", "Annex": {"Amount": 1234.57}}, "Names": ["longer"]}'],
    ]);
    t.deepEqual(await drift(), []);
  });
});

const tagged = (facets: string, more = ''): string =>
  first.replace('<Property Name="Old"', `<Property Name="Tags" Type="Collection(Edm.String)" ${facets}/>${more}<Property Name="Old"`);

test('items of a collection of texts are looked at where they may be less long than they were', (t) => {
  const old = migrationsOf(tagged('MaxLength="5"'), new Map(), noDecisions);
  const [shorter, limited] = [
    tagged('MaxLength="3"'),
    migrationsOf(tagged('MaxLength="3"'), migrationsOf(tagged(''), new Map(), noDecisions), noDecisions),
  ];
  t.true(limited.get('migrations/0002-model.sql')?.includes('length("item") > 3'));
  t.deepEqual([...migrationsOf(tagged('MaxLength="9"'), old, noDecisions).keys()].sort(), [...old.keys()].sort());
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    write(migrationsOf(shorter, old, noDecisions));
    await run(`insert into "Order" ("Number", "Old", "CustomerCode", "Tags") values ('1', true, 'c', '{abc,long}')`);
    const { message } = await t.throwsAsync(apply());
    t.true(message.includes('Order/Tags has values that do not fit, the first in the row with "#id" '), message);
    await run(`update "Order" set "Tags" = '{abc}'`);
    await apply();
    t.deepEqual(await drift(), []);
  });
});

const schemaPath = 'migrations/schema.json';

function twice(value: string | null): string {
  return value === null ? '[null]' : `[${value}, null, ${value}]`;
}

function sql(value: string | null): string {
  return value === null ? 'null' : `'${value}'`;
}
