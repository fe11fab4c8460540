// Depends on PostgreSQL: DDL.

import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { first } from './orders.js';
import { migrationsOf, withMigrations } from './scene.js';

const named = (place: string, room = '', types = ''): string =>
  first
    .replace(
      '<EntityType Name="Customer">',
      `<ComplexType Name="Place" OpenType="true">${place}<Property Name="Rooms" Type="Collection(Self.Room)" Nullable="false"/></ComplexType><ComplexType Name="Room" OpenType="true">${room}</ComplexType>${types}<EntityType Name="Customer">`,
    )
    .replace('<Property Name="Old"', '<Property Name="Home" Type="Self.Place"/><Property Name="Old"');
const zip = '<Property Name="Zip" Type="Edm.String"/>';
const before = named(zip);
const stored = `{"Zip": "1", "P": 1, "T": "x", "D": "2026-01-31", "D@odata.type": "#Date", "N": null, "Rooms": [{}, {"P": 2.5, "E": {}}]}`;

async function outcome(after: string, value: string): Promise<string> {
  const old = migrationsOf(before, new Map(), noDecisions);
  let text = '';
  await withMigrations(old, async ({ run, apply, write }) => {
    await apply();
    await run(`insert into "Customer" ("Code") values ('c')`);
    await run(`insert into "Order" ("Number", "Old", "CustomerCode", "Home") values ('1', true, 'c', '${value}')`);
    write(migrationsOf(after, old, noDecisions));
    text = await apply().then(
      async () => String((await run(`select "Home"::text from "Order"`))[0]?.[0]),
      (error: Error) => error.message,
    );
  });
  return text;
}

const property = (name: string, type: string): string => `<Property Name="${name}" Type="${type}"/>`;
const renamed = (to: string): string =>
  `<Property Name="${to}" Type="Edm.String"><Annotation Term="Rules.RenamedFrom" String="Zip"/></Property>`;

for (const { name, after, stops } of [
  { name: 'a number as a whole number', after: named(zip + property('P', 'Edm.Int32')) },
  { name: 'a text as a text', after: named(zip + property('T', 'Edm.String')) },
  { name: 'a date with its type as a date', after: named(zip + property('D', 'Edm.Date')) },
  { name: 'null as anything', after: named(zip + property('N', 'Self.Room')) },
  { name: 'any value as an untyped one', after: named(zip, property('E', 'Edm.Untyped')) },
  { name: 'a text as a number', after: named(zip + property('T', 'Edm.Int32')), stops: 'Home/T' },
  { name: 'a text as a date', after: named(zip + property('T', 'Edm.Date')), stops: 'Home/T' },
  { name: 'a number as a collection', after: named(zip + property('P', 'Collection(Edm.Int32)')), stops: 'Home/P' },
  { name: 'a fraction as a whole number, in an item', after: named(zip, property('P', 'Edm.Int32')), stops: 'Home/Rooms/P' },
  { name: 'an object as a truth value, in an item', after: named(zip, property('E', 'Edm.Boolean')), stops: 'Home/Rooms/E' },
  { name: 'a value under the new name of another', after: named(renamed('T')), stops: 'Home/T' },
  { name: 'a new name that no value has', after: named(renamed('PostCode')) },
]) {
  test(`a member that an open complex type declares, with a dynamic value: ${name}`, async (t) => {
    const text = await outcome(after, stored);
    if (stops === undefined) t.regex(text, /"Rooms"/);
    else t.regex(text, new RegExp(`Order/${stops} has values that do not fit, the first in the row with "#id" 1`));
  });
}

test('a value for a required member takes the place of null', async (t) => {
  const after = named(`${zip}<Property Name="N" Type="Edm.Int32" Nullable="false" DefaultValue="7"/>`);
  t.regex(await outcome(after, stored), /"N": 7/);
});
