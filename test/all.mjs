// `npm run test:all`: the tests that `npm test` leaves out. They run in order, with the last line naming those that failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { findChromium } from './browser/find-chromium.mjs';

const { DATABASE_URL: server, ...embedded } = process.env;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const ava = (...patterns) => [process.execPath, 'node_modules/ava/entrypoints/cli.mjs', '--timeout=5m', ...patterns];

// These tests use no database, have their own, or do not depend on its version.
const independent = [
  '{attack,bench,cli,config,diff,docs,drill,embedded,errors,explorer,expression,fuzz,generator,identity,json}/**',
  '{model,models,openapi,operation,package,pages,portal,project,replicas,response,soak,sql,support,uri}/**',
  '{architecture,conformance/{claims,mistakes},database/plan-choice,differential/doubles,fault/dying-server,http/{client-error,cors,limits}}.*',
  '{migrate/random-models,operations/{inner-request,stubs},paging/skiptoken,permission/{non-interference,welch},plan/plan-cache}.*',
  '{changes/outdated,database/row-tap,exports/{busy,csv},fault/{failing-store,refusal},http/{metadata-40,own-address}}.*',
  'client/{bodies,cap,credentials,editor,error-codes,foreign,print-query,print,results,send,size,types}.*',
  'webhooks/{addresses,example,formats,schedule,signatures}.*',
  '{media-streams/byte-range,samples/{copy-text,listing,sample-texts},streaming/{chunked-body,payload-buffers}}.*',
  'repeatable-requests/**',
].map((pattern) => `!dist/test/${pattern}`);

const parts = {
  slow: { title: 'slow tests (random models, migrations, faults, crashes, processes)', command: ava('dist/test/**/*.slow.test.js'), env: embedded },
  server: {
    title: 'tests on the PostgreSQL server of DATABASE_URL',
    command: ava('dist/test/**/*.test.js', ...independent),
    skipped: server === undefined && 'DATABASE_URL is not set',
  },
  clients: { title: 'clients of other authors', command: [npm, 'run', '--ignore-scripts', 'test:clients'] },
  browser: {
    title: 'UI5, the client, the documentation and the explorer in a browser',
    command: [npm, 'run', '--ignore-scripts', 'test:browser'],
    skipped: process.env.CI === undefined && findChromium() === undefined && 'there is no Chromium',
  },
  nodes: { title: 'the client in other versions of Node and TypeScript', command: [npm, 'run', '--ignore-scripts', 'test:nodes'] },
  fuzz: { title: '100 000 malformed inputs', command: [process.execPath, 'dist/test/fuzz/main.js', '--inputs', '100000', '--seed', '1', '--shared'] },
};

if (process.argv.includes('--list')) {
  console.log(`npm run test:all adds: ${Object.values(parts).map(({ title }) => title).join('; ')}.`);
} else {
  // They mostly wait for downloads.
  const fuzz = run(parts.fuzz, 'pipe');
  const results = [];
  for (const part of [parts.clients, parts.browser, parts.nodes]) results.push(await run(part));
  results.push(await fuzz);
  for (const part of [parts.slow, parts.server]) results.push(await run(part));
  const failed = results.filter(({ status }) => status === 'failed');
  for (const { title, status } of results) console.log(`${title}: ${status}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function run({ title, command: [program, ...args], env = process.env, skipped }, output = 'inherit') {
  if (skipped) return { title, status: `skipped, ${skipped}` };
  if (output === 'inherit') console.log(`== ${title}`);
  const child = spawn(program, args, { env, stdio: ['ignore', output, output], shell: program === 'npm.cmd' });
  const written = output === 'pipe' ? Promise.all([text(child.stdout), text(child.stderr)]) : Promise.resolve([]);
  const [code] = await once(child, 'close');
  if (output === 'pipe') console.log(`== ${title}\n${(await written).join('')}`);
  return { title, status: code === 0 ? 'passed' : 'failed' };
}
