import { readFileSync } from 'node:fs';
import test from 'ava';
import { createClient, decimal, type SetOf } from '../../client/index.js';
import { generateClient } from '../../generator/generate.js';
import { service as table } from '../../generated/client.js';
import { startService } from '../support/service.js';

/** The part of a listing that `gable types --decimals string` declares so. */
interface Listing {
  ListingKey: string;
  City: string;
  ListPrice: string | null;
}

test('with exact numbers the types and the values of decimals are strings', async (t) => {
  const { files } = generateClient({ path: 'model/metadata.xml', bytes: readFileSync('model/metadata.xml') }, {}, 'string');
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
  t.regex(textOf('property/types.ts'), /ListPrice: string \| null;/);
  t.regex(textOf('property/types.ts'), /TaxYear: number \| null;/);
  t.regex(textOf('entity-event/types.ts'), /EntityEventSequence: string;/);
  t.regex(textOf('client.ts'), /exact: true/);

  const service = await startService();
  t.teardown(() => service.stop());
  const options = { baseUrl: service.listening, token: await service.token('write') };
  const api = createClient<{ Property: SetOf<Listing, string, Listing, Listing> }>({ sets: table.sets, exact: true }, options);
  const [dear] = await api.Property.find({ select: ['ListPrice'], filter: (p) => p.ListPrice.eq(decimal('99999999999.99')) }).all();
  t.is(dear?.ListPrice, '99999999999.99');
});
