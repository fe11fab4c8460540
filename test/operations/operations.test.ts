import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { ActionContext, OperationHandlers, SetTypes } from '../../runtime/edm/handler.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { throwFailure } from '../../runtime/features/operations/http/inner-request.js';
import { checkExchanges } from '../http/exchanges.js';
import { compileModel, startModel, temporaryFolder, type ToyService } from '../toy/toy-service.js';
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

// It waits for the time limit while the tests below run.
test('a handler that does not end is given up, and what it changed is taken back', async (t) => {
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

test('a record that is not there is 404 to a handler that asks for no state', (t) => {
  for (const body of [undefined, {}, { OfficeName: '@odata.etag' }])
    t.throws(() => throwFailure(errors.preconditionFailed(), { ...(body && { body }) }), { message: /There is no record with that key/ });
});

test('a state that a handler asks for and does not find is 412', (t) => {
  for (const body of [{ '@odata.etag': 'W/"1"' }, { '@etag': 'W/"1"' }, { Members: [{ '@odata.etag': 'W/"1"' }] }])
    t.throws(() => throwFailure(errors.preconditionFailed(), { body }), { message: /has changed since its ETag/ });
});

interface Item {
  readonly Id: number;
  readonly Count: number;
}
type Sets = {
  readonly Items: SetTypes<Item, number, Item, Partial<Item>>;
  readonly Changes: SetTypes<{ readonly Key: string }, number, object, object>;
};

// Rules of events, without row filters.
const model = readFileSync('test/operations/stock.xml', 'utf8')
  .replace(
    '<edmx:DataServices>',
    '<edmx:Reference Uri="ServiceRules.V1.xml"><edmx:Include Namespace="ServiceRules.V1" Alias="Rules"/></edmx:Reference><edmx:DataServices>',
  )
  .replace(
    '<EntityType Name="Movement">',
    '<EntityType Name="Change"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int64" Nullable="false"/><Property Name="Set" Type="Edm.String" Nullable="false"/><Property Name="Key" Type="Edm.String" Nullable="false"/></EntityType><EntityType Name="Movement">',
  )
  .replace(
    '<EntitySet Name="Items" EntityType="self.Item"/>',
    `<EntitySet Name="Items" EntityType="self.Item"><Annotation Term="Org.OData.Capabilities.V1.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation></EntitySet>
        <EntitySet Name="Changes" EntityType="self.Change">${['Insert', 'Update', 'Delete'].map((verb) => `<Annotation Term="Org.OData.Capabilities.V1.${verb}Restrictions"><Record><PropertyValue Property="${verb === 'Insert' ? 'Insertable' : verb === 'Update' ? 'Updatable' : 'Deletable'}" Bool="false"/></Record></Annotation>`).join('')}
          <Annotation Term="Rules.ChangeEvents"><Record><PropertyValue Property="Sequence" PropertyPath="No"/><PropertyValue Property="Set" PropertyPath="Set"/><PropertyValue Property="Key" PropertyPath="Key"/></Record></Annotation></EntitySet>`,
  );

const operations: OperationHandlers = {
  receive: async ({ item, pieces }: { item: number; pieces: number }, { elevated, records }: ActionContext<Sets>) => {
    await elevated.update('Items', item, { Count: pieces });
    // Both read what the action has written, and the events of others.
    const [own, events] = [await records.find('Items', item), await elevated.read('Changes', {})];
    if (pieces > 10) throw new Error('Too many.');
    return (own?.Count ?? 0) * 100 + events.length;
  },
};

test('elevated records use the transaction of the action where the model has events and no row filters', async (t) => {
  const folder = temporaryFolder();
  const path = join(folder, 'model.xml');
  writeFileSync(path, model);
  const service = await startModel({ ...(await compileModel(path, folder)), extensions: {}, operations, generated: folder }, folder);
  t.teardown(() => service.stop());
  const ask = async (url: string, body?: object): Promise<{ readonly status: number; readonly value: unknown }> => {
    const answer = await fetch(`${service.root}/${url}`, {
      headers: { Authorization: `Bearer ${await service.token('toy')}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: answer.status, value: ((await answer.json()) as { readonly value?: unknown }).value };
  };
  t.is((await ask('Items', { Id: 1, Name: 'nut' })).status, 201);
  t.deepEqual(await ask('Receive', { item: 1, pieces: 7 }), { status: 200, value: 701 });
  t.is((await ask('Receive', { item: 1, pieces: 70 })).status, 500);
  t.deepEqual((await ask('Items?$select=Count')).value, [{ '@odata.id': `${service.root}/Items(1)`, Count: 7 }]);
  t.deepEqual((await ask('Changes?$select=Key,No')).value, [
    { No: 1, Key: '1' },
    { No: 2, Key: '1' },
  ]);
});

test('an action and a function with one name and binding are told apart by the method', async (t) => {
  const folder = temporaryFolder();
  const model = await compileModel('test/operations/namesake.xml', folder, 'lenient');
  const operations = { rank: ({ rank }: { rank: number }) => Promise.resolve(rank), rankOnItem: () => Promise.resolve(1) };
  const service = await startModel({ ...model, extensions: {}, operations, generated: folder }, folder);
  t.teardown(() => service.stop());
  await checkExchanges(t, '../operations/namesake.http', service);
});
