import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import test from 'ava';
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from 'jose';
import { Client } from 'pg';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { createAuthenticator, createTokenCache, issueToken } from '../../runtime/identity/authenticate.js';
import { createKeySet, keySetTimes, parseKeys } from '../../runtime/identity/outside-issuer.js';
import { hashOf } from '../../runtime/identity/static-tokens.js';
import type { Caller } from '../../runtime/plan/caller.js';
import { secret, startService } from '../support/service.js';
import { type IssuerServer, startIssuer } from './issuer-server.js';

const settings = { secret, issuer: 'gable', audience: 'gable' };
const staticToken = 'a-long-lived-token-of-a-feed';
const now = Math.floor(Date.now() / 1000);

// oxfmt-ignore
/** Hostile tokens, each made of a good one. */
const attacks: readonly { readonly title: string; readonly make: (issuer: IssuerServer) => string | Promise<string> }[] = [
  ...['none', 'None', 'NONE', 'nOnE', ''].map((alg) => ({ title: `alg '${alg}' of the outside issuer`, make: ({ settings: { issuer, audience } }: IssuerServer) => unsigned({ alg, kid: 'k1' }, { iss: issuer, aud: audience, sub: 'x', exp: now + 600 }) })),
  ...['none', 'None', ''].map((alg) => ({ title: `alg '${alg}' of ours`, make: () => unsigned({ alg }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }) })),
  { title: 'the public key as the secret of an HMAC', make: ({ publicKey, settings: { issuer, audience } }) => hmac({ alg: 'HS256', kid: 'k1' }, { iss: issuer, aud: audience, sub: 'x', exp: now + 600 }, publicKey) },
  { title: 'an HMAC under our issuer with the public key', make: ({ publicKey }) => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }, publicKey) },
  { title: 'an empty secret', make: () => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }, '') },
  { title: 'our secret under the outside issuer', make: ({ settings: { issuer, audience } }) => hmac({ alg: 'HS256' }, { iss: issuer, aud: audience, sub: 'x', exp: now + 600 }, secret) },
  { title: 'HS512 with our secret', make: () => hmac({ alg: 'HS512' }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }, secret, 'sha512') },
  { title: 'their key under our issuer', make: ({ sign }) => sign({ iss: 'gable', aud: 'gable' }) },
  { title: 'an issuer that nobody knows', make: ({ sign }) => sign({ iss: 'https://elsewhere.example' }) },
  { title: 'an issuer that begins alike', make: ({ sign }) => sign({ iss: 'https://issuer.example/' }) },
  { title: 'another audience', make: ({ sign }) => sign({ aud: 'other' }) },
  { title: 'another audience of ours', make: () => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'other', sub: 'x', exp: now + 600 }, secret) },
  { title: 'expired', make: ({ sign }) => sign({ exp: now - 31 }) },
  { title: 'not yet', make: ({ sign }) => sign({ nbf: now + 60 }) },
  { title: 'without exp', make: () => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'gable', sub: 'x' }, secret) },
  { title: 'without sub', make: () => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'gable', exp: now + 600 }, secret) },
  { title: 'exp as text', make: () => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'gable', sub: 'x', exp: String(now + 600) }, secret) },
  ...[7, {}, ['x'], null, '', 'a\0b', 'a\nb'].map((sub) => ({ title: `sub ${JSON.stringify(sub)}`, make: () => hmac({ alg: 'HS256' }, { iss: 'gable', aud: 'gable', sub, exp: now + 600 }, secret) })),
  ...[7, { a: 1 }, 'a\0b', ''].map((member) => ({ title: `member ${JSON.stringify(member)}`, make: ({ sign }: IssuerServer) => sign({ member }) })),
  { title: 'an exp without end', make: () => signText('{"iss":"gable","aud":"gable","sub":"x","exp":1e400}') },
  { title: 'iss as an array', make: () => hmac({ alg: 'HS256' }, { iss: ['gable'], aud: 'gable', sub: 'x', exp: now + 600 }, secret) },
  ...['../../dev/null', '/etc/passwd', "k1' OR 1=1 --", 'k1\0', '__proto__', 'constructor', ''].map((kid) => ({ title: `kid ${JSON.stringify(kid)}`, make: ({ settings: { issuer, audience } }: IssuerServer) => hmac({ alg: 'RS256', kid }, { iss: issuer, aud: audience, sub: 'x', exp: now + 600 }, '') })),
  { title: 'an embedded key', make: ({ settings: { issuer, audience } }) => hmac({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }, { iss: issuer, aud: audience, sub: 'x', exp: now + 600 }, '\0\0\0') },
  { title: 'a key elsewhere', make: () => hmac({ alg: 'HS256', jku: 'http://127.0.0.1:1/keys' }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }, 'x') },
  { title: 'an extension that must be understood', make: () => hmac({ alg: 'HS256', crit: ['x'], x: 1 }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }, secret) },
  { title: 'an unencoded payload', make: () => hmac({ alg: 'HS256', b64: false, crit: ['b64'] }, { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 }, secret) },
  { title: 'a payload that is no object', make: () => hmac({ alg: 'HS256' }, 'gable', secret) },
  { title: 'a static token that is not known', make: () => 'another-long-lived-token-of-a-feed' },
  { title: 'the hash of a static token', make: () => hashOf(staticToken) },
  { title: 'five parts', make: async ({ sign }) => `${await sign()}.x.y` },
  { title: 'two parts', make: async ({ sign }) => (await sign()).split('.').slice(0, 2).join('.') },
  { title: 'dots alone', make: () => '..' },
  { title: 'padding', make: async ({ sign }) => `${await sign()}=` },
];

