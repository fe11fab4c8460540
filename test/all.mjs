// `npm run test:all`: the tests that `npm test` leaves out. The last lines give the result of each part.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findChromium } from './browser/find-chromium.mjs';

const { DATABASE_URL: server, ...embedded } = process.env;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const ava = (...patterns) => [process.execPath, 'node_modules/ava/entrypoints/cli.mjs', '--timeout=5m', ...patterns];

// Tests that run on the server of DATABASE_URL as well: every fast one that opens a database, and a slow one if its first line
// says that it depends on the version or the settings of PostgreSQL: on SQL, plans, locks or DDL.
const onServer = readdirSync('test', { recursive: true })
  .map((name) => join('test', name))
  .filter((file) => file.endsWith('.test.ts') && (file.endsWith('.slow.test.ts') ? isMarked(file) : opensDatabase(file)))
  .map((file) => `dist/${file.replaceAll('\\', '/').replace(/ts$/, 'js')}`);

const parts = {
  slow: { title: 'slow tests (random models, migrations, faults, crashes, processes)', command: ava('dist/test/**/*.slow.test.js'), env: embedded },
  server: {
    title: 'tests on the PostgreSQL server of DATABASE_URL',
    command: ava(...onServer),
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
  // The first three mostly wait, for downloads and for their processes.
  const waiting = [[parts.clients, parts.nodes], [parts.browser], [parts.fuzz]].map((each) => runInOrder(each, 'pipe'));
  const results = [...(await Promise.all(waiting)).flat(), ...(await runInOrder([parts.slow, parts.server], 'inherit'))];
  const failed = results.filter(({ status }) => status === 'failed');
  for (const { title, status } of results) console.log(`${title}: ${status}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function isMarked(file) {
  return readFileSync(file, 'utf8').startsWith('// Runs on both servers: ');
}

// A file opens a database if it imports test/support/database.ts, itself or by other files.
function opensDatabase(file, seen = new Set()) {
  if (file === join('test', 'support', 'database.ts')) return true;
  if (seen.has(file) || !file.startsWith('test') || !existsSync(file)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/'(\.[^']+)\.js'/g);
  return [...imports].some(([, path]) => opensDatabase(join(dirname(file), `${path}.ts`), seen));
}

async function runInOrder(each, output) {
  const results = [];
  for (const part of each) results.push(await run(part, output));
  return results;
}

async function run({ title, command: [program, ...args], env = process.env, skipped }, output) {
  if (skipped) return { title, status: `skipped, ${skipped}` };
  if (output === 'inherit') console.log(`== ${title}`);
  const child = spawn(program, args, { env, stdio: ['ignore', output, output], shell: program === 'npm.cmd' });
  const written = output === 'pipe' ? Promise.all([text(child.stdout), text(child.stderr)]) : Promise.resolve([]);
  const [code] = await once(child, 'close');
  if (output === 'pipe') console.log(`== ${title}\n${(await written).join('')}`);
  return { title, status: code === 0 ? 'passed' : 'failed' };
}
