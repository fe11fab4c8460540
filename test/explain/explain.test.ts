import test from 'ava';
import { type Explanation, studied } from '../../runtime/features/explain/explain.js';
import { startToy } from '../toy/toy-service.js';
import { container } from '../../generated/index.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

test.before(async () => {
  service = await startService();
});

test.after.always(() => service.stop());

async function explain(address: string, caller: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const Authorization = `Bearer ${await service.token(caller)}`;
  return fetch(new URL(`../explain${address}`, `${service.root}/`), { headers: { Authorization, ...headers } });
}

async function explanation(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Explanation> {
  const response = await explain(address, 'admin', headers);
  return (await response.json()) as Explanation;
}

// oxfmt-ignore
/** Reads, and the beginnings of their statements. */
const reads: readonly (readonly [address: string, ...statements: readonly RegExp[]])[] = [
  ["/Property?$filter=City%20eq%20'Toronto'&$count=true&$top=2", /^select count\(\*\).*\$1/s, /^select .* from "Property".*\$1.* limit \$2::bigint$/s],
  ["/Property('3')", /^select .* where .*\$1/s],
  ["/Property('3')/Rooms", /^select/, /^select t0\."#id"::text from "Property"/],
  ["/Property('3')/Rooms/$count", /^select count/, /^select t0\."#id"::text from "Property"/],
  ['/Property?$apply=groupby((City),aggregate($count%20as%20N))', /group by/],
  ['/$crossjoin(Property,Member)?$top=1', /^select/],
  ["/Property('3')/City", /^select/],
];

for (const [address, ...statements] of reads)
  test(`the statements of ${address}`, async (t) => {
    const { statements: found } = await explanation(address);
    t.is(found.length, statements.length, JSON.stringify(found.map(({ text }) => text)));
    for (const [index, expected] of statements.entries()) t.regex(found[index]?.text ?? '', expected);
    for (const { plan, text } of found) {
      t.is(typeof plan['Node Type'], 'string');
      t.false('Actual Rows' in plan);
      t.notRegex(text, /Toronto/);
    }
  });

test('the plan of the service, and the indexes used or that would serve', async (t) => {
  const { plan } = await explanation('/Property?$select=City&$expand=Media($select=Order)&$orderby=City&$top=3');
  t.is(plan?.size, 3);
  t.deepEqual([plan?.table, plan?.kind, plan?.orderTerms, plan?.expands[0]?.name], ['Property', 'page', 2, 'Media']);
  const [byKey] = (await explanation("/Member('M1')")).statements;
  t.true((byKey?.indexes.length ?? 0) + (byKey?.scans.length ?? 0) > 0);
});

// Which way PostgreSQL takes depends on its version.
test('an index that would serve is that of the columns of a condition', (t) => {
  const scan = {
    'Node Type': 'Seq Scan',
    'Relation Name': 'Property',
    Filter: `(("Country" <> 'City'::text) AND ("PostalCode" = 'x'::text))`,
  };
  const { scans } = studied({ text: '', plan: { 'Node Type': 'Limit', Plans: [scan] } }, container);
  t.deepEqual(scans, [{ table: 'Property', index: ['Country', 'PostalCode'] }]);
});

test('statements are executed only if that is asked for', async (t) => {
  const { statements } = await explanation('/Property?$top=2', { Prefer: 'analyze' });
  t.true(statements.length === 1 && 'Actual Rows' in (statements[0]?.plan ?? {}));
});

test('a request that is refused is refused here, too', async (t) => {
  for (const address of ["/Property?$filter=Citty%20eq%20'x'", '/Nothing', '/Property?$top=-1']) {
    const asked = await fetch(`${service.root}${address}`, { headers: { Authorization: `Bearer ${await service.token('admin')}` } });
    const explained = await explain(address, 'admin');
    t.is(explained.status, asked.status);
    const [one, other] = (await Promise.all([asked.json(), explained.json()])) as readonly {
      readonly error: { message: string; innererror: { position?: object } };
    }[];
    t.is(one?.error.message, other?.error.message);
    t.deepEqual(one?.error.innererror.position, other?.error.innererror.position);
  }
});

test('without the scope the address does not exist', async (t) => {
  const absent = await fetch(new URL('../nothing', `${service.root}/`));
  const wanted = ((await absent.json()) as { error: { message: string } }).error.message;
  for (const caller of ['read', 'write', 'hooks']) {
    const response = await explain('/Property', caller);
    t.is(response.status, 404);
    t.is(((await response.json()) as { error: { message: string } }).error.message, wanted);
  }
  const other = await startService({ GABLE_EXPLAIN_SCOPE: 'listing.write' });
  t.teardown(other.stop);
  const ask = async (name: string) =>
    fetch(new URL('../explain/Property', `${other.root}/`), { headers: { Authorization: `Bearer ${await other.token(name)}` } });
  t.deepEqual([(await ask('admin')).status, (await ask('write')).status, (await ask('read')).status], [200, 200, 404]);
});

test('nothing is changed', async (t) => {
  const response = await fetch(new URL('../explain/Property', `${service.root}/`), {
    method: 'POST',
    headers: { Authorization: `Bearer ${await service.token('admin')}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  t.is(response.status, 405);
});

test('the row filters of the caller are in the statements', async (t) => {
  const shops = await startToy('test/changes/shops.xml', {
    own: { subject: 'o', scopes: new Set(['own', 'gable.admin']), member: 'M' },
    all: { subject: 'a', scopes: new Set(['all', 'gable.admin']) },
    plain: { subject: 'p', scopes: new Set(['own']), member: 'M' },
  });
  t.teardown(shops.stop);
  const ask = (token: string) => fetch(new URL('../explain/Shops', `${shops.root}/`), { headers: { Authorization: `Bearer ${token}` } });
  const textOf = async (token: string) => ((await (await ask(token)).json()) as Explanation).statements[0]?.text ?? '';
  t.regex(await textOf('own'), /"Owner" = \$\d/);
  t.notRegex(await textOf('all'), /"Owner" =/);
  t.is((await ask('plain')).status, 404);
});
