// Depends on PostgreSQL: DDL.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { flat } from '../support/edits.js';
import { migrationsOf, withMigrations } from './scene.js';

const first = flat(readFileSync('test/migrate/first.xml', 'utf8'));

const tagged = (facets: string): string =>
  first.replace('<Property Name="Old"', `<Property Name="Tags" Type="Collection(Edm.String)" ${facets}/><Property Name="Old"`);

test('items of a collection of texts are looked at where they may be less long than they were', (t) => {
  const old = migrationsOf(tagged('MaxLength="5"'), new Map(), noDecisions);
  const [shorter, limited] = [
    tagged('MaxLength="3"'),
    migrationsOf(tagged('MaxLength="3"'), migrationsOf(tagged(''), new Map(), noDecisions), noDecisions),
  ];
  t.true(limited.get('migrations/0002-order.sql')?.includes('length("item") > 3'));
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