test('good tokens are good, within the skew of two clocks', async (t) => {
  const { issuer, authenticate } = await open(t.teardown.bind(t));
  t.deepEqual(await authenticate(`Bearer ${await issuer.sign()}`), { subject: 'broker', scopes: new Set(['listing.read']) });
  t.deepEqual(await authenticate(`Bearer ${await issuer.sign({ scope: undefined, scp: ['a', 'b'], member: 'M1' })}`), {
    subject: 'broker',
    scopes: new Set(['a', 'b']),
    member: 'M1',
  });
  t.is((await authenticate(`bearer ${await issuer.sign({ exp: now - 20, nbf: now + 20 })}`)).subject, 'broker');
  t.is((await authenticate(`Bearer ${await issueToken({ subject: 'own', scopes: [], lifetime: 60 }, settings)}`)).subject, 'own');
  t.deepEqual(await authenticate(`Bearer ${staticToken}`), { subject: 'feed', scopes: new Set(['listing.read.all', 'listing.write']) });
});

test('every attack is 401', async (t) => {
  const { issuer, authenticate } = await open(t.teardown.bind(t));
  for (const { title, make } of attacks) t.is(await statusOf(authenticate, await make(issuer)), 401, title);
});

test('a missing claim is named, where the signature is valid', async (t) => {
  const { issuer, authenticate } = await open(t.teardown.bind(t));
  const claims = { iss: 'gable', aud: 'gable', sub: 'x', exp: now + 600 };
  const ours = (change: object, key = secret): string => hmac({ alg: 'HS256' }, { ...claims, ...change }, key);
  for (const token of [ours({ exp: undefined }), await issuer.sign({ exp: undefined })])
    t.regex(await messageOf(authenticate, token), /: the token has no exp claim\.$/);
  t.regex(await messageOf(authenticate, ours({ sub: undefined })), /: the token has no sub claim\.$/);
  for (const token of [ours({ exp: undefined }, 'another'), ours({ aud: undefined })])
    t.regex(await messageOf(authenticate, token), /: this service does not accept it\.$/);
});

// Serial, since the work of so many would delay what other tests fetch.
test.serial('a thousand mutations of good tokens are 401, quickly', async (t) => {
  const { issuer, authenticate } = await open(t.teardown.bind(t));
  const good = [
    await issuer.sign(),
    await issueToken({ subject: 'own', scopes: ['listing.read.all'], lifetime: 60 }, settings),
    staticToken,
  ];
  for (const token of good) t.is(await statusOf(authenticate, token), 200);
  const times: number[] = [];
  for (let seed = 1; seed <= 1000; seed++) {
    const token = good[seed % good.length] ?? '';
    const mutated = mutate(token, seed);
    const started = performance.now();
    t.is(await statusOf(authenticate, mutated), 401, `seed ${seed}: ${mutated}`);
    times.push(performance.now() - started);
  }
  const median = times.toSorted((one, other) => one - other)[times.length / 2] ?? 0;
  t.true(median < 5, `${median} ms`);
});

