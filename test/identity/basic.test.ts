import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { addClient, revokeClient } from '../../runtime/identity/client-store.js';
import { startService, type TestService } from '../support/service.js';
import { patient } from '../support/database.js';

type Headers = Readonly<Record<string, string>>;
const right = 'Basic feed:secret';
const both = 'Basic realm="gable", charset="UTF-8", Bearer realm="gable"';
const bearerOnly = 'Bearer realm="gable"';

// oxfmt-ignore
/** Requests with the name and the secret of a client, where a proxy at 127.0.0.1 is trusted or not. */
const cases: readonly { readonly title: string; readonly trusted?: boolean; readonly headers: Headers; readonly method?: string; readonly path?: string; readonly status: number; readonly challenge?: string }[] = [
  { title: 'from this machine', headers: { Authorization: right }, status: 200 },
  { title: 'once more, from the cache', headers: { Authorization: right }, status: 200 },
  { title: 'in lower case', headers: { Authorization: 'basic feed:secret' }, status: 200 },
  { title: 'a scope that the client lacks', headers: { Authorization: right, 'Content-Type': 'application/json' }, method: 'POST', path: '/Property', status: 403 },
  { title: 'a wrong secret', headers: { Authorization: 'Basic feed:Secret' }, status: 401, challenge: both },
  { title: 'an unknown client', headers: { Authorization: 'Basic nobody:secret' }, status: 401, challenge: both },
  { title: 'no secret', headers: { Authorization: 'Basic feed' }, status: 401, challenge: both },
  { title: 'nothing', headers: {}, status: 401, challenge: both },
  { title: 'a bearer token that is none', headers: { Authorization: 'Bearer x' }, status: 401, challenge: `Basic realm="gable", charset="UTF-8", Bearer realm="gable", error="invalid_token"` },
  { title: 'forwarded by a proxy that is not trusted', headers: { Authorization: right, 'X-Forwarded-For': '192.0.2.1' }, status: 401, challenge: bearerOnly },
  { title: 'https, says a proxy that is not trusted', headers: { Authorization: right, 'X-Forwarded-Proto': 'https' }, status: 401, challenge: bearerOnly },
  { title: 'https, says a trusted proxy', trusted: true, headers: { Authorization: right, 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' }, status: 200 },
  { title: 'http, says a trusted proxy', trusted: true, headers: { Authorization: right, 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'http' }, status: 401, challenge: bearerOnly },
  { title: 'nothing, by http behind a trusted proxy', trusted: true, headers: { 'X-Forwarded-Proto': 'http' }, status: 401, challenge: bearerOnly },
  { title: 'from a trusted proxy on this machine that does not say how it got the request', trusted: true, headers: { Authorization: right }, status: 401, challenge: bearerOnly },
  { title: 'a page of another site', headers: { Authorization: right, 'Sec-Fetch-Site': 'cross-site' }, status: 403 },
  { title: 'a page of this site', headers: { Authorization: right, 'Sec-Fetch-Site': 'same-origin' }, status: 200 },
];

test('clients send their name and secret by Basic, where the network does not see it', async (t) => {
  const services = await Promise.all([false, true].map((trusted) => startWithClient(trusted)));
  t.teardown(() => Promise.all(services.map((service) => service.stop())));
  for (const { title, trusted = false, headers, method = 'GET', path = '/Office?$top=1', status, challenge } of cases) {
    const response = await fetch(`${services[Number(trusted)]?.root}${path}`, {
      method,
      headers: encoded(headers),
      ...(method === 'POST' && { body: '{}' }),
    });
    t.is(response.status, status, `${title}: ${await response.text()}`);
    t.is(response.headers.get('www-authenticate'), challenge ?? null, title);
  }
});

test('a revoked client is rejected, and without the setting every client is', async (t) => {
  const [service, without] = [await startWithClient(false), await startService()];
  t.teardown(() => Promise.all([service.stop(), without.stop()]));
  t.is((await ask(service.root)).status, 200);
  await withClients(service, (connection) => revokeClient('feed', connection));
  t.is((await ask(service.root)).status, 401);
  const answer = await ask(without.root);
  t.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer realm="gable", error="invalid_request"']);
});

function ask(root: string): Promise<Response> {
  return fetch(`${root}/Office?$top=1`, { headers: encoded({ Authorization: 'basic feed:secret' }) });
}

async function startWithClient(trusted: boolean): Promise<TestService> {
  const service = await startService({ GABLE_BASIC: 'true', ...(trusted && { GABLE_TRUSTED_PROXIES: '127.0.0.1' }) });
  await withClients(service, (connection) => addClient({ id: 'feed', scopes: ['listing.read'], member: undefined }, 'secret', connection));
  return service;
}

async function withClients(service: TestService, work: Parameters<typeof inTransaction<boolean>>[1]): Promise<void> {
  const pool = connect(service.databaseUrl, { ...patient, poolSize: 1 });
  await inTransaction(pool, work);
  await pool.close();
}

function encoded({ Authorization: authorization, ...headers }: Headers): Record<string, string> {
  const [scheme = '', credentials = ''] = authorization?.split(' ') ?? [];
  if (authorization === undefined) return headers;
  return { ...headers, Authorization: scheme === 'Bearer' ? authorization : `${scheme} ${Buffer.from(credentials).toString('base64')}` };
}
