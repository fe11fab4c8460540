import test from 'ava';
import type { ShownTables } from '../../runtime/features/explorer/shown-tables.js';
import { readFileSync } from 'node:fs';
import { shownTables } from '../../runtime/features/explorer/shown-tables.js';
import { createRandom } from '../permission/random.js';
import { startToy } from '../toy/toy-service.js';
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

// Complex values, open types, derived types and containment.
for (const model of ['nested', 'open', 'depot'])
  test.serial(`the page and the service agree over the requests of ${model}.http`, async (t) => {
    const toy = await startToy(`test/toy/${model}.xml`);
    t.teardown(toy.stop);
    const scopes = ['toy'];
    const container = shownTables(toy.container, { subject: '', scopes: new Set(scopes) });
    const tables: ShownTables = { container, scopes, settings: { overTop: 'reject' }, readOnly: false };
    const addresses = [...readFileSync(`test/toy/${model}.http`, 'utf8').matchAll(/^GET (\/\S.*)$/gm)].map(([, address = '']) => address);
    const headers = { Authorization: 'Bearer any', 'OData-MaxVersion': '4.01' };
    for (const address of addresses.filter((one) => !isOutside(one)))
      t.is(await difference(address, tables, (one) => fetch(toy.root + one, { headers })), undefined);
  });
