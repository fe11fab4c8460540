// Depends on PostgreSQL: jsonb.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { wide } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

const home = (city: string): string => JSON.stringify({ '@odata.type': '#Shop.Home', City: city });

test('complex values say the new names of their types, however deep they lie', (t) => {
  const properties =
    '<Property Name="Seat" Type="Self.Place"/><Property Name="Seats" Type="Collection(Self.Place)" Nullable="false"/><Property Name="Wrap" Type="Self.Wrap"/>';
  const model = (type: string): string =>
    wide
      .replace(
        '<EntityType Name="Customer">',
        `<ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType>${type}<ComplexType Name="Wrap"><Property Name="In" Type="Self.Place"/></ComplexType><EntityType Name="Customer" OpenType="true">`,
      )
      .replace('<Property Name="Name" Type="Edm.String" MaxLength="50"/>', properties)
      .replace('<NavigationProperty', `<Property Name="Shared" Type="Self.Place"/><NavigationProperty`);
  const old = model('<ComplexType Name="Home" BaseType="Self.Place"/>');
  const now = model('<ComplexType Name="House" BaseType="Self.Place"><Annotation Term="Rules.RenamedFrom" String="Home"/></ComplexType>');
  const before = migrationsOf(old, new Map(), noDecisions);
  return withMigrations(before, async ({ run, apply, write, drift }) => {
    await apply();
    const lookalike = '"@odata.type": "#Shop.Home"';
    await run(
      `insert into "Customer" ("Code", "Seat", "Seats", "Wrap", "#open") values ('C', '${home(lookalike)}', '[${home('Rome')},{"City":"Bonn"}]', '{"In":${home('Oslo')}}', '{"Also":${home('Kiel')}}')`,
    );
    await run(
      `insert into "Order" ("Number", "Old", "CustomerCode", "#more") values ('N', true, 'C', jsonb_build_object('Shared', ('${home('Lund')}'::jsonb)::text, 'W305', '${lookalike}'))`,
    );
    write(migrationsOf(now, before, noDecisions));
    t.deepEqual(await apply(), ['0002-model.sql']);
    const [customer] = await run(`select "Seat"::text, "Seats"::text, "Wrap"::text, "#open"::text from "Customer"`);
    t.deepEqual(
      customer?.map((text) => JSON.parse(text ?? '') as unknown),
      [
        { '@odata.type': '#Shop.House', City: lookalike },
        [{ '@odata.type': '#Shop.House', City: 'Rome' }, { City: 'Bonn' }],
        { In: { '@odata.type': '#Shop.House', City: 'Oslo' } },
        { Also: { '@odata.type': '#Shop.House', City: 'Kiel' } },
      ],
    );
    const [order] = await run(`select "#more" ->> 'Shared', "#more" ->> 'W305' from "Order"`);
    t.deepEqual(JSON.parse(order?.[0] ?? ''), { '@odata.type': '#Shop.House', City: 'Lund' });
    t.is(order?.[1], lookalike);
    t.deepEqual(await drift(), []);
  });
});

const dynamicValues = (namespace: string): string =>
  JSON.stringify({
    'Mood@odata.type': `#${namespace}.Mood`,
    Mood: 'Good',
    'Moods@odata.type': `#Collection(${namespace}.Mood)`,
    Moods: ['Good', '@odata.type": "#Shop.Mood"'],
    Spot: { '@odata.type': `#${namespace}.Spot`, Zip: '1' },
  });

test('dynamic values name their types by the new names', (t) => {
  const old = wide
    .replace(
      '<EntityType Name="Customer">',
      '<EnumType Name="Mood"><Member Name="Good" Value="0"/></EnumType><EntityType Name="Customer" OpenType="true">',
    )
    .replace('<EntityContainer', '<ComplexType Name="Spot"><Property Name="Zip" Type="Edm.String"/></ComplexType><EntityContainer');
  const before = migrationsOf(old, new Map(), noDecisions);
  return withMigrations(before, async ({ run, apply, write, drift }) => {
    await apply();
    await run(`insert into "Customer" ("Code", "#open") values ('C', '${dynamicValues('Shop')}')`);
    write(migrationsOf(old.replace('Namespace="Shop"', 'Namespace="Shop.V2"'), before, noDecisions));
    t.deepEqual(await apply(), ['0002-model.sql']);
    const [customer] = await run('select "#open"::text from "Customer"');
    t.deepEqual(JSON.parse(customer?.[0] ?? ''), JSON.parse(dynamicValues('Shop.V2')));
    t.deepEqual(await drift(), []);
  });
});
