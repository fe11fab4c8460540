import { readFileSync } from 'node:fs';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { migrationsOf, withMigrations } from './scene.js';

const wares = readFileSync('test/toy/wares.xml', 'utf8');
const byKey = wares.replace(/<ReferentialConstraint [^>]*ReferencedProperty="(Kind|Rank)"\/>/g, '');

test('what leads by a key leads to the same record by its number once it repeats more than the key', (t) =>
  withMigrations(migrationsOf(byKey, new Map(), noDecisions), async ({ apply, write, run, drift }) => {
    await apply();
    await run(`insert into "Category" ("ID", "Kind") values (5, 'a'), (6, 'b')`);
    await run('insert into "Ware" ("ID", "CategoryID") values (1, 6), (2, null), (3, 5)');
    await run('insert into "Shelf" ("ID", "For") values (1, 5), (2, 6)');
    write(migrationsOf(wares, migrationsOf(byKey, new Map(), noDecisions), noDecisions));
    await apply();
    t.deepEqual(await drift(), []);
    t.deepEqual(await run('select w."ID", c."ID" from "Ware" w left join "Category" c on c."#id" = w."#Category" order by 1'), [
      ['1', '6'],
      ['2', null],
      ['3', '5'],
    ]);
    t.deepEqual(await run('select s."ID", c."ID" from "Shelf" s join "Category" c on c."#id" = s."#Category" order by 1'), [
      ['1', '5'],
      ['2', '6'],
    ]);
  }));
