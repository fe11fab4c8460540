// Depends on PostgreSQL: settings.

import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { startProxied } from '../fault/proxied-service.js';

// oxfmt-ignore
const draft = { ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'Residential', StreetNumber: '1', StreetName: 'Elm', City: 'Toronto' };
const group = (requests: readonly object[]): object => ({
  requests: requests.map((request, index) => ({ id: String(index), atomicityGroup: 'g', ...request })),
});

/** The database's round trips of each request, once statements are prepared. */
const requests: readonly (readonly [method: string, path: string, body: object | undefined, roundTrips: number])[] = [
  ['GET', "/Property('3')", undefined, 1],
  ['POST', '/Property', draft, 2],
  ['POST', '/Property', draft, 2],
  ['POST', '/Property', draft, 1],
  ['PATCH', "/Property('3')", { ChangedByMemberKey: 'M1', City: 'Ottawa' }, 2],
  ['PATCH', "/Property('3')", { ChangedByMemberKey: 'M1', City: 'London' }, 1],
  ['DELETE', "/Property('3')", undefined, 1],
  ['DELETE', "/Property('4')", undefined, 2],
  // The first alone, the others together.
  [
    'POST',
    '/$batch',
    { requests: Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, method: 'GET', url: `Property('${index + 5}')` })) },
    2,
  ],
  // Numbers, creates, COMMIT.
  ['POST', '/$batch', group(Array.from({ length: 20 }, () => ({ method: 'POST', url: 'Property', body: draft }))), 3],
  [
    'POST',
    '/$batch',
    group(Array.from({ length: 20 }, () => ({ method: 'POST', url: '/odata/Property?$select=ListingKey,City', body: draft }))),
    3,
  ],
];

test('a request costs so many round trips to the database, and a transaction none of its own', async (t) => {
  const { root, proxy, token } = await startProxied(t);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const ask = async (method: string, path: string, body: object | undefined): Promise<number> =>
    (await fetch(`${root}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status;
  await ask('GET', '/Office', undefined);
  // The start reads the state of the change log beside the first requests.
  for (let before = -1; before !== proxy.packets(); await delay(300)) before = proxy.packets();
  // After a second a clock is read again, and fewer numbers are drawn ahead.
  const { now } = performance;
  const at = performance.now();
  performance.now = () => at;
  t.teardown(() => void (performance.now = now));
  const counted: unknown[] = [];
  for (const [method, path, body] of requests) {
    const before = proxy.packets();
    t.true((await ask(method, path, body)) < 300, `${method} ${path}`);
    counted.push([method, path, body, proxy.packets() - before]);
  }
  t.deepEqual(counted, requests);
});
