import type { AddressInfo } from 'node:net';
import test from 'ava';
import { container } from '../../generated/index.js';
import { createApp, createAppServer, mountService, rootPath } from '../../runtime/app.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { servedDocument } from '../../runtime/http/document.js';
import type { Surroundings } from '../../runtime/http/express-adapter.js';
import { limitRate } from '../../runtime/http/limit-rate.js';
import type { Service } from '../../runtime/http/service.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';
import type { Caller } from '../../runtime/plan/caller.js';
import { writeRefusal } from '../../runtime/store/refusal.js';
import type { Store } from '../../runtime/store/store.js';
import { codeIn, errorOf } from '../support/error-code.js';

/** Failures of the store, and their answers: status and code, without the cause. */
const failures: readonly { readonly title: string; readonly failure: Error; readonly status: number; readonly code: string }[] = [
  { title: 'what nobody foresaw is a bare 500', failure: new Error('select "secret" from passwords'), status: 500, code: '1500' },
  { title: 'a database that is away is 503', failure: errors.databaseUnavailable(), status: 503, code: '1503' },
  {
    title: 'why the database cannot answer is for the log',
    failure: Object.assign(errors.databaseUnavailable(), { cause: new Error('secret host refused') }),
    status: 503,
    code: '1503',
  },
];

for (const { title, failure, status, code } of failures) {
  test(title, async (t) => {
    const logged: unknown[] = [];
    const server = await listen({ failure, logged });
    t.teardown(() => server.close());
    const response = await fetch(`${server.root}/Office('O1')`, { headers: { 'X-Request-Id': 'abc-1' } });
    const body = await response.text();
    t.is(response.status, status);
    t.is(codeIn(body), code);
    t.false(body.includes('secret'));
    t.is(response.headers.get('x-request-id'), 'abc-1');
    t.is(response.headers.get('retry-after'), status === 503 ? '1' : null);
    t.deepEqual(logged, status === 500 || failure.cause !== undefined ? [failure] : []);
  });
}

test('a bad request is answered without the database', async (t) => {
  const server = await listen({ failure: new Error('no database'), logged: [] });
  t.teardown(() => server.close());
  const response = await fetch(`${server.root}/Office?$filter=Nothing%20eq%201`);
  t.is(response.status, 400);
});

test('a token that asks too often is told to wait', async (t) => {
  const server = await listen({ failure: errors.databaseUnavailable(), logged: [], requestsPerMinute: 2 });
  t.teardown(() => server.close());
  const ask = (): Promise<Response> => fetch(`${server.root}/Office`, { headers: { Authorization: 'Bearer one' } });
  await ask();
  await ask();
  const third = await ask();
  t.is(third.status, 429);
  t.like(await errorOf(third), {
    code: '1550',
    message: 'Too many requests: a caller may send 2 per minute; wait for the time in Retry-After.',
  });
  t.true(Number(third.headers.get('retry-after')) > 0);
  const same = await fetch(`${server.root}/Office`, { headers: { Authorization: 'Bearer one again' } });
  t.is(same.status, 429, 'the subject is counted, not the token');
  const other = await fetch(`${server.root}/Office`, { headers: { Authorization: 'Bearer two' } });
  t.is(other.status, 503);
});

test.serial('a clock that is set back refuses nobody for longer than a minute', async (t) => {
  const server = await listen({ failure: errors.databaseUnavailable(), logged: [], requestsPerMinute: 1 });
  const { now } = Date;
  t.teardown(() => (server.close(), (Date.now = now)));
  const ask = async (): Promise<number> => (await fetch(`${server.root}/Office`, { headers: { Authorization: 'Bearer one' } })).status;
  t.deepEqual([await ask(), await ask()], [503, 429]);
  Date.now = () => now() - 7_200_000;
  t.deepEqual([await ask(), await ask()], [503, 429]);
});

test('made-up tokens are counted together, by address', async (t) => {
  const server = await listen({ failure: errors.databaseUnavailable(), logged: [], requestsPerMinute: 2 });
  t.teardown(() => server.close());
  const ask = async (name: string, forwarded = '1.2.3.4'): Promise<number> =>
    (await fetch(`${server.root}/Office`, { headers: { Authorization: `Bearer bad-${name}`, 'X-Forwarded-For': forwarded } })).status;
  t.deepEqual([await ask('1'), await ask('2', '5.6.7.8'), await ask('3'), await ask('4', '9.9.9.9')], [401, 401, 429, 429]);
});

