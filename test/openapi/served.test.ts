import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import '../support/features.js';
import test, { type ExecutionContext } from 'ava';
import { container } from '../../generated/index.js';
import { createApp, createAppServer, mountService } from '../../runtime/app.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { openApi } from '../../runtime/features/openapi/openapi.js';
import { servedDocument } from '../../runtime/http/document.js';
import type { Service } from '../../runtime/http/service.js';
import '../support/features.js';

const callers: { readonly [token: string]: readonly string[] } = {
  read: ['listing.read', 'of.another'],
  write: ['listing.read.all', 'listing.write'],
};

// oxfmt-ignore
const requests: readonly { readonly path: string; readonly token?: string; readonly method?: string; readonly pages?: readonly string[]; readonly expected: string }[] = [
  { path: '/openapi.json', token: 'write', expected: '200 3.1.0, 21 paths, 5 of Property' },
  { path: '/openapi.json?version=3.0', token: 'write', expected: '200 3.0.3, 21 paths, 5 of Property' },
  { path: '/openapi.json?version=2.0', token: 'write', expected: '200 2.0, 21 paths, 5 of Property' },
  { path: '/openapi.json', token: 'read', expected: '200 3.1.0, 21 paths, 2 of Property' },
  { path: '/openapi/Property.json', token: 'write', expected: '200 3.1.0, 2 paths, 5 of Property' },
  { path: '/openapi/Media.json?version=3.0', token: 'read', expected: '200 3.0.3, 2 paths, 0 of Property' },
  { path: '/openapi.json', expected: '401 1000 The request needs a valid bearer token: the Authorization header is missing.' },
  { path: '/openapi.json', pages: ['docs'], expected: '200 3.1.0, 21 paths, 5 of Property' },
  { path: '/openapi.json', token: 'read', pages: ['docs'], expected: '200 3.1.0, 21 paths, 2 of Property' },
  { path: '/openapi.json?version=4', token: 'read', expected: '400 1043 The only option is version, which is 3.1 or 3.0 or 2.0.' },
  { path: '/openapi.json?set=Media', token: 'read', expected: '400 1043 The only option is version, which is 3.1 or 3.0 or 2.0.' },
  { path: '/openapi/Proprty.json', token: 'read', expected: '404 1404 There is no document at this address. Did you mean Property?' },
  { path: '/openapi/%ff.json', token: 'read', expected: '404 1404 There is no document at this address.' },
  { path: '/openapi/', token: 'read', expected: '404 1404 There is no document at this address.' },
  { path: '/openapi.json', token: 'read', method: 'POST', expected: '405 1405 POST is not supported here; the supported methods are: GET, HEAD.' },
];

for (const { path, token, method = 'GET', pages = [], expected } of requests)
  test(`${method} ${path} as ${token ?? 'nobody'}, ${pages.length === 0 ? 'without' : 'with'} pages`, async (t) => {
    const response = await fetch(`${await start(t, pages)}${path}`, { method, headers: headersOf(token) });
    t.is(`${response.status} ${summaryOf((await response.json()) as Answer)}`, expected);
  });

test('a document is sent once, each caller has one, and pages of other origins may read it', async (t) => {
  const origin = await start(t, []);
  const ask = (token: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${origin}/openapi.json`, { headers: { ...headersOf(token), Origin: 'https://swagger.example', ...more } });
  const first = await ask('read');
  const etag = first.headers.get('etag') ?? '';
  t.is(first.headers.get('access-control-allow-origin'), '*');
  t.regex(first.headers.get('vary') ?? '', /Authorization/);
  t.is((await ask('read', { 'If-None-Match': etag })).status, 304);
  t.is((await ask('write', { 'If-None-Match': etag })).status, 200);
});

async function start(t: ExecutionContext, pages: readonly string[]): Promise<string> {
  const outside = openApi({ rootPath: '/odata', pages: new Set(pages) });
  const service = {
    root: 'https://a.example/odata',
    container,
    metadata: { json: servedDocument(readFileSync('generated/metadata.json')) },
    publicMetadata: false,
    authenticate: (authorization = '') => {
      const scopes = callers[authorization.replace('Bearer ', '')];
      if (scopes === undefined) return Promise.reject(errors.unauthenticated('the Authorization header is missing'));
      return Promise.resolve({ subject: 'a', scopes: new Set(scopes) });
    },
  } as unknown as Service; // Documents need no other part.
  const app = createApp();
  const server = createAppServer(app, {});
  t.teardown(() => server.close());
  mountService(app, service, { corsOrigins: '*', outsides: [outside] });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function headersOf(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

interface Answer {
  readonly openapi?: string;
  readonly swagger?: string;
  readonly paths: { readonly [path: string]: object };
  readonly error?: { readonly code: string; readonly message: string };
}

function summaryOf({ openapi, swagger, paths, error }: Answer): string {
  if (error) return `${error.code} ${error.message}`;
  const ofProperty = Object.entries(paths).flatMap(([path, item]) =>
    /^\/Property\b/.test(path) ? Object.keys(item).filter((name) => name !== 'parameters') : [],
  );
  return `${openapi ?? swagger}, ${Object.keys(paths).length} paths, ${ofProperty.length} of Property`;
}
