// Depends on PostgreSQL: SQL.
import { join } from 'node:path';
import test from 'ava';
import { compileProject } from '../../generator/project/compile-project.js';
import { loadProject } from '../../runtime/tools/cli/project.js';
import { startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';
import { makeWithHandlers } from './kiosk-service.js';
import { faultsOfTypes } from './project-types.js';

let stock: ToyService;
const failures: unknown[] = [];
const folder = join(temporaryFolder(), 'stock');

test.before(async () => {
  makeWithHandlers(folder, { model: 'test/operations/stock.xml', extensions: 'test/operations/stock' });
  compileProject(folder);
  const model = await loadProject(folder);
  stock = await startModel(model, join(folder, '..'), undefined, {
    extensions: model.extensions,
    logFailure: (failure) => failures.push(failure),
  });
});

test.after.always(() => stock.stop());

test.serial('the models of handlers and extensions have the types of the rows', (t) => {
  t.deepEqual(faultsOfTypes(folder), []);
});

test.serial('a handler reads and writes through the models in its transaction', async (t) => {
  t.deepEqual(await post('Receive', { item: 1, pieces: 5 }), { status: 200, value: 5 });
  t.like(await get('Items(1)'), { Name: 'New', Count: 5, Price: 1.5, Counted: '2026-01-31T09:00:00Z' });
  t.like(await get('Movements(1001)'), { Pieces: 5 });
});

test.serial('what a handler wrote through the models is rolled back with its transaction', async (t) => {
  t.is((await post('Receive', { item: 2, pieces: -1 })).status, 409);
  t.is((await send('GET', 'Items(2)')).status, 404);
  t.is((await send('GET', 'Movements(1002)')).status, 404);
});

test.serial('a violated constraint rolls all back, and later requests are not disturbed', async (t) => {
  t.is((await post('Receive', { item: 1, pieces: 1 })).status, 409);
  t.like(await get('Items(1)'), { Count: 5 });
});

test.serial('an extension follows a change through the models, and rolls it back', async (t) => {
  t.is((await post('Items', { Id: 100, Name: 'Lamp' })).status, 201);
  t.is((await post('Movements', { Id: 1, ItemId: 100, Pieces: 7 })).status, 201);
  t.like(await get('Items(100)'), { Count: 7 });
  t.is((await send('PATCH', 'Movements(1)', { Pieces: 3 })).status, 200);
  t.like(await get('Items(100)'), { Count: 3 });
  t.is((await send('DELETE', 'Movements(1)')).status, 204);
  t.like(await get('Items(100)'), { Count: 0 });
  t.is((await post('Movements', { Id: 2, ItemId: 100, Pieces: -200 })).status, 500);
  t.like(await get('Items(100)'), { Count: 0 });
  t.is((await send('GET', 'Movements(2)')).status, 404);
});

/** The answers to handlers by the SQLSTATE of their statement, or the code of another failure; every 5xx is logged. */
const failing: readonly (readonly [code: string, status: number])[] = [
  ['22P02', 500], // a text that is no number
  ['22012', 500], // division by zero
  ['23502', 500], // not null: the handler omitted a value
  ['42601', 500], // syntax
  ['23503', 400], // foreign key: the client may have sent it
  ['23514', 400], // check
  ['23505', 409], // unique
  ['40001', 503], // serialization failure, also of the repetitions
  ['own ENOENT', 500], // of a file
  ['own ECONNREFUSED', 500], // of another service
  ['own 23505', 500], // of another database
  ['records', 409], // of a change by `records`
];

for (const [code, status] of failing) {
  test.serial(`a handler fails with ${code}: ${status}`, async (t) => {
    failures.length = 0;
    t.is((await post('Fail', { code })).status, status);
    t.is(failures.length, status >= 500 ? 1 : 0);
    t.is((await send('GET', 'Items')).status, 200);
  });
}

test.serial('a statement of an extension fails: its own fault is a 500, a unique value a 409', async (t) => {
  failures.length = 0;
  t.is((await post('Movements', { Id: 3, ItemId: 100, Pieces: -1001 })).status, 500);
  t.is(failures.length, 1);
  t.is((await post('Movements', { Id: 3, ItemId: 100, Pieces: -1002 })).status, 409);
  t.is(failures.length, 1);
});

test.serial('an extension refuses a change like a handler', async (t) => {
  t.is(await refused('POST', 'Items', { Id: 200, Name: 'Bomb' }), '403 1015 Name: Bombs are not stored.');
  t.is((await post('Items', { Id: 200, Name: 'Lamp' })).status, 201);
  t.is(await refused('PATCH', 'Items(200)', { Name: 'Bomb' }), '403 1015 Name: Bombs are not stored.');
  t.is(await refused('POST', 'Movements', { Id: 3, ItemId: 200, Pieces: 0 }), '400 1110 undefined: A movement has pieces.');
  t.is(await refused('POST', 'Movements', { Id: 3, ItemId: 200, Pieces: 13 }), '409 1055 Pieces: Thirteen are not moved.');
  t.is((await send('GET', 'Movements(3)')).status, 404);
  t.like(await get('Items(200)'), { Name: 'Lamp', Count: 0 });
});

async function refused(method: string, path: string, body: object): Promise<string> {
  const response = await send(method, path, body);
  const { error } = (await response.json()) as { readonly error: { readonly [Member in 'code' | 'target' | 'message']: string } };
  return `${response.status} ${error.code} ${error.target}: ${error.message}`;
}

async function post(path: string, body: object): Promise<{ readonly status: number; readonly value?: unknown }> {
  const response = await send('POST', path, body);
  const { value } = (await response.json()) as { readonly value?: unknown };
  return { status: response.status, ...(value !== undefined && { value }) };
}

async function get(path: string): Promise<object> {
  return (await (await send('GET', path)).json()) as object;
}

function send(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${stock.root}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}
