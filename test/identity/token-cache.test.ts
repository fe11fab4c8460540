import test from 'ava';
import { createTokenCache } from '../../runtime/identity/token-cache.js';

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
