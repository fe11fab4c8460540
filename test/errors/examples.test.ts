import { readFileSync } from 'node:fs';
import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { startToy } from '../toy/toy-service.js';

test('examples in messages use names of the served model', async (t) => {
  const studio = await startToy('test/errors/examples.xml');
  t.teardown(() => studio.stop());
  await checkExchanges(t, '../errors/examples.http', studio);
});

test('no example has a name of the listing model, and none a mark in the place of a name', (t) => {
  const answers = readFileSync('test/errors/examples.http', 'utf8');
  t.deepEqual(
    answers.match(
      /‹|\b(?:City|ListPrice|ListingKey|CloseDate|PostalCode|Heating|Media|Order|Property|Member|ListAgent|Rooms|StandardStatus)\b/g,
    ),
    null,
  );
});
