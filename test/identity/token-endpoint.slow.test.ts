import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { inTransaction } from '../../runtime/database/transaction.js';
import { addClient } from '../../runtime/identity/client-store.js';
import { parseStaticTokens } from '../../runtime/identity/settings.js';
import { startProcess } from '../operation/serve-process.js';
import { runGable, type Ended } from '../support/run-command.js';
import { secret, startService } from '../support/service.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';
import { patient } from '../support/database.js';

// oxfmt-ignore
/** Requests to the token endpoint, and what each is answered with; SECRET stands for the client's. */
const cases: readonly { readonly title: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>>; readonly method?: string; readonly status: number; readonly error?: string; readonly scope?: string }[] = [
  { title: 'in the body', body: 'grant_type=client_credentials&client_id=feed&client_secret=SECRET', status: 200, scope: 'listing.read listing.write' },
  { title: 'in the header', body: 'grant_type=client_credentials', headers: { Authorization: 'Basic feed:SECRET' }, status: 200, scope: 'listing.read listing.write' },
  { title: 'fewer scopes', body: 'grant_type=client_credentials&client_id=feed&client_secret=SECRET&scope=listing.read', status: 200, scope: 'listing.read' },
  { title: 'the header and the same name in the body', body: 'grant_type=client_credentials&client_id=feed', headers: { Authorization: 'Basic feed:SECRET' }, status: 200, scope: 'listing.read listing.write' },
  { title: 'more scopes', body: 'grant_type=client_credentials&client_id=feed&client_secret=SECRET&scope=listing.read+listing.read.all', status: 400, error: 'invalid_scope' },
  { title: 'no scope at all', body: 'grant_type=client_credentials&client_id=feed&client_secret=SECRET&scope=', status: 400, error: 'invalid_scope' },
  { title: 'a wrong secret', body: 'grant_type=client_credentials&client_id=feed&client_secret=SECRETx', status: 401, error: 'invalid_client' },
  { title: 'no secret', body: 'grant_type=client_credentials&client_id=feed&client_secret=', status: 401, error: 'invalid_client' },
  { title: 'an unknown client', body: 'grant_type=client_credentials&client_id=nobody&client_secret=SECRET', status: 401, error: 'invalid_client' },
  { title: 'an unknown client without a secret', body: 'grant_type=client_credentials&client_id=nobody&client_secret=', status: 401, error: 'invalid_client' },
  { title: 'SQL for a name', body: "grant_type=client_credentials&client_id=feed'%20OR%201=1--&client_secret=SECRET", status: 401, error: 'invalid_client' },
  { title: 'two ways at once', body: 'grant_type=client_credentials&client_id=feed&client_secret=SECRET', headers: { Authorization: 'Basic feed:SECRET' }, status: 401, error: 'invalid_client' },
  { title: 'nobody', body: 'grant_type=client_credentials', status: 401, error: 'invalid_client' },
  { title: 'another grant', body: 'grant_type=password&username=a&password=b', status: 400, error: 'unsupported_grant_type' },
  { title: 'a parameter twice', body: 'grant_type=client_credentials&client_id=feed&client_id=feed&client_secret=SECRET', status: 400, error: 'invalid_request' },
  { title: 'a lone percent sign', body: 'grant_type=client_credentials&client_id=%', status: 400, error: 'invalid_request' },
  { title: 'NUL in a name', body: 'grant_type=client_credentials&client_id=feed%00&client_secret=SECRET', status: 400, error: 'invalid_request' },
  { title: 'NUL in a name of the header', body: 'grant_type=client_credentials', headers: { Authorization: 'Basic feed%00:SECRET' }, status: 401, error: 'invalid_client' },
  { title: 'JSON', body: '{"grant_type":"client_credentials"}', headers: { 'Content-Type': 'application/json' }, status: 400, error: 'invalid_request' },
  { title: 'GET', method: 'GET', status: 405 },
  { title: 'a form that is too large', body: `grant_type=${'x'.repeat(9000)}`, status: 413 },
];

