import test from 'ava';
import { issueToken } from '../../runtime/identity/authenticate.js';
import { secret, startService, type TestService } from '../support/service.js';

const listing = {
  ListAgentKey: 'M1',
  ListOfficeKey: 'M2',
  PropertyType: 'Residential',
  StreetNumber: '1',
  StreetName: 'Repeat',
  City: 'Toronto',
};

let service: TestService;
let authorization: string;

test.before(async () => {
  service = await startService();
  authorization = `Bearer ${await service.token('write')}`;
});

test.after.always(() => service.stop());

interface Sent {
  readonly id: string;
  readonly first?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: object;
  readonly token?: string;
}

const now = new Date().toUTCString();

function send({ id, first = now, method = 'POST', path = '/Property', body = listing, token = authorization }: Sent): Promise<Response> {
  const headers = {
    Authorization: token,
    'Content-Type': 'application/json',
    'Repeatability-Request-ID': id,
    ...(first !== '' && { 'Repeatability-First-Sent': first }),
  };
  return fetch(`${service.root}${path}`, { method, headers, body: method === 'DELETE' ? null : JSON.stringify(body) });
}

async function count(street: string): Promise<string> {
  return (
    await fetch(`${service.root}/Property/$count?$filter=StreetName eq '${street}'`, { headers: { Authorization: authorization } })
  ).text();
}

test('the answer is given again, to the byte', async (t) => {
  const body = { ...listing, StreetName: 'Once' };
  const [first, second] = [await send({ id: 'a', body }), await send({ id: 'a', body })];
  t.is(first.status, 201);
  t.is(second.status, 201);
  t.is(first.headers.get('repeatability-result'), 'accepted');
  t.is(second.headers.get('repeatability-result'), 'accepted');
  t.is(second.headers.get('location'), first.headers.get('location'));
  t.is(second.headers.get('etag'), first.headers.get('etag'));
  t.is(await second.text(), await first.text());
  t.is(await count('Once'), '1');
});

async function tokenOf(scopes: readonly string[], member: string): Promise<string> {
  return `Bearer ${await issueToken({ subject: 'write', scopes, member, lifetime: 3600 }, { secret, issuer: 'gable', audience: 'gable' })}`;
}

test('an answer is not given again to a token of the same subject with other scopes or another member', async (t) => {
  const body = { ...listing, StreetName: 'Scopes' };
  t.is((await send({ id: 'scopes', body })).status, 201);
  const again = async (scopes: readonly string[], member = 'M1'): Promise<number> =>
    (await send({ id: 'scopes', body, token: await tokenOf(scopes, member) })).status;
  t.is(await again(['listing.write']), 412);
  t.is(await again(['listing.read.all', 'listing.write'], 'M2'), 412);
  t.is(await again(['listing.write', 'listing.read.all']), 201);
  t.is(await count('Scopes'), '1');
});

test('five copies at once make one record', async (t) => {
  const body = { ...listing, StreetName: 'Five' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => send({ id: 'five', body })));
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  t.is(new Set(texts).size, 1);
  t.is(await count('Five'), '1');
});

test('a PATCH and a DELETE too', async (t) => {
  const path = "/Property('5')?$select=ListPrice";
  const patch = { id: 'patch', method: 'PATCH', path, body: { ChangedByMemberKey: 'M1', ListPrice: 4321 } };
  const [first, second] = [await send(patch), await send(patch)];
  t.is(first.status, 200);
  t.is(second.headers.get('etag'), first.headers.get('etag'));
  t.is(await second.text(), await first.text());
  const remove = { id: 'delete', method: 'DELETE', path: "/Property('5')" };
  t.deepEqual([(await send(remove)).status, (await send(remove)).status], [204, 204]);
  t.is((await send({ ...remove, id: 'another' })).status, 404);
});

test('another body under the same id is refused, and another caller has ids of its own', async (t) => {
  const own = await send({ id: 'mine' });
  t.is(own.status, 201);
  const other = await send({ id: 'mine', body: { ...listing, City: 'Ottawa' } });
  t.is(other.status, 412);
  t.is(other.headers.get('repeatability-result'), 'rejected');
  t.is((await send({ id: 'mine', first: new Date(Date.now() - 60_000).toUTCString() })).status, 412);
  const others = await send({ id: 'mine', token: `Bearer ${await service.token('writeOnly')}` });
  t.is(others.status, 201);
  t.not(others.headers.get('location'), own.headers.get('location'));
});

test('what was refused may be sent again under its id', async (t) => {
  const wrong = { ...listing, StreetName: 'Again', City: null };
  const refused = await send({ id: 'again', body: wrong });
  t.deepEqual([refused.status, refused.headers.get('repeatability-result')], [400, 'rejected']);
  t.is((await send({ id: 'again', body: { ...wrong, City: 'Toronto' } })).status, 201);
  t.is(await count('Again'), '1');
});

/** Headers that are refused, and the status that says so. */
const faulty: readonly { readonly title: string; readonly sent: Sent; readonly status: number }[] = [
  { title: 'no date', sent: { id: 'x', first: '' }, status: 400 },
  { title: 'a date that is none', sent: { id: 'x', first: '2026-01-01' }, status: 400 },
  { title: 'a date of yesterday', sent: { id: 'x', first: new Date(Date.now() - 25 * 3_600_000).toUTCString() }, status: 412 },
  { title: 'a date of tomorrow', sent: { id: 'x', first: new Date(Date.now() + 25 * 3_600_000).toUTCString() }, status: 412 },
  { title: 'an id that is too long', sent: { id: 'x'.repeat(257) }, status: 400 },
  {
    title: 'a body that is too large to be kept',
    sent: { id: 'x', body: { ...listing, PublicRemarks: 'x'.repeat(256 * 1024) } },
    status: 413,
  },
  { title: 'a batch as a whole', sent: { id: 'x', path: '/$batch', body: { requests: [] } }, status: 501 },
];

for (const { title, sent, status } of faulty) {
  test(`refused: ${title}`, async (t) => {
    const answer = await send(sent);
    t.is(answer.status, status);
    t.is(answer.headers.get('repeatability-result'), 'rejected');
  });
}

test('a date that is none is the target of its fault', async (t) => {
  const { error } = (await (await send({ id: 'x', first: '2026-01-01' })).json()) as { error: { target: string } };
  t.is(error.target, 'Repeatability-First-Sent');
});

test('a request within a batch may come again as well', async (t) => {
  const part = {
    method: 'post',
    url: 'Property',
    body: { ...listing, StreetName: 'Batch' },
    headers: { 'repeatability-request-id': 'part', 'repeatability-first-sent': now },
  };
  const batch = JSON.stringify({
    requests: [
      { id: '1', ...part },
      { id: '2', atomicityGroup: 'g', dependsOn: ['1'], ...part },
    ],
  });
  const answer = await fetch(`${service.root}/$batch`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: batch,
  });
  const { responses } = (await answer.json()) as { responses: { status: number; body: object }[] };
  t.deepEqual(
    responses.map(({ status }) => status),
    [201, 201],
  );
  t.deepEqual(responses[1]?.body, responses[0]?.body);
  t.is(await count('Batch'), '1');
});
