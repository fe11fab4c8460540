import test from 'ava';
import { ODataError } from '../../runtime/errors/odata-error.js';
import { createTokenSeal } from '../../runtime/paging/skiptoken.js';

const seal = createTokenSeal('a secret');
const request = '/Property\n$top=2';
const token = seal.seal({ after: ['2026-01-01 00:00:00+00', null], remaining: 3 }, request);

test('a token gives back what it was sealed with', (t) => {
  t.deepEqual(seal.open(token, request), { after: ['2026-01-01 00:00:00+00', null], remaining: 3 });
});

test('its values cannot be seen', (t) => {
  t.false(Buffer.from(token, 'base64url').toString('latin1').includes('2026'));
});

test('a page that is asked for again has the same link, and no other token its nonce', (t) => {
  const again = seal.seal({ after: ['2026-01-01 00:00:00+00', null], remaining: 3 }, request);
  t.is(again, token);
  t.not(seal.seal({ after: ['x'] }, request).slice(0, 16), token.slice(0, 16));
  t.not(createTokenSeal('a secret').seal({ after: ['2026-01-01 00:00:00+00', null], remaining: 3 }, request), token);
});

// oxfmt-ignore
/** Tokens that open nothing, and the status that says why. */
const refused: readonly { readonly title: string; readonly text: string; readonly at?: string; readonly secret?: string; readonly status: number }[] = [
  { title: 'of another request', text: token, at: '/Member', status: 400 },
  { title: 'of another service', text: token, secret: 'another secret', status: 400 },
  { title: 'that is changed', text: token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')), status: 400 },
  { title: 'that is cut', text: token.slice(0, 20), status: 400 },
  { title: 'that is no base64url', text: 'ä ö', status: 400 },
];

for (const { title, text, at = request, secret = 'a secret', status } of refused) {
  test(`a token ${title} is refused`, (t) => {
    const error = t.throws(() => createTokenSeal(secret).open(text, at), { instanceOf: ODataError });
    t.is(error?.code, '1045');
    t.is(error?.status, status);
  });
}