test('a token in two headers, or refused, is 401 without a connection to the database', async (t) => {
  const service = await startService({ GABLE_LOG_LEVEL: 'silent' });
  t.teardown(() => service.stop());
  const { hostname, port } = new URL(service.root);
  const good = `Authorization: Bearer ${await service.token('read')}`;
  const ask = (headers: readonly string[]): Promise<string> =>
    rawStatus(hostname, Number(port), ['GET /odata/Office HTTP/1.1', 'Host: a', 'Connection: close', ...headers]);
  const url = new URL(service.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const server = new Client({ connectionString: url.href });
  await server.connect();
  t.teardown(() => server.end());
  await server.query(`alter database "${name}" allow_connections false`);
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  t.is(await ask([good]), '503');
  t.is(await ask([good, good]), '401');
  t.is(await ask([good, 'authorization: Bearer x']), '401');
  t.is(await ask(['Authorization: Bearer x.y.z']), '401');
  t.is(await ask(['Authorization: Bearer', good.replace('Authorization', 'X-Authorization')]), '401');
  await server.query(`alter database "${name}" allow_connections true`);
  t.is(await ask([good]), '200');
});

async function open(
  teardown: (work: () => void) => void,
): Promise<{ issuer: IssuerServer; authenticate: (authorization: string) => Promise<Caller> }> {
  const issuer = await startIssuer();
  teardown(issuer.stop);
  const staticTokens = [{ sha256: hashOf(staticToken), subject: 'feed', scopes: ['listing.read.all', 'listing.write'] }];
  return { issuer, authenticate: createAuthenticator(settings, { issuers: [issuer.settings], staticTokens }) };
}

type Authenticate = (authorization: string) => Promise<Caller>;

async function statusOf(authenticate: Authenticate, token: string): Promise<number> {
  return (await refusalOf(authenticate, token))?.status ?? 200;
}

async function messageOf(authenticate: Authenticate, token: string): Promise<string> {
  return (await refusalOf(authenticate, token))?.message ?? '';
}

async function refusalOf(authenticate: Authenticate, token: string): Promise<ODataError | undefined> {
  try {
    await authenticate(`Bearer ${token}`);
    return undefined;
  } catch (failure) {
    if (failure instanceof ODataError) return failure;
    throw failure;
  }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function unsigned(header: object, payload: object): string {
  return `${part(header)}.${part(payload)}.`;
}

// A payload that no JSON writer would write.
function signText(payload: string): string {
  const signed = `${part({ alg: 'HS256' })}.${Buffer.from(payload).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function hmac(header: object, payload: unknown, key: string, hash = 'sha256'): string {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// One character of the token becomes another, goes, is doubled, or changes places with the next one.
function mutate(token: string, seed: number): string {
  const at = (seed * 7919) % token.length;
  const kind = seed % 4;
  const character = token[at] ?? '';
  const other = letters[(letters.indexOf(character) + 1 + (seed % 62)) % letters.length] ?? '';
  if (kind === 0) return token.slice(0, at) + other + token.slice(at + 1);
  if (kind === 1) return token.slice(0, at) + token.slice(at + 1);
  if (kind === 2) return token.slice(0, at) + character + character + token.slice(at + 1);
  const swapped = token.slice(0, at) + (token[at + 1] ?? '') + character + token.slice(at + 2);
  return swapped === token ? `${token}A` : swapped;
}

function rawStatus(host: string, port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, host, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer.split(' ')[1] ?? ''));
  });
}

const caller = { subject: 'x', scopes: new Set(['a']) };

test('a token is known until it expires', (t) => {
  let now = 100;
  const cache = createTokenCache(() => now);
  cache.add('one', caller, 200);
  t.is(cache.get('one'), caller);
  t.is(cache.get('two'), undefined);
  now = 200;
  t.is(cache.get('one'), undefined);
  cache.add('one', caller, 260);
  now = 100;
  t.is(cache.get('one'), undefined, 'the clock was set back');
});

test('the oldest of a thousand gives way', (t) => {
  const cache = createTokenCache(() => 0);
  for (let index = 0; index <= 1000; index++) cache.add(`token ${index}`, caller, 1);
  t.is(cache.get('token 0'), undefined);
  t.is(cache.get('token 1'), caller);
  t.is(cache.get('token 1000'), caller);
});

test('a token is kept under one form of its header, however many it comes in', async (t) => {
  const settings = { secret: 'a-secret-of-more-than-32-characters', issuer: 'gable', audience: 'gable' };
  const authenticate = createAuthenticator(settings, { issuers: [], staticTokens: [] });
  const token = await issueToken({ subject: 'x', scopes: [], lifetime: 60 }, settings);
  t.is(await authenticate(`Bearer ${token}`), await authenticate(`Bearer ${token}`));
  t.not(await authenticate(`Bearer  ${token}`), await authenticate(`Bearer  ${token}`));
});

/** An issuer under the test's control: its keys, whether it answers, and how often it was asked. */
async function createIssuer(): Promise<{
  keys: JWK[];
  away: boolean;
  asked: number;
  now: number;
  add: (kid: string) => Promise<(claims?: object) => Promise<string>>;
  accepts: (token: string) => Promise<boolean | number>;
}> {
  const issuer = {
    keys: [] as JWK[],
    away: false,
    asked: 0,
    now: 1_000_000,
    add: async (kid: string) => {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      issuer.keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' });
      return (): Promise<string> => new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
    },
    // True or false, or the status where it is neither.
    accepts: async (token: string): Promise<boolean | number> => {
      try {
        await jwtVerify(token, set.keyOf, { algorithms: ['ES256'] });
        return true;
      } catch (failure) {
        return failure instanceof ODataError ? failure.status : false;
      }
    },
  };
  const set = createKeySet({
    now: () => issuer.now,
    fetchKeys: async (): Promise<JSONWebKeySet> => {
      issuer.asked += 1;
      if (issuer.away) throw new Error('away');
      return { keys: [...issuer.keys] };
    },
  });
  return issuer;
}

test('a new key is found at once, and a withdrawn one is refused when the keys are due', async (t) => {
  const issuer = await createIssuer();
  const first = await issuer.add('1');
  t.true(await issuer.accepts(await first()));
  const second = await issuer.add('2');
  issuer.now += keySetTimes.pause;
  t.true(await issuer.accepts(await second()));
  t.is(issuer.asked, 2);
  issuer.keys.shift();
  t.true(await issuer.accepts(await first()));
  issuer.now += keySetTimes.fresh;
  t.false(await issuer.accepts(await first()));
  t.true(await issuer.accepts(await second()));
});

test('ten thousand made-up key ids lead to one request in thirty seconds', async (t) => {
  const issuer = await createIssuer();
  const good = await issuer.add('1');
  const forged = await (await createIssuer()).add('unknown');
  const token = await forged();
  t.true(await issuer.accepts(await good()));
  const answers: (boolean | number)[] = [];
  for (let second = 0; second < 60; second++) {
    issuer.now += 1_000;
    answers.push(...(await Promise.all(Array.from({ length: 167 }, () => issuer.accepts(token)))));
  }
  t.is(answers.length, 10_020);
  t.deepEqual(new Set(answers), new Set([false]));
  t.true(issuer.asked <= 3, `${issuer.asked} requests`);
});

test('while the issuer is away its last keys do for an hour, then the answer is 503 and never 401', async (t) => {
  const issuer = await createIssuer();
  const token = await (await issuer.add('1'))();
  issuer.away = true;
  t.is(await issuer.accepts(token), 503);
  t.is(await issuer.accepts(token), 503);
  t.is(issuer.asked, 1, 'it is not asked again for every request');
  issuer.away = false;
  issuer.now += keySetTimes.pause;
  t.true(await issuer.accepts(token));
  issuer.away = true;
  for (let minute = 0; minute < 59; minute++) {
    issuer.now += 60_000;
    t.true(await issuer.accepts(token));
  }
  issuer.now += 60_000;
  t.is(await issuer.accepts(token), 503);
  issuer.away = false;
  issuer.now += keySetTimes.pause;
  t.true(await issuer.accepts(token), 'it recovers by itself');
});

test('what is no key set is refused, and a shared secret in one is left out', (t) => {
  for (const text of ['', '[]', '{}', '{"keys":{}}', 'null', '<html>']) t.throws(() => parseKeys(text, 'x'), undefined, text);
  t.deepEqual(parseKeys('{"keys":[{"kty":"oct","k":"AAAA"},null,{"kty":"EC"}]}', 'x'), { keys: [{ kty: 'EC' }] });
});

test('where the keys cannot be read, the log is told why', async (t) => {
  const { keyOf } = createKeySet({ now: () => 1_000_000, fetchKeys: () => Promise.reject(new Error('away')) });
  const { cause } = await t.throwsAsync(async () => keyOf({ alg: 'ES256' }, { payload: '', signature: '' }), {
    instanceOf: ODataError,
    message: /keys of the token's issuer/,
  });
  t.is((cause as Error).message, 'away');
});
