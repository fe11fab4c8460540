import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { until } from '../operation/until.js';
import { startProxied } from './proxied-service.js';

/** Requests that need no record to be answered, which must not change while the database is away. */
const withoutData: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/'],
  ['GET', '/$metadata'],
  ['GET', '/Nothing'],
  ['GET', '/Property?$filter=Nothing eq 1'],
  ['GET', '/Property?$filter=City eq'],
  ['GET', '/Property?$top=x'],
  ['GET', '/Property?$top=1000000'],
  ['GET', '/Property?$orderby=Nothing'],
  ['GET', '/Property?$skiptoken=abc'],
  ['GET', '/Property?$unknown=1'],
  ['GET', "/Property('3')/Nothing"],
  ['PUT', '/Office'],
  ['DELETE', '/Property'],
  ['POST', '/Office', '{}'],
  ['POST', '/Property', '{'],
  ['POST', '/Property', '[]'],
  ['POST', '/Property', '{"a":1,"a":2}'],
  ['PATCH', "/Property('3')", '{"a":1e400'],
  ['GET', '/Property?$filter=City%FF'],
  ['GET', '/Property?$expand=Nothing'],
  ['GET', '/Property?$filter=' + '('.repeat(500)],
];

const withData: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/Office'],
  ['GET', "/Property('3')"],
  ['GET', '/Property/$count'],
  ['GET', "/Property('3')/City"],
  ['DELETE', "/Property('3')"],
  ['PATCH', "/Property('3')", '{"ChangedByMemberKey":"M1","City":"x"}'],
];

test('with the database away bad requests are answered as ever, others 503 in time, and it recovers by itself', async (t) => {
  const { root, url, proxy, token } = await startProxied(t);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Request-Id': 'same' };
  const ask = async ([method, path, body]: readonly [string, string, string?]): Promise<{
    status: number;
    text: string;
    retry: string | null;
  }> => {
    const response = await fetch(`${root}${path.replaceAll(' ', '%20')}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text(), retry: response.headers.get('retry-after') };
  };
  const ready = async (): Promise<number> => (await fetch(`${url}/health/ready`)).status;
  const answers = await Promise.all(withoutData.map(async (request) => (await ask(request)).text));
  t.is(await ready(), 200);

  for (const [away, back] of [
    [() => proxy.refuse(true), () => proxy.refuse(false)],
    [() => proxy.stall(true), () => (proxy.stall(false), proxy.reset())],
  ] as const) {
    away();
    t.deepEqual(await Promise.all(withoutData.map(async (request) => (await ask(request)).text)), answers);
    const refused = await Promise.all(withData.map(ask));
    t.deepEqual(
      refused.map(({ status, retry }) => [status, retry]),
      withData.map(() => [503, '1']),
    );
    t.false(refused.some(({ text }) => /ECONN|timeout|127\.0\.0\.1|postgres/i.test(text)));
    await delay(1_100);
    t.is(await ready(), 503);
    t.is((await fetch(`${url}/health/live`)).status, 200);
    back();
    await until(async () => (await ask(['GET', '/Office'])).status === 200 && (await ready()) === 200);
  }
});
