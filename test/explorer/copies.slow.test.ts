import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { clientCall } from '../../explorer/page/copy-client.js';
import { copyForms } from '../../explorer/page/copies.js';
import { startService, type TestService } from '../support/service.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'gable-copies-'));
let service: TestService;
let token: string;

test.before(async () => {
  service = await startService();
  token = await service.token('write');
});

test.after.always(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const addresses: readonly string[] = [
  '/Property',
  "/Property?$filter=City%20eq%20'Toronto'%20and%20ListPrice%20lt%20600000&$orderby=ListPrice%20desc&$select=ListingKey,ListPrice",
  `/Property?$filter=StreetName%20eq%20'O''Connor'%20or%20StreetName%20eq%20'Rue%20%22%C3%89t%C3%A9%22%20%5C%20100%25'&$select=ListingKey,StreetName`,
  '/Property?$expand=Media($filter=Order%20eq%201;$select=MediaKey,Order),ListAgent($select=MemberKey)&$select=ListingKey&$count=true',
  '/Property?$apply=groupby((City),aggregate($count%20as%20Many))',
  "/Property('3')?$select=ListingKey,City",
  '/Property/$count?$filter=ListPrice%20gt%201',
  "/Property('3')/City/$value",
  "/Property?$filter=City%20ne%20'a?b'&$select=ListingKey",
];

const python = spawnSync('python3', ['-c', 'import requests']).status === 0;
const r = spawnSync('Rscript', ['-e', 'library(httr2)']).status === 0;
const curl = spawnSync('curl', ['--version']).status === 0;

/** The answers of copied texts, by form. Texts in Power Query, and in R where the machine lacks it, are read instead of run. */
const runners: { readonly [form: string]: ((text: string) => Promise<unknown>) | undefined } = {
  url: (text) => json(text),
  curl: curl ? async (text) => parsed((await run('sh', ['-c', text], { env: environment() })).stdout) : undefined,
  fetch: (text) => script(text),
  client: (text) => script(text),
  python: python
    ? (text) => executed('python3', text.replace('print(response.json())', 'import json\nprint(json.dumps(response.json()))'), 'query.py')
    : undefined,
  r: r
    ? (text) => executed('Rscript', `${text}cat(jsonlite::toJSON(answer, auto_unbox = TRUE, null = "null", digits = NA))`, 'query.R')
    : (text) => json(addressInR(text)),
  'power-query': (text) => json(/OData\.Feed\("((?:[^"]|"")*)"/.exec(text)?.[1]?.replaceAll('""', '"') ?? ''),
};

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, TOKEN: token };
}

async function json(url: string): Promise<unknown> {
  return parsed(await (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).text());
}

async function executed(command: string, text: string, name: string): Promise<unknown> {
  const file = join(folder, name);
  writeFileSync(file, text);
  return parsed((await run(command, [file], { env: environment() })).stdout);
}

// A count or a raw value is text.
function parsed(text: string): unknown {
  return /^[[{"]/.test(text) ? (JSON.parse(text) as unknown) : text.trim();
}

/** Prints what a program of this test reads. */
const helpers = `
function print(value) { process.stdout.write(JSON.stringify(value)); }
async function all(records) { const found = []; for await (const record of records) found.push(record); return { value: found }; }
`;

let scripts = 0;

function built(path: string): string {
  return pathToFileURL(join(process.cwd(), 'dist', path)).href;
}

// With the package of this folder.
function script(text: string): Promise<unknown> {
  const written = text
    .replace("'gable/client'", `'${built('client/index.js')}'`)
    .replace("'gable/service'", `'${built('generated/client.js')}'`)
    .replace(/^for await \(const record of ([^]*)\) console\.log\(record\);$/m, 'print(await all($1));')
    .replaceAll('console.log(', 'print(');
  return executed('node', helpers + written, `query-${scripts++}.mjs`);
}

// The names and values of `req_url_query`, as httr2 encodes them.
function addressInR(text: string): string {
  const [, root = ''] = /request\("([^"]*)"\)/.exec(text) ?? [];
  const options = [...text.matchAll(/`([^`]+)` = ("(?:[^"\\]|\\.)*")/g)].map(
    ([, name = '', value = '']) => `${name}=${encodeURIComponent(JSON.parse(value) as string)}`,
  );
  return options.length === 0 ? root : `${root}?${options.join('&')}`;
}

for (const { name, label, write } of copyForms) {
  const runner = runners[name];
  // Skipped where the machine has no interpreter for the form, such as curl or Python.
  (runner ? test : test.skip)(`${label} gives the same records`, async (t) => {
    for (const address of addresses)
      t.deepEqual(
        recordsOf(await runner?.(write({ root: service.root, address }))),
        recordsOf(await json(service.root + address)),
        address,
      );
  });
}

test('a copy for Power Query has its names and its options', (t) => {
  const written = copyForms.find(({ name }) => name === 'power-query')?.write({ root: service.root, address: '/Property' }) ?? '';
  // Power Query rejects an option that it does not know (OData.Feed).
  t.deepEqual(
    [...written.matchAll(/\b(\w+) = /g)].map(([, name]) => name),
    ['Token', 'Source', 'Authorization', 'Implementation', 'ODataVersion', 'OmitValues'],
  );
});

test('keys are values in calls of the client, and what its types lack is left to fetch', (t) => {
  const keys = ["'O''Neil'", '7', '-1.50', 'true', '2026-01-31', '0000abcd-0000-4000-8000-000000000001', "duration'PT1H'", "Ns.Color'Red'"];
  t.deepEqual(
    keys.map((key) => /get\((.*)\)\);$/.exec(clientCall(`/Items(${key})`, []) ?? '')?.[1]),
    ['"O\'Neil"', '7', '-1.50', 'true', '"2026-01-31"', '"0000abcd-0000-4000-8000-000000000001"', '"PT1H"', '"Red"'],
  );
  t.is(clientCall('/Items', [['$expand', 'Parent($levels=max)']]), undefined);
});

// Without control information, which the client takes off.
function recordsOf(answer: unknown): unknown {
  const { value = answer } = (answer ?? {}) as { readonly value?: unknown };
  return JSON.parse(JSON.stringify(value, (name, inner: unknown) => (name.includes('@') ? undefined : inner))) as unknown;
}