test("behind a trusted proxy the client's own address is counted", async (t) => {
  const server = await listen({ failure: errors.databaseUnavailable(), logged: [], requestsPerMinute: 1, trustedProxies: ['127.0.0.0/8'] });
  t.teardown(() => server.close());
  const ask = async (forwarded: string): Promise<number> =>
    (await fetch(`${server.root}/Office`, { headers: { Authorization: 'Bearer bad', 'X-Forwarded-For': forwarded } })).status;
  // The right-most address that no trusted proxy has is the client's; what stands before it, the client may have written.
  t.deepEqual([await ask('1.2.3.4'), await ask('5.6.7.8'), await ask('9.9.9.9, 1.2.3.4')], [401, 401, 429]);
});

interface Setting {
  readonly failure: Error;
  readonly logged: unknown[];
  readonly requestsPerMinute?: number;
  readonly trustedProxies?: readonly string[];
}

async function listen({
  failure,
  logged,
  requestsPerMinute = 0,
  trustedProxies = [],
}: Setting): Promise<{ root: string; close: () => void }> {
  const fail = (): Promise<never> => Promise.reject(failure);
  const store: Store = { read: fail, transaction: fail };
  const app = createApp();
  const server = createAppServer(app, {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const root = `http://127.0.0.1:${port}${rootPath}`;
  const limit = requestsPerMinute > 0 && {
    limit: (surroundings: Surroundings) => limitRate({ rootPath, requestsPerMinute }, surroundings),
  };
  mountService(app, serviceOver(store, root, logged), { ...limit, trustedProxies });
  return { root, close: () => server.close() };
}

// A token's first word is its subject.
async function authenticate(authorization = 'Bearer x'): Promise<Caller> {
  const [, subject = ''] = authorization.split(' ');
  if (subject.startsWith('bad')) throw errors.unauthenticated('it is bad');
  return { subject, scopes: new Set(['listing.read.all']) };
}

function serviceOver(store: Store, root: string, logged: unknown[]): Service {
  return {
    container,
    extensions: {},
    store,
    metadata: { xml: servedDocument(''), json: servedDocument(''), vocabularies: new Map() },
    root,
    settings: { overTop: 'reject' },
    seal: createTokenSeal('secret'),
    authenticate,
    maxStream: 1_000_000,
    readerTimeout: 30_000,
    publicMetadata: false,
    logFailure: (failure) => void logged.push(failure),
  };
}

// As the driver throws it, and as Sequelize wraps it.
function notNull(column: string): Error {
  return Object.assign(new Error('null value in column violates not-null constraint'), { code: '23502', column });
}

test('a computed property that nothing computes is told by its name', (t) => {
  for (const failure of [notNull('Concurrency'), Object.assign(new Error('wrapped'), { original: notNull('Concurrency') })]) {
    const refusal = writeRefusal(failure);
    if (!(refusal instanceof ODataError)) return void t.fail('It is no refusal.');
    t.is(refusal.status, 400);
    t.deepEqual(
      refusal.details?.map(({ code, target }) => [code, target]),
      [['1101', 'Concurrency']],
    );
    t.regex(refusal.details?.[0]?.message ?? '', /nothing sets it: .*Rules\.Generated/);
  }
});

test('columns of the service itself are not named', (t) => {
  const refusal = writeRefusal(notNull('#in.Trip'));
  if (!(refusal instanceof ODataError)) return void t.fail('It is no refusal.');
  t.deepEqual(
    refusal.details?.map(({ code, target }) => [code, target]),
    [['1105', undefined]],
  );
});

function broken(detail: string): Error {
  return Object.assign(new Error('a foreign key'), { code: '23503', table: 'Card', constraint: 'Card#Author#fk', detail });
}

test('of the two directions of a broken reference each is told as what it is', (t) => {
  const [missing, referred] = [
    writeRefusal(broken('Key (#Author)=(1) is not present in table "Author".')),
    writeRefusal(broken('Key (#id)=(1) is still referenced from table "Card".')),
  ];
  t.deepEqual(
    [missing, referred].map((refusal) => (refusal instanceof ODataError ? [refusal.status, refusal.code] : refusal)),
    [
      [400, '1111'],
      [409, '1055'],
    ],
  );
});
