import test from 'ava';
import { createAuthenticator, createTokenCache, issueToken } from '../../runtime/identity/authenticate.js';

const caller = { subject: 'x', scopes: new Set(['a']) };

test('a token is known until it expires', (t) => {
  let now = 100;
  const cache = createTokenCache(() => now);
  cache.add('one', caller, 200);
  t.is(cache.get('one'), caller);
  t.is(cache.get('two'), undefined);
  now = 200;
  t.is(cache.get('one'), undefined);
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
