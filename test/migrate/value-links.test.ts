import test from 'ava';
import { UndecidedError } from '../../generator/migrate/plan-migrations.js';
import { noDecisions } from '../../generator/migrate/step.js';
import { model, was } from './place-model.js';
import { migrationsOf, withMigrations } from './scene.js';

const leading = (navigation: string): string =>
  model(`<ComplexType Name="Place"><Property Name="Zip" Type="Edm.String"/>${navigation}</ComplexType>`);

test('where items lead follows the name of the navigation property, and is not lost unasked', (t) => {
  const old = migrationsOf(leading('<NavigationProperty Name="Owner" Type="Self.Customer"/>'), new Map(), noDecisions);
  const asked = (navigation: string): unknown =>
    t
      .throws(() => migrationsOf(leading(navigation), old, noDecisions), { instanceOf: UndecidedError })
      ?.problems.filter(({ column }) => column?.includes('Others'))
      .map(({ column, kind }) => [column, kind]);
  t.deepEqual(asked(''), [['Others/#Owner', 'lossy']]);
  t.deepEqual(asked('<NavigationProperty Name="Keeper" Type="Self.Customer"/>'), [['Others/#Owner', 'rename']]);
  t.deepEqual(asked('<NavigationProperty Name="Owner" Type="Self.Order"/>'), [['Others/#Owner', 'lossy']]);
  t.deepEqual(asked('<NavigationProperty Name="Owner" Type="Self.Customer" Nullable="false"/>'), [['Others/#Owner', 'fill']]);
  // The one number is read where there may be several.
  t.deepEqual(asked('<NavigationProperty Name="Owner" Type="Collection(Self.Customer)"/>'), []);
  return withMigrations(old, async ({ apply, write, run }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "Others") values ('1', true, 'c', '[{"Zip": "1", "#Owner": 7}, null]')`,
    );
    write(
      migrationsOf(
        leading(`<NavigationProperty Name="Keeper" Type="Self.Customer">${was('Owner')}</NavigationProperty>`),
        old,
        noDecisions,
      ),
    );
    await apply();
    t.deepEqual(await run(`select "Others"::text from "Order"`), [['[{"Zip": "1", "#Keeper": 7}, null]']]);
  });
});

const toAny = '<NavigationProperty Name="Owner" Type="Edm.EntityType"/>';

test('where items lead of any type follows the property and the set, and is not lost unasked', (t) => {
  const old = migrationsOf(leading(toAny), new Map(), noDecisions);
  const asked = (now: string): unknown =>
    t
      .throws(() => migrationsOf(now, old, noDecisions), { instanceOf: UndecidedError })
      ?.problems.filter(({ column }) => column?.includes('Others'))
      .map(({ column, kind }) => [column, kind]);
  t.deepEqual(asked(leading('')), [
    ['Others/#Owner:Customers', 'lossy'],
    ['Others/#Owner:Orders', 'lossy'],
  ]);
  t.deepEqual(asked(leading(toAny.replace('Owner', 'Keeper'))), [
    ['Others/#Owner:Customers', 'rename'],
    ['Others/#Owner:Orders', 'rename'],
  ]);
  t.deepEqual(
    asked(
      leading(toAny).replace(
        '<EntitySet Name="Orders" EntityType="Self.Order">',
        '<EntitySet Name="Orders" EntityType="Self.Order"><NavigationPropertyBinding Path="Others/Owner" Target="Orders"/>',
      ),
    ),
    [['Others/#Owner:Customers', 'lossy']],
  );
  t.deepEqual(asked(leading('<NavigationProperty Name="Owner" Type="Self.Customer"/>')), [
    ['Others/#Owner:Customers', 'rename'],
    ['Others/#Owner:Orders', 'lossy'],
  ]);
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "Others") values ('1', true, 'c', '[{"Zip": "1", "#Owner:Customers": 7}, {"#Owner:Orders": 8}, null]')`,
    );
    const renamed = leading(`<NavigationProperty Name="Keeper" Type="Edm.EntityType">${was('Owner')}</NavigationProperty>`);
    write(
      migrationsOf(
        renamed
          .replaceAll('"Customers"', '"Clients"')
          .replace('EntityType="Self.Customer"/>', `EntityType="Self.Customer">${was('Customers')}</EntitySet>`),
        old,
        noDecisions,
      ),
    );
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run(`select "Others"::text from "Order"`), [['[{"Zip": "1", "#Keeper:Clients": 7}, {"#Keeper:Orders": 8}, null]']]);
  });
});

test('items that must lead to a record of any type from now on lead to the one that is said, where they lead nowhere', (t) => {
  const old = migrationsOf(leading(toAny), new Map(), noDecisions);
  const needed = leading(toAny.replace('/>', ' Nullable="false"/>'));
  const problems = t
    .throws(() => migrationsOf(needed, old, noDecisions), { instanceOf: UndecidedError })
    ?.problems.filter(({ column }) => column?.includes('Others'));
  t.deepEqual(
    problems?.map(({ message }) => message),
    [
      'Order/Others/#Owner:Customers or #Owner:Orders is always there, and values that exist may have none of them. Let them lead nowhere, or write --fill Order/Others/#Owner:Customers=NUMBER for one of them.',
    ],
  );
  return withMigrations(old, async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "Others") values ('1', true, 'c', '[{"Zip": "1", "#Owner:Orders": 8}, {"Zip": "2"}, null]')`,
    );
    const filled = migrationsOf(needed, old, {
      ...noDecisions,
      fills: new Map([
        ['Order/Others/#Owner:Customers', "'7'"],
        ['Order/#Home/Owner/Shop.Customer', "'7'"],
      ]),
    });
    write(filled);
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run(`select "Others"::text from "Order"`), [
      ['[{"Zip": "1", "#Owner:Orders": 8}, {"Zip": "2", "#Owner:Customers": 7}, null]'],
    ]);
    // A set less is asked about, and nothing else.
    const fewer = needed.replace(
      '<EntitySet Name="Orders" EntityType="Self.Order">',
      '<EntitySet Name="Orders" EntityType="Self.Order"><NavigationPropertyBinding Path="Others/Owner" Target="Orders"/><NavigationPropertyBinding Path="Home/Owner" Target="Customers"/><NavigationPropertyBinding Path="Home/Owner/Self.Order" Target="Orders"/>',
    );
    t.deepEqual(
      t
        .throws(() => migrationsOf(fewer, filled, noDecisions), { instanceOf: UndecidedError })
        ?.problems.map(({ column, kind }) => [column, kind]),
      [['Others/#Owner:Customers', 'lossy']],
    );
  });
});
