import { getEventListeners } from 'node:events';
import test from 'ava';
import {
  batch,
  createClient,
  createRelated,
  Expired,
  isCode,
  ServiceError,
  writeStream,
  type ClientOptions,
  type NumberForm,
  type RequestInfo,
} from '../../client/index.js';
import { service } from '../../generated/client.js';

type Answer = Response | Error;

// A client whose requests get the answers in turn, and the requests that it made.
function clientOf<Form extends NumberForm | undefined = 'number'>(answers: readonly Answer[], options: Partial<ClientOptions<Form>> = {}) {
  const requests: Request[] = [];
  const left = [...answers];
  const fetchOne = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests.push(new Request(url, init));
    init?.signal?.throwIfAborted();
    const answer = left.shift() ?? new Error('no answer is left');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const api = createClient(service, { baseUrl: 'https://one.example/odata', fetch: fetchOne as typeof fetch, ...options });
  return { api, requests };
}

const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { ...init, headers: { 'Content-Type': 'application/json', ...init.headers } });
const record = (): Response => json({ ListingKey: '1', City: 'x' });
const busy = (status: number, headers: Record<string, string> = {}): Response =>
  json({ error: { code: '1503', message: 'Busy' } }, { status, headers });
const written = (position: string): Response => json({ ListingKey: '1' }, { headers: { 'Gable-Position': position } });
const twoRecords = (): Response => json({ value: [{ City: 'a' }, { City: 'b' }], '@odata.nextLink': 'Property?x' });
const lost = (): Error => new TypeError('fetch failed');

test('a read is repeated after 429, 503 and a lost connection', async (t) => {
  for (const failure of [busy(429), busy(503, { 'Retry-After': '0' }), lost()]) {
    const { api, requests } = clientOf([failure, record()]);
    t.like(await api.Property.get('1'), { City: 'x' });
    t.is(requests.length, 2);
  }
});

test('tries end, and other errors are not repeated', async (t) => {
  const { api, requests } = clientOf([busy(503), busy(503), busy(503), record()]);
  await t.throwsAsync(api.Property.get('1'), { instanceOf: ServiceError });
  t.is(requests.length, 3);
  const other = clientOf([busy(500), record()]);
  await t.throwsAsync(other.api.Property.get('1'));
  t.is(other.requests.length, 1);
});

test('a long Retry-After is left to the caller', async (t) => {
  const { api, requests } = clientOf([busy(429, { 'Retry-After': '3600' }), record()]);
  const error = await t.throwsAsync(api.Property.get('1'), { instanceOf: ServiceError });
  t.is(error?.retryAfter, 3_600_000);
  t.is(requests.length, 1);
});

test('a create is repeated only where the service executes it once', async (t) => {
  const draft = { ListAgentKey: '1', ListOfficeKey: '1', PropertyType: 'x', StreetNumber: '1', StreetName: 'x', City: 'x' };
  const careful = clientOf([lost(), record()]);
  await t.throwsAsync(careful.api.Property.create(draft), { instanceOf: TypeError });
  t.is(careful.requests.length, 1);
  const repeatable = clientOf([lost(), record()], { repeatable: true });
  await repeatable.api.Property.create(draft);
  const ids = repeatable.requests.map(({ headers }) => headers.get('repeatability-request-id'));
  t.is(ids.length, 2);
  t.truthy(ids[0]);
  t.is(ids[0], ids[1]);
});

test('an abort ends a request, and a wait for the next try', async (t) => {
  const { api, requests } = clientOf([busy(429, { 'Retry-After': '20' }), record()]);
  const reason = new Error('enough');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  t.is(await t.throwsAsync(api.Property.get('1', {}, { signal: controller.signal })), reason);
  t.is(requests.length, 1);
});

test('a wait for the next try leaves no listener behind', async (t) => {
  const { signal } = new AbortController();
  const answers = [busy(503), record()];
  const fetchOne = (): Promise<Response> => Promise.resolve(answers.shift() as Response);
  const api = createClient(service, { baseUrl: 'https://one.example/odata', fetch: fetchOne as typeof fetch });
  await api.Property.get('1', undefined, { signal });
  t.deepEqual([answers.length, getEventListeners(signal, 'abort').length], [0, 0]);
});

