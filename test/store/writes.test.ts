import test from 'ava';
import { checkExchanges } from '../http/exchanges.js';
import { startToy } from '../toy/toy-service.js';

test.serial('writes by every address of a record', async (t) => {
  const service = await startToy('test/toy/shelf.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/writes.http', service);
});

test.serial('what Core.Permissions let clients only read', async (t) => {
  const service = await startToy('test/toy/permits.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/permits.http', service);
});

test.serial('complex values by their addresses', async (t) => {
  const service = await startToy('test/toy/complex.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/complex-writes.http', service);
});

test.serial('records that belong to others by number', async (t) => {
  const service = await startToy('test/toy/orders.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/orders.http', service);
});

test.serial('records with those that they lead to', async (t) => {
  const service = await startToy('test/toy/deep.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/deep.http', service);
});

test.serial('media entities and stream properties', async (t) => {
  const service = await startToy('test/toy/album.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/album.http', service);
});

test.serial('properties of the abstract built-in types', async (t) => {
  const service = await startToy('test/toy/any.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/any.http', service);
});

test.serial('media streams of complex values', async (t) => {
  const service = await startToy('test/toy/disc.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/disc.http', service);
});

test.serial('collections changed by a delta', async (t) => {
  const service = await startToy('test/toy/deep.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/delta.http', service);
});

test.serial('raw values of every primitive type', async (t) => {
  const service = await startToy('test/toy/raw.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/raw.http', service);
});

test.serial('streams of records in several sets, in a singleton and within others', async (t) => {
  const service = await startToy('test/toy/mix.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/mix.http', service);
});

test.serial('contained records with the one that contains them', async (t) => {
  const service = await startToy('test/toy/depot.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/contained-deep.http', service);
});

test.serial('collections whose items may be null', async (t) => {
  const service = await startToy('test/toy/gaps.xml');
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/gaps.http', service);
});

test.serial('properties that are given once', async (t) => {
  const service = await startToy('test/toy/fixed.xml', { shy: { subject: 'x', scopes: new Set(['shy']) } });
  t.teardown(() => service.stop());
  await checkExchanges(t, '../toy/fixed.http', service);
});
