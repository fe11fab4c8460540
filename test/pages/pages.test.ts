import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createApp, createAppServer, mountService } from '../../runtime/app.js';
import { errors } from '../../runtime/errors/catalogue.js';
import { homePage, pages } from '../../runtime/features/pages/pages.js';
import { errorResponse } from '../../runtime/http/respond.js';
import type { Service } from '../../runtime/http/service.js';
import { codeIn } from '../support/error-code.js';

const files: { readonly [name: string]: string } = {
  'index.html': '<title>Start</title> https://service.example/odata/Property',
  'errors.html': '<p id="1041">',
  'sets/Städte.html': 'x'.repeat(2_000),
  'search.js': 'const ä = 1;',
  'notes.unknown': 'not served',
};

const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

// oxfmt-ignore
const requests: readonly { readonly path: string; readonly headers?: object; readonly method?: string; readonly expected: string }[] = [
  { path: '/docs/', expected: '200 text/html;charset=utf-8 <title>Start</title> https://a.example/odata/Property' },
  { path: '/docs/index.html', expected: '200 text/html;charset=utf-8 <title>Start</title> https://a.example/odata/Property' },
  { path: '/docs/search.js', expected: '200 text/javascript;charset=utf-8 const ä = 1;' },
  { path: '/docs/sets/St%C3%A4dte.html', expected: `200 text/html;charset=utf-8 ${'x'.repeat(2_000)}` },
  { path: '/docs', expected: '302 docs/' },
  { path: '/docs/', method: 'HEAD', expected: '200 text/html;charset=utf-8 ' },
  { path: '/docs/', method: 'POST', expected: '405 1405' },
  { path: '/docs/none.html', expected: '404 1404' },
  { path: '/docs/notes.unknown', expected: '404 1404' },
  { path: '/docs/..%2F..%2Fpackage.json', expected: '404 1404' },
  { path: '/docsets/', expected: '404 1404' },
  { path: '/Docs/', expected: '404 1404' },
  { path: '/', headers: html, expected: '302 docs/' },
  { path: '/odata', headers: html, expected: '302 docs/' },
  { path: '/odata/', headers: html, expected: '302 ../docs/' },
  { path: '/', expected: '404 1404' },
  { path: '/odata', headers: { Accept: 'application/json, text/html;q=0.5' }, expected: '503 1503' },
  { path: '/odata', headers: { ...html, Authorization: 'Bearer x' }, expected: '503 1503' },
  { path: '/odata?$format=json', headers: html, expected: '503 1503' },
  { path: '/odata/Property', headers: html, expected: '503 1503' },
];

for (const { path, headers = {}, method = 'GET', expected } of requests)
  test(`${method} ${path} ${JSON.stringify(headers)}`, async (t) => {
    const answer = await ask(await start(t), path, { method, headers });
    t.is(summaryOf(answer), expected);
  });

test('pages have a policy of their own, other answers the usual one', async (t) => {
  const origin = await start(t);
  const policyOf = async (path: string): Promise<unknown> => (await ask(origin, path)).headers['content-security-policy'];
  t.is(
    await policyOf('/docs/'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  t.is(await policyOf('/odata'), "default-src 'none'; frame-ancestors 'none'");
  t.is(await policyOf('/docs/none.html'), "default-src 'none'; frame-ancestors 'none'");
});

test('a page is sent once, and compressed where the service compresses', async (t) => {
  const origin = await start(t, true);
  const first = await ask(origin, '/docs/sets/St%C3%A4dte.html', { headers: { 'Accept-Encoding': 'gzip' } });
  t.is(first.headers['content-encoding'], 'gzip');
  t.true(first.body.length < 200);
  const again = await ask(origin, '/docs/sets/St%C3%A4dte.html', { headers: { 'If-None-Match': first.headers.etag ?? '' } });
  t.deepEqual([again.status, again.body], [304, '']);
  t.is(again.headers.vary, 'Accept-Encoding');
});

test('an unknown page names the first one of its folder', async (t) => {
  const origin = await start(t);
  const told = (await Promise.all(['/docs/none.html', '/explorer/none'].map((path) => ask(origin, path)))).map(({ body }) => body);
  t.regex(told[0] ?? '', /The pages begin at \/docs\/\./);
  t.regex(told[1] ?? '', /The pages begin at \/explorer\/\./);
});

test('errors link to their explanation only where the documentation is served', async (t) => {
  t.like(JSON.parse((await ask(await start(t), '/odata')).body), {
    error: { innererror: { help: 'https://a.example/docs/errors.html#1503' } },
  });
  t.false((await ask(await start(t, false, []), '/odata')).body.includes('help'));
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

// The service answers each request beneath its root with an error.
async function start(t: ExecutionContext, compression = false, shown = ['docs', 'explorer']): Promise<string> {
  const built = mkdtempSync(join(tmpdir(), 'pages-'));
  t.teardown(() => rmSync(built, { recursive: true }));
  mkdirSync(join(built, 'docs', 'sets'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(built, 'docs', name), text);
  const site = { rootPath: '/odata', built, pages: new Set(shown) };
  const outsides = [homePage(site), pages(site)].filter((outside) => outside !== undefined);
  const pathFor = outsides.find((outside) => outside.helpFor)?.helpFor;
  const helpFor = pathFor && ((code: string) => `https://a.example${pathFor(code)}`);
  const service = { root: 'https://a.example/odata', ...(helpFor && { helpFor }) } as Service;
  const app = createApp();
  const server = createAppServer(app, {});
  t.teardown(() => server.close());
  mountService(app, service, {
    compression,
    outsides,
    observer: { respond: (request) => Promise.resolve(errorResponse(errors.databaseUnavailable(), request, service)) },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// `fetch` would resolve dots, follow redirects and decompress.
async function ask(origin: string, path: string, options: { readonly method?: string; readonly headers?: object } = {}): Promise<Answer> {
  const { method = 'GET', headers = {} } = options;
  const response = await new Promise<IncomingMessage>((arrived) =>
    get(`${origin}${path}`, { method, headers: { ...headers } }, arrived).end(),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') };
}

function summaryOf({ status, headers, body }: Answer): string {
  if (status === 302) return `302 ${headers.location}`;
  if (status >= 400) return `${status} ${codeIn(body)}`;
  return `${status} ${headers['content-type']} ${body}`;
}
