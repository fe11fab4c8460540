import { readFileSync } from 'node:fs';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { openBearer, sealBearer, signatureHeaders, signingSecret } from '../../runtime/features/webhooks/secrets.js';

const serviceSecret = 'a secret of the tests, long enough to be one';
const hook = { seed: 'f3b1', secretNumber: 2, isRotating: false };
const body = JSON.stringify({ type: 'changes', data: { key: 'Zoë' } });

function signed(isRotating: boolean): Record<string, string> {
  const message = { id: 'msg_1', body, seconds: Math.floor(Date.now() / 1000) };
  return signatureHeaders(message, { ...hook, isRotating }, serviceSecret) as Record<string, string>;
}

const verifier = (secretNumber: number): Webhook => new Webhook(signingSecret({ ...hook, secretNumber }, serviceSecret));

test('the package of Standard Webhooks accepts the signatures, and computes the same', (t) => {
  const headers = signed(false);
  t.deepEqual(verifier(2).verify(body, headers), JSON.parse(body));
  t.is(headers['webhook-signature'], verifier(2).sign('msg_1', new Date(Number(headers['webhook-timestamp']) * 1000), body));
  t.throws(() => verifier(2).verify(`${body} `, headers), { message: 'No matching signature found' });
  t.throws(() => verifier(1).verify(body, headers), { message: 'No matching signature found' });
});

test('while a secret is rotated, both verify', (t) => {
  for (const number of [1, 2]) t.deepEqual(verifier(number).verify(body, signed(true)), JSON.parse(body));
  t.throws(() => verifier(3).verify(body, signed(true)));
});

test('a secret is whsec_ and 32 bytes, of its own for each hook, number and service', (t) => {
  const secret = signingSecret(hook, serviceSecret);
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const others = [
    signingSecret({ ...hook, seed: 'f3b2' }, serviceSecret),
    signingSecret({ ...hook, secretNumber: 3 }, serviceSecret),
    signingSecret(hook, `${serviceSecret}!`),
  ];
  t.is(new Set([secret, ...others]).size, 4);
});

test('a bearer token is stored encrypted, and is of one hook', (t) => {
  const sealed = sealBearer('consumer-token', hook, serviceSecret);
  t.false(Buffer.from(sealed, 'base64url').toString('latin1').includes('consumer'));
  t.is(openBearer(sealed, hook, serviceSecret), 'consumer-token');
  t.throws(() => openBearer(sealed, { seed: 'other' }, serviceSecret));
  t.throws(() => openBearer(sealed, hook, 'another secret of the tests, long enough'));
});

type IsAuthentic = (headers: Readonly<Record<string, string>>, body: string, secret: string, seconds?: number) => boolean;

const [, example = ''] = /```js\n(.*?)```/s.exec(readFileSync('WEBHOOKS.md', 'utf8')) ?? [];

test('the example of WEBHOOKS.md verifies deliveries', async (t) => {
  const { isAuthentic } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as { readonly isAuthentic: IsAuthentic };
  const rotated = { ...hook, isRotating: true };
  const now = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: 'msg_1', body, seconds: now }, rotated, serviceSecret);
  const [former, present, next] = [1, 2, 3].map((secretNumber) => signingSecret({ ...rotated, secretNumber }, serviceSecret));
  t.true(isAuthentic(headers, body, present ?? ''));
  t.true(isAuthentic(headers, body, former ?? ''));
  t.false(isAuthentic(headers, body, next ?? ''));
  t.false(isAuthentic(headers, `${body} `, present ?? ''));
  t.false(isAuthentic({ ...headers, 'webhook-id': 'msg_2' }, body, present ?? ''));
  t.false(isAuthentic({ ...headers, 'webhook-signature': 'v1,' }, body, present ?? ''));
  t.false(isAuthentic({}, body, present ?? ''));
  t.false(isAuthentic(headers, body, present ?? '', now + 301), 'a delivery of five minutes ago may be a repetition');
});
