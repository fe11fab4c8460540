import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { buildSync } from 'esbuild';
import { driven } from '../client/drive.mjs';
import { startListings } from '../clients/harness.mjs';
import { openBrowser } from './chromium.mjs';

const bundle = (contents) => buildSync({ stdin: { contents, resolveDir: 'test/client' }, bundle: true, format: 'esm', write: false }).outputFiles[0].text;
const files = {
  '/': ['text/html', '<!doctype html><meta charset="utf-8"><title>Client</title><script type="module" src="/page.js"></script>'],
  '/page.js': ['text/javascript', bundle("import { drive } from './drive.mjs'; globalThis.drive = drive;")],
  '/worker.js': ['text/javascript', bundle("import { drive } from './drive.mjs'; postMessage(await drive(...JSON.parse(name)));")],
};

let [listings, browser, server, page] = [];
const refused = [];

before(async () => {
  listings = await startListings();
  const policy = `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src ${new URL(listings.root).origin}; require-trusted-types-for 'script'`;
  server = createServer(({ url }, response) => {
    const [type = 'text/plain', text = ''] = files[url] ?? [];
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(text);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  browser = await openBrowser();
  page = await browser.context.newPage();
  page.on('console', (message) => /Content Security Policy/i.test(message.text()) && refused.push(message.text()));
  page.on('pageerror', ({ message }) => refused.push(message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
});

after(async () => {
  await browser?.close();
  server?.close();
  await listings?.stop();
});

const reached = () => [listings.root, listings.headers.Authorization.replace('Bearer ', '')];

test('the client does the same in a page of another origin, under a policy that allows nothing else', async () => {
  assert.deepEqual(await page.evaluate((given) => globalThis.drive(...given), reached()), driven);
  assert.deepEqual(refused, []);
});

test('and in a worker', async () => {
  const found = await page.evaluate((given) => {
    const trusted = globalThis.trustedTypes.createPolicy('worker', { createScriptURL: (url) => url });
    const worker = new Worker(trusted.createScriptURL('/worker.js'), { type: 'module', name: JSON.stringify(given) });
    return new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data));
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    });
  }, reached());
  assert.deepEqual(found, driven);
  assert.deepEqual(refused, []);
});
