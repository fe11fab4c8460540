import { readFileSync } from 'node:fs';
import test from 'ava';
import { signatureHeaders, signingSecret } from '../../runtime/features/webhooks/secrets.js';

type IsAuthentic = (headers: Readonly<Record<string, string>>, body: string, secret: string, seconds?: number) => boolean;

const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync('WEBHOOKS.md', 'utf8')) ?? [];
const serviceSecret = 'a secret of the tests, long enough to be one';
const body = '{"type":"test"}';

test('the example of WEBHOOKS.md verifies deliveries', async (t) => {
  const { isAuthentic } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { readonly isAuthentic: IsAuthentic };
  const hook = { seed: 'a', secretNumber: 2, isRotating: true };
  const now = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: 'msg_1', body, seconds: now }, hook, serviceSecret);
  const [former, present, next] = [1, 2, 3].map((secretNumber) => signingSecret({ ...hook, secretNumber }, serviceSecret));
  t.true(isAuthentic(headers, body, present ?? ''));
  t.true(isAuthentic(headers, body, former ?? ''));
  t.false(isAuthentic(headers, body, next ?? ''));
  t.false(isAuthentic(headers, `${body} `, present ?? ''));
  t.false(isAuthentic({ ...headers, 'webhook-id': 'msg_2' }, body, present ?? ''));
  t.false(isAuthentic({ ...headers, 'webhook-signature': 'v1,' }, body, present ?? ''));
  t.false(isAuthentic({}, body, present ?? ''));
  t.false(isAuthentic(headers, body, present ?? '', now + 301), 'a delivery of five minutes ago may be a repetition');
});
