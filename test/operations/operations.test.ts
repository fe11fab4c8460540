import test from 'ava';
import type { ToyService } from '../toy/toy-service.js';
import { checkExchanges } from '../http/exchanges.js';
import { startKiosk } from './kiosk-service.js';

let kiosk: ToyService;
const failures: unknown[] = [];

test.before(async () => {
  kiosk = await startKiosk({ handlerTimeout: 5_000, logFailure: (failure) => failures.push(failure) });
});

test.after.always(() => kiosk.stop());

test.serial('operations with handlers: what they are called with, and what they answer', (t) =>
  checkExchanges(t, '../operations/kiosk.http', kiosk),
);

test.serial('a handler that fails is a bare 500, and what it changed is taken back', async (t) => {
  const { status, body } = await post('Store', { id: 50, name: 'Secret', tags: [] });
  t.is(status, 500);
  t.notRegex(JSON.stringify(body), /must not see/);
  t.is((await ask('GET', 'Items(50)')).status, 404);
  t.deepEqual(failures.map(String), ['Error: What a client must not see.']);
});

test.serial('a refusal has the code of refusals', async (t) => {
  const { body } = await post('Store', { id: 51, name: 'Dust', tags: [] });
  t.is((body as { readonly error: { readonly code: string } }).error.code, '1110');
});

test.serial('operations in a batch: a function alone, an action in a group that fails', async (t) => {
  const headers = { 'Content-Type': 'application/json' };
  const requests = [
    { id: '1', method: 'GET', url: 'Sum(a=1,b=2)' },
    { id: '2', atomicityGroup: 'g', method: 'POST', url: 'Store', headers, body: { id: 52, name: 'Lamp', tags: [] } },
    { id: '3', atomicityGroup: 'g', method: 'POST', url: 'Store', headers, body: { id: 53, name: 'Dust', tags: [] } },
    { id: '4', atomicityGroup: 'h', method: 'POST', url: 'Store', headers, body: { id: 54, name: 'Lamp', tags: [] } },
    { id: '5', atomicityGroup: 'h', method: 'POST', url: 'Items(54)/Discount', headers, body: { percent: 10 } },
  ];
  const { body } = await post('$batch', { requests });
  const { responses } = body as {
    readonly responses: readonly { readonly id: string; readonly status: number; readonly body?: { readonly value?: number } }[];
  };
  const statuses = Object.fromEntries(responses.map(({ id, status }) => [id, status]));
  t.deepEqual([statuses['1'], statuses['3'], statuses['4'], statuses['5']], [200, 400, 201, 200]);
  t.is(responses.find(({ id }) => id === '1')?.body?.value, 3);
  t.is((await ask('GET', 'Items(52)')).status, 404);
});

test.serial('an action that is sent again with its Repeatability-Request-ID is carried out once', async (t) => {
  const repeat = { 'Repeatability-Request-ID': 'kiosk-1', 'Repeatability-First-Sent': new Date().toUTCString() };
  const first = await post('Store', { id: 55, name: 'Lamp', tags: [] }, repeat);
  const again = await post('Store', { id: 55, name: 'Lamp', tags: [] }, repeat);
  t.is(first.status, 201);
  t.deepEqual(again, first);
  t.is((await post('Store', { id: 56, name: 'Lamp', tags: [] }, repeat)).status, 412);
});

test.serial('what an action answers is whole, or refused with all that it did', async (t) => {
  for (let id = 2_000; id < 2_006; id++) await post('Items', { Id: id, Name: 'Many', Price: 1 }, { Prefer: 'return=minimal' });
  const all = await post('Items/$filter(Id ge 2000)/Discount?$select=Price', { percent: 50 });
  t.is((all.body as { readonly value: readonly unknown[] }).value.length, 6);
  const expanded = await post('Items/$filter(Id ge 2000)/Discount?$expand=Shelf', { percent: 50 });
  t.is(expanded.status, 400);
  t.is((await ask('GET', 'Items(2000)/Price')).body?.['value'], 0.5);
});

test.serial('ten callers of one action: each discount is of the price that the one before it left', async (t) => {
  await post('Items', { Id: 60, Name: 'Shared', Price: 1024 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('Items(60)/Discount', { percent: 50 })));
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  t.is((await ask('GET', 'Items(60)/Price')).body?.['value'], 1);
});

test.serial('a handler that does not end is given up, and what it changed is taken back', async (t) => {
  const { status, body } = await post('Store', { id: 70, name: 'Slow', tags: [] });
  t.is(status, 503);
  t.is((body as unknown as { readonly error: { readonly code: string } }).error.code, '1504');
  t.is((await ask('GET', 'Items(70)')).status, 404);
});

async function ask(
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly body: { readonly [name: string]: unknown } | undefined }> {
  const response = await fetch(`${kiosk.root}/${path}`, { method, ...init });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as { readonly [name: string]: unknown }) };
}

function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof ask> {
  return ask('POST', path, { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
}
