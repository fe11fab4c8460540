import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type JSONWebKeySet, type JWK } from 'jose';
import test from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { createKeySet, keySetTimes, parseKeys } from '../../runtime/identity/outside-issuer.js';

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