test('headers, token, address and format of a request', async (t) => {
  const seen: RequestInfo[] = [];
  const { api, requests } = clientOf([record()], {
    token: 'abc',
    headers: { 'X-One': '1', ACCEPT: 'application/json;odata.metadata=full' },
    onRequest: (info) => seen.push(info),
  });
  await api.Property.get("a'b/c", { select: ['City'] }, { headers: { 'X-Two': '2' } });
  const [request] = requests;
  t.is(request?.url, "https://one.example/odata/Property('a''b%2Fc')?$select=City");
  t.deepEqual(
    ['authorization', 'x-one', 'x-two', 'accept', 'odata-maxversion'].map((name) => request?.headers.get(name)),
    ['Bearer abc', '1', '2', 'application/json;odata.metadata=full', '4.01'],
  );
  t.like(seen[0], { method: 'GET', attempt: 1, status: 200 });
});

test('the next page is followed within the context of the answer, and the token stays with the service', async (t) => {
  const first = json({ '@odata.context': '$metadata#Property', value: [{ City: 'a' }], '@odata.nextLink': 'Property?$skiptoken=x' });
  const { api, requests } = clientOf([first, json({ '@context': '$metadata#Property', value: [{ City: 'b' }] })]);
  t.deepEqual(
    (await api.Property.find().all()).map(({ City }) => City),
    ['a', 'b'],
  );
  t.is(requests[1]?.url, 'https://one.example/odata/Property?$skiptoken=x');
  const foreign = (): Response => json({ value: [{ City: 'a' }], '@odata.nextLink': 'https://two.example/Property' });
  await t.throwsAsync(clientOf([foreign()]).api.Property.find().all(), { message: /two\.example is not in origins/ });
  const allowed = clientOf([foreign(), json({ value: [] })], { origins: ['https://two.example'] });
  t.is((await allowed.api.Property.find().all()).length, 1);
});

test('later reads are not older than a write', async (t) => {
  const { api, requests } = clientOf([
    record(),
    written('00000001-0000000000000010'),
    written('00000001-000000000000009F'),
    written('00000001-0000000000000020'),
    record(),
  ]);
  const draft = { ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'Land', StreetNumber: '1', StreetName: 'Bay', City: 'x' };
  await api.Property.get('1');
  await api.Property.create(draft);
  await Promise.all([api.Property.create(draft), api.Property.create(draft)]);
  await api.Office.get('1');
  t.deepEqual(
    requests.map(({ headers }) => headers.get('gable-position')),
    [null, null, '00000001-0000000000000010', '00000001-0000000000000010', '00000001-000000000000009F'],
  );
});

test('leaving a loop aborts the page ahead', async (t) => {
  const { api, requests } = clientOf([
    json({ value: [{ City: 'a' }, { City: 'b' }], '@odata.nextLink': 'Property?x' }),
    json({ value: [] }),
  ]);
  for await (const { City } of api.Property.find()) {
    t.is(City, 'a');
    break;
  }
  t.is(requests.length, 2);
  t.true(requests[1]?.signal.aborted);
});

test('no page is requested after the one that reaches the limit', async (t) => {
  for (const [limit, records, sent] of [
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 1],
    [3, 3, 2],
  ] as const) {
    const found = clientOf([twoRecords(), twoRecords()]);
    t.is((await found.api.Property.find({}, { limit }).all()).length, records);
    t.is(found.requests.length, sent);
    const { api, requests } = clientOf([twoRecords(), twoRecords()]);
    let pages = 0;
    for await (const { next } of api.Property.pages({}, { limit })) pages += Number(next !== undefined);
    t.deepEqual([pages, requests.length], [sent, sent]);
  }
});

test('a loop leaves nothing behind at its signal', async (t) => {
  const { signal } = new AbortController();
  for (let loop = 0; loop < 3; loop += 1)
    await clientOf([json({ value: [] })])
      .api.Property.find({}, { signal })
      .all();
  t.is(getEventListeners(signal, 'abort').length, 0);
  const held = Object.getOwnPropertySymbols(signal).filter(({ description }) => description === 'kDependantSignals');
  t.deepEqual(
    held.flatMap((name) => [...((signal as unknown as Record<symbol, Iterable<unknown>>)[name] ?? [])]),
    [],
  );
});

test('a loop ends with the reason of its signal', async (t) => {
  const reason = new Error('enough');
  const { api, requests } = clientOf([json({ value: [{ City: 'a' }] })]);
  t.is(await t.throwsAsync(api.Property.find({}, { signal: AbortSignal.abort(reason) }).all()), reason);
  t.is(requests.length, 0);
});

