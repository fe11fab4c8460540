// Depends on PostgreSQL: locks.

import test from 'ava';
import { increment, mixtures } from './increments.js';
import { startService } from '../support/service.js';
import { startToy } from '../toy/toy-service.js';

test('of many who change one record from the same state, one does', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const { statuses, final } = await increment(service, { clients: 10, attempts: 15 });
  t.is(statuses.get(204), final);
  t.deepEqual([...statuses.keys()].sort(), [204, 412]);
  t.is((statuses.get(204) ?? 0) + (statuses.get(412) ?? 0), 150);
  t.deepEqual(await mixtures(service, { clients: 6, attempts: 10 }), []);
});

test('of many who write one missing record, one creates it', async (t) => {
  const { root, stop } = await startToy('test/toy/cars.xml');
  t.teardown(stop);
  const write = async (method: string, path: string, headers: object = {}): Promise<number> => {
    const response = await fetch(`${root}/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Prefer: 'return=minimal', ...headers },
      body: '{}',
    });
    return response.status;
  };
  const statuses = async (method: string, path: string, headers?: object): Promise<readonly number[]> =>
    (await Promise.all(Array.from({ length: 12 }, () => write(method, path, headers)))).toSorted();
  t.deepEqual(await statuses('PUT', "Plates('a')", { Prefer: 'return=representation' }), [...times(11, 200), 201]);
  t.deepEqual(await statuses('PATCH', 'Cars(1)'), times(12, 204));
  t.deepEqual(await statuses('PUT', 'Cars(2)', { 'If-None-Match': '*' }), [204, ...times(11, 412)]);
  t.is((await (await fetch(`${root}/Cars/$count`)).text()).trim(), '2');
});

function times(count: number, status: number): readonly number[] {
  return Array.from({ length: count }, () => status);
}
