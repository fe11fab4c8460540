// Runs every night: all cases of two other tests again, in the page.

import test from 'ava';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { readFileSync } from 'node:fs';
import { createRandom } from '../permission/random.js';
import { startKiosk } from '../operations/kiosk-service.js';
import { startToy, type ToyService } from '../toy/toy-service.js';
import { startService, type TestService } from '../support/service.js';
import { difference, isOutside, randomRead } from './differential.js';

// A longer search: EXPLORER_QUERIES=10000 FAST_CHECK_SEED=random.
const queries = Number(process.env['EXPLORER_QUERIES'] ?? 1500);
let service: TestService;

test.before(async () => {
  service = await startService({ GABLE_EXPLORER: 'true' });
});

test.after.always(() => service.stop());

for (const name of ['write', 'read'])
  test(`the page refuses what the service refuses, in the same words and places, for ${name}`, async (t) => {
    const headers = { Authorization: `Bearer ${await service.token(name)}`, 'OData-MaxVersion': '4.01' };
    const tables = (await (await fetch(new URL('../explorer/tables.json', `${service.root}/`), { headers })).json()) as ShownTables;
    const random = createRandom(Number(process.env['FAST_CHECK_SEED'] ?? 7) || Date.now());
    const different: object[] = [];
    for (let done = 0; done < queries; done++) {
      const address = randomRead(random);
      if (isOutside(address)) continue;
      const found = await difference(address, tables, (one) => fetch(service.root + one, { headers }));
      if (found) different.push(found);
    }
    t.deepEqual(different, []);
  });

// Complex values, open types, derived types, containment and operations.
const models: Readonly<Record<string, () => Promise<ToyService>>> = {
  'test/toy/nested.http': () => startToy('test/toy/nested.xml'),
  'test/toy/open.http': () => startToy('test/toy/open.xml'),
  'test/toy/depot.http': () => startToy('test/toy/depot.xml'),
  'test/operations/kiosk.http': () => startKiosk(),
};

for (const [file, start] of Object.entries(models))
  test.serial(`the page and the service agree over the requests of ${file}`, async (t) => {
    const toy = await start();
    t.teardown(toy.stop);
    const headers = { Authorization: 'Bearer any', 'OData-MaxVersion': '4.01' };
    const tables = (await (await fetch(new URL('../explorer/tables.json', `${toy.root}/`), { headers })).json()) as ShownTables;
    const addresses = [...readFileSync(file, 'utf8').matchAll(/^GET (\/\S.*)$/gm)].map(([, address = '']) => address);
    for (const address of addresses.filter((one) => !isOutside(one)))
      t.is(await difference(address, tables, (one) => fetch(toy.root + one, { headers })), undefined);
  });
