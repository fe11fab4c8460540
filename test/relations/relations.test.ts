import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { compileModel, startModel, startToy, temporaryFolder } from '../toy/toy-service.js';

test.serial('relations that no property of the model holds', async (t) => {
  const service = await startToy('test/toy/library.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/library.http', service);
});

test.serial('constraints that join whole numbers of different widths', async (t) => {
  const folder = temporaryFolder();
  const model = await compileModel('test/lenient/widths.xml', folder, 'lenient');
  const service = await startModel({ ...model, extensions: {}, generated: folder }, folder);
  t.teardown(() => service.stop());
  await checkExchanges(t, '../lenient/widths.http', service);
});

test.serial('keys and foreign keys within complex values', async (t) => {
  const service = await startToy('test/toy/aliases.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/aliases.http', service);
});

test.serial('dates, times, durations and enumerations of complex values in keys', async (t) => {
  const service = await startToy('test/toy/moments.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/moments.http', service);
});

test.serial('partners that both lead to one record', async (t) => {
  const service = await startToy('test/toy/pairs.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/pairs.http', service);
});

test.serial('types of one name in two schemas', async (t) => {
  const service = await startToy('test/toy/twins.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/twins.http', service);
});

test.serial('navigation properties of complex values', async (t) => {
  const service = await startToy('test/toy/nested.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/nested.http', service);
});

test('values that may be null, and lead somewhere where they are there', async (t) => {
  const service = await startToy('test/toy/seats.xml', { blind: { subject: 'blind', scopes: new Set(['blind']) } });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/seats.http', service);
});

test.serial('several entity sets of one type', async (t) => {
  const service = await startToy('test/toy/sets.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/sets.http', service);
});

test.serial('what only values of derived complex types have and lead to', async (t) => {
  const service = await startToy('test/toy/villas.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/villas.http', service);
});

test('what records take along that they lead to', async (t) => {
  const service = await startToy('test/toy/cars.xml', {
    adam: { subject: 'x', scopes: new Set(['smith']) },
    bea: { subject: 'y', scopes: new Set(['helper']) },
    cid: { subject: 'z', scopes: new Set() },
  });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/cars.http', service);
});

test('keys of every type, repeated in bodies', async (t) => {
  const service = await startToy('test/toy/keys.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/keys.http', service);
});

test.serial('collections that values join', async (t) => {
  const service = await startToy('test/toy/match.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/match.http', service);
});
