import test from 'ava';
import { startService, type TestService } from '../support/service.js';

const usual = 'Accept, OData-MaxVersion, Prefer';
// The headers of UI5's OData model, some of which no standard has.
const ui5Headers =
  'authorization,content-type,if-match,odata-maxversion,odata-version,sap-cancel-on-close,x-csrf-token,x-sap-security-session';

async function started(
  t: { teardown: (stop: () => Promise<void>) => void },
  settings: Partial<Record<string, string>> = {},
): Promise<TestService> {
  const service = await startService(settings);
  t.teardown(() => service.stop());
  return service;
}

test('every page may read answers, and a preflight needs no token', async (t) => {
  const { root, token } = await started(t);
  const preflight = await fetch(`${root}/Property`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH', 'Access-Control-Request-Headers': ui5Headers },
  });
  t.is(preflight.status, 204);
  t.is(preflight.headers.get('access-control-allow-origin'), '*');
  t.regex(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/);
  t.is(preflight.headers.get('access-control-allow-headers'), ui5Headers);
  t.is(preflight.headers.get('vary'), 'Access-Control-Request-Headers');
  const answer = await fetch(`${root}/Office`, {
    headers: { Origin: 'https://app.example', Authorization: `Bearer ${await token('all')}` },
  });
  t.is(answer.status, 200);
  t.is(answer.headers.get('access-control-allow-origin'), '*');
  for (const name of ['OData-Version', 'ETag', 'Location', 'OData-EntityId', 'Preference-Applied', 'Retry-After', 'X-Request-Id']) {
    t.true((answer.headers.get('access-control-expose-headers') ?? '').includes(name), name);
  }
  t.is(answer.headers.get('vary'), usual);
  const refused = await fetch(`${root}/Office`, { headers: { Origin: 'https://app.example' } });
  t.is(refused.status, 401);
  t.is(refused.headers.get('access-control-allow-origin'), '*');
});

test('OPTIONS that is no preflight needs a token, and nothing is said to those of no origin', async (t) => {
  const { root } = await started(t);
  const answer = await fetch(`${root}/Property`, { method: 'OPTIONS' });
  t.is(answer.status, 401);
  t.is(answer.headers.get('access-control-allow-origin'), null);
});

test('no origins: nothing is said, and nothing varies', async (t) => {
  const { root, token } = await started(t, { GABLE_CORS_ORIGINS: 'none' });
  const headers = { Origin: 'https://app.example', Authorization: `Bearer ${await token('all')}` };
  const answer = await fetch(`${root}/Office`, { headers });
  t.is(answer.headers.get('access-control-allow-origin'), null);
  t.is(answer.headers.get('vary'), usual);
});

test('listed origins only', async (t) => {
  const { root, token } = await started(t, { GABLE_CORS_ORIGINS: 'https://one.example, https://two.example:8080' });
  const ask = async (origin: string): Promise<Response> =>
    fetch(`${root}/Office`, { headers: { Origin: origin, Authorization: `Bearer ${await token('all')}` } });
  const known = await ask('https://two.example:8080');
  t.is(known.headers.get('access-control-allow-origin'), 'https://two.example:8080');
  t.is(known.headers.get('vary'), `Origin, ${usual}`);
  t.is((await ask('https://three.example')).headers.get('access-control-allow-origin'), null);
  const ofNoPage = await fetch(`${root}/Office`, { headers: { Authorization: `Bearer ${await token('all')}` } });
  t.is(ofNoPage.headers.get('vary'), `Origin, ${usual}`);
  const preflight = await fetch(`${root}/Office`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://three.example', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
  });
  t.is(preflight.headers.get('access-control-allow-headers'), null);
});