test('clients get tokens by their secrets, and none after they are revoked', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const client = (...args: readonly string[]): Promise<Ended> =>
    runGable(['client', ...args], { DATABASE_URL: service.databaseUrl, GABLE_SECRET: secret });
  const added = await client('add', 'feed', '--scope', 'listing.read listing.write', '--member', 'M1');
  t.is(added.status, 0, added.stderr);
  const clientSecret = added.stdout.trim();
  t.regex(clientSecret, /^[\w-]{43}$/);
  t.is(added.stderr, 'The secret of feed; store it now, it is shown only once:\n');
  t.is((await client('add', 'feed', '--scope', 'listing.read')).status, 2, 'a name is given once');
  const { stdout: listed } = await client('list');
  t.regex(listed, /^feed {2}listing\.read listing\.write {2}member M1 {2}since /);
  t.false(listed.includes(clientSecret));
  const { clients } = JSON.parse((await client('list', '--json')).stdout) as {
    readonly clients: readonly {
      readonly id: string;
      readonly scopes: readonly string[];
      readonly member: string | null;
      readonly revoked: string | null;
    }[];
  };
  t.deepEqual(
    clients.map(({ id, scopes, member, revoked }) => ({ id, scopes, member, revoked })),
    [{ id: 'feed', scopes: ['listing.read', 'listing.write'], member: 'M1', revoked: null }],
  );

  const url = `${new URL(service.root).origin}/oauth2/token`;
  const ask = (body: string | undefined, headers: Readonly<Record<string, string>> = {}, method = 'POST'): Promise<Response> => {
    const sent: Record<string, string> = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
    const [, basic] = /^Basic (.*)$/.exec(sent['Authorization'] ?? '') ?? [];
    if (basic !== undefined) sent['Authorization'] = `Basic ${Buffer.from(basic.replace('SECRET', clientSecret)).toString('base64')}`;
    return fetch(url, { method, headers: sent, ...(body !== undefined && { body: body.replace('SECRET', clientSecret) }) });
  };
  for (const { title, body, headers, method, status, error, scope } of cases) {
    const response = await ask(body, headers, method);
    const answer = (await response.json()) as { readonly error?: unknown; readonly scope?: string; readonly access_token?: string };
    t.is(response.status, status, title);
    if (error !== undefined) t.is(answer.error, error, title);
    t.is(answer.scope, scope, title);
    if (status < 402) t.is(response.headers.get('cache-control'), 'no-store', title);
    t.is(
      response.headers.has('www-authenticate'),
      (status === 401 && !body?.includes('client_secret=')) || title === 'two ways at once',
      title,
    );
  }
  const {
    access_token: token,
    token_type: type,
    expires_in: lifetime,
  } = (await (await ask(cases[0]?.body)).json()) as {
    readonly access_token: string;
    readonly token_type: string;
    readonly expires_in: number;
  };
  t.deepEqual([type, lifetime], ['Bearer', 3600]);
  t.is((await fetch(`${service.root}/Office?$top=1`, { headers: { Authorization: `Bearer ${token}` } })).status, 200);

  t.is((await client('revoke', 'feed')).status, 0);
  t.is((await ask(cases[0]?.body)).status, 401);
  t.is((await client('revoke', 'feed')).status, 2);
  t.regex((await client('list')).stdout, /revoked /);
  t.is((await client('add', 'feed', '--scope', 'listing.read')).status, 2, 'a revoked name is not given again');
});

test('a client without scopes gets a token without scopes, and no others', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const pool = connect(service.databaseUrl, { ...patient, poolSize: 1 });
  await inTransaction(pool, (connection) => addClient({ id: 'plain', scopes: [], member: undefined }, 'secret', connection));
  await pool.close();
  const ask = async (scope: string): Promise<unknown> => {
    const body = `grant_type=client_credentials&client_id=plain&client_secret=secret${scope}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { access_token: token, ...rest } = (await (
      await fetch(`${new URL(service.root).origin}/oauth2/token`, { method: 'POST', headers, body })
    ).json()) as { readonly access_token?: string };
    return { ...rest, issued: token !== undefined };
  };
  const granted = { token_type: 'Bearer', expires_in: 3600, issued: true };
  t.deepEqual(await ask(''), granted);
  t.deepEqual(await ask('&scope='), granted);
  t.deepEqual(await ask('&scope=listing.read'), {
    error: 'invalid_scope',
    error_description: 'The client has no scopes; request none.',
    issued: false,
  });
});

test('the entry of a static token without scopes is one that the setting takes', (t) => {
  const hash = 'a'.repeat(64);
  t.deepEqual(parseStaticTokens(`${hash}:feed:,${hash}:other:listing.read a`), [
    { sha256: hash, subject: 'feed', scopes: [] },
    { sha256: hash, subject: 'other', scopes: ['listing.read', 'a'] },
  ]);
  t.is(parseStaticTokens(`${hash}:feed`), undefined);
});

test('a static token is printed once, with its entry for the configuration', async (t) => {
  const { stdout } = await runGable(['token', '--static', '--subject', 'feed', '--scope', 'listing.read'], { GABLE_SECRET: secret });
  const [token = '', entry = ''] = stdout.split('\n');
  t.false(entry.includes(token));
  const service = await startService({ GABLE_STATIC_TOKENS: entry });
  t.teardown(() => service.stop());
  t.is((await fetch(`${service.root}/Office?$top=1`, { headers: { Authorization: `Bearer ${token}` } })).status, 200);
  t.is((await fetch(`${service.root}/Office?$top=1`, { headers: { Authorization: `Bearer ${token}x` } })).status, 401);
});

test('a token as JSON tells what it says, and when it ends', async (t) => {
  const { token, expires, ...told } = await tokenOf('--scope', 'listing.read listing.write', '--member', 'M1', '--hours', '2');
  t.deepEqual(told, { subject: 'developer', scopes: ['listing.read', 'listing.write'], member: 'M1' });
  const left = Date.parse(String(expires)) - Date.now();
  t.true(left > 2 * 3_600_000 - 60_000 && left <= 2 * 3_600_000 + 1_000, String(expires));
  t.is(String(token).split('.').length, 3);
  const { token: kept, entry, ...rest } = await tokenOf('--static', '--subject', 'feed', '--scope', 'listing.read');
  t.deepEqual(rest, { subject: 'feed', scopes: ['listing.read'], member: null, expires: null });
  t.regex(String(entry), /^\w{64}:feed:listing\.read$/);
  t.false(String(entry).includes(String(kept)));
});

test('a database from before there were clients is not served until it is migrated', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const environment = { GABLE_SECRET: secret, DATABASE_URL: service.databaseUrl };
  const pool = connect(service.databaseUrl, { ...patient, poolSize: 1 });
  await sequelizeOf(pool).query('DROP TABLE gable_client');
  await pool.close();
  const failure = await t.throwsAsync(startProcess([], environment));
  t.regex(failure.message, /ended with 2: .*The database lacks gable_client; run gable migrate first/);
  t.is((await runGable(['migrate'], environment)).status, 0);
  const served = await startProcess([], environment);
  served.child.kill('SIGTERM');
  t.is(await served.ended, 0);
});

async function tokenOf(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await runGable(['token', '--json', ...args], { GABLE_SECRET: secret });
  return JSON.parse(stdout) as Record<string, unknown>;
}