for (const digits of ['9007199254740993', '-9007199254740993', '9007199254740993.25'])
  test(`a number that loses digits is an error with its name: ${digits}`, async (t) => {
    const long = new Response(`{"EntityEventSequence":${digits}}`, { headers: { 'Content-Type': 'application/json' } });
    const error = await t.throwsAsync(clientOf([long]).api.EntityEvent.get(1), { instanceOf: RangeError });
    t.is(error?.message, "EntityEventSequence is beyond 2^53: use decimals: 'string'");
  });

// An Edm.Double has digits without an exponent up to 10^21 where JavaScript prints it.
test('with decimals as text a long number is one of a double, alone and in a batch', async (t) => {
  const exact = { 'Content-Type': 'application/json;IEEE754Compatible=true' };
  const body = '{"Reach":9007199254740994}';
  const alone = clientOf([new Response(body, { headers: exact })], { decimals: 'string' });
  t.like(await alone.api.Property.get('1'), { Reach: 9007199254740994 });
  const parts = `{"responses":[{"id":"1","status":200,"headers":${JSON.stringify(exact)},"body":${body}}]}`;
  const { api } = clientOf([new Response(parts, { headers: { 'Content-Type': 'application/json' } })], { decimals: 'string' });
  t.like((await batch(api, [api.Property.get('1')]))[0], { Reach: 9007199254740994 });
  const careless = clientOf([new Response(body, { headers: { 'Content-Type': 'application/json' } })], { decimals: 'string' });
  await t.throwsAsync(careless.api.Property.get('1'), { instanceOf: RangeError });
});

async function* bytesOnce(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode('once'));
}

test('bytes that can be read once are sent once, and the refusal is what the service said', async (t) => {
  const once = [() => new Blob(['once']).stream(), bytesOnce] as unknown as readonly (() => ReadableStream)[];
  for (const failure of [() => busy(429), () => busy(503, { 'Retry-After': '0' }), lost])
    for (const bytes of once) {
      const { api, requests } = clientOf([failure(), json({})]);
      const written = writeStream(api.Media, '1', 'Photo' as never, bytes(), { type: 'image/png' });
      await t.throwsAsync(written, { message: /503|429|fetch failed/ });
      t.is(requests.length, 1);
    }
});

test('an answer without the record is followed by a read', async (t) => {
  const { api, requests } = clientOf([new Response(null, { status: 204 }), record()]);
  t.is((await api.Property.update('1', { ChangedByMemberKey: '1' }, { select: ['City'] })).City, 'x');
  t.deepEqual(
    requests.map(({ method, url }) => `${method} ${url}`),
    ["PATCH https://one.example/odata/Property('1')?$select=City", "GET https://one.example/odata/Property('1')?$select=City"],
  );
});

test('errors of other services have what they tell', async (t) => {
  const html = new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } });
  t.like(await t.throwsAsync(clientOf([html]).api.Property.count()), { name: 'ServiceError', status: 502, code: '' });
  const gone = await t.throwsAsync(clientOf([busy(410)]).api.Property.count(), { instanceOf: Expired });
  t.true(isCode(gone, '1503'));
  t.false(isCode(gone, '1404'));
  t.false(isCode(new Error('x'), '1404'));
});

test('a record without its key cannot be changed', (t) => {
  const { api } = clientOf([]);
  t.throws(() => api.Property.delete({ City: 'x' } as never), { message: /lacks its key ListingKey/ });
});

test('a record is created along a navigation property', async (t) => {
  const { api, requests } = clientOf([json({ MediaKey: '2' }, { status: 201 })]);
  const made = await createRelated(api.Property, "O'N", 'Media', {} as never, { select: ['MediaKey'] });
  t.is(made.MediaKey, '2');
  t.is(requests[0]?.method, 'POST');
  t.is(requests[0]?.url, "https://one.example/odata/Property('O''N')/Media?$select=MediaKey");
});

test('within a page the address of a service is relative to the page', async (t) => {
  t.throws(() => createClient(service, { baseUrl: '/odata' }), { instanceOf: TypeError });
  Object.assign(globalThis, { location: { href: 'https://page.example/app/' } });
  const { api, requests } = clientOf([record()], { baseUrl: '/odata' });
  Reflect.deleteProperty(globalThis, 'location');
  await api.Property.get('1');
  t.is(requests[0]?.url, "https://page.example/odata/Property('1')");
});
