// `npm run test:all`: the tests that `npm test` leaves out. The last lines repeat what failed and give the result of each part.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './browser/find-chromium.mjs';

const { DATABASE_URL: server, ...embedded } = process.env;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
// These tests wait for processes a third of their time, so that two processors have work for four of them.
const ava = (...patterns) => [process.execPath, 'node_modules/ava/entrypoints/cli.mjs', '--timeout=5m', '--concurrency=4', ...patterns];

// A test whose first line says that it depends on the version or the settings of PostgreSQL (on SQL, plans, locks or DDL) runs on
// the server of DATABASE_URL, if there is one; a fast one on both, since `npm test` has none.
const tests = readdirSync('test', { recursive: true })
  .map((name) => join('test', name))
  .filter((file) => file.endsWith('.test.ts'));
const isShort = process.env['SHORT'] === 'true';
const onServer = tests.filter((file) => begins(file, '// Depends on PostgreSQL: '));
// SHORT=true leaves out what takes minutes and seldom finds anything: it runs every night.
const others = tests.filter(
  (file) => file.endsWith('.slow.test.ts') && !onServer.includes(file) && !(isShort && begins(file, '// Runs every night: ')),
);
/** Milliseconds. AVA's own limit ends with the first test that asks for a longer one; interrupted, it names the tests that are pending. */
const longestSilence = 600_000;
const inputs = isShort ? 20_000 : 100_000;
const compiled = (files) => files.map((file) => `dist/${file.replaceAll('\\', '/').replace(/ts$/, 'js')}`);

const parts = {
  slow: { title: 'slow tests (random models, faults, crashes, processes)', command: ava(...compiled(others)), env: embedded },
  server: {
    title: `tests of SQL, plans, locks and DDL on ${server === undefined ? 'the embedded PostgreSQL' : 'the server of DATABASE_URL'}`,
    command: ava(...compiled(server === undefined ? onServer.filter((file) => file.endsWith('.slow.test.ts')) : onServer)),
  },
  clients: { title: 'clients of other authors', command: [npm, 'run', '--ignore-scripts', 'test:clients'] },
  browser: {
    title: 'UI5, the client, the documentation and the explorer in a browser',
    command: [npm, 'run', '--ignore-scripts', 'test:browser'],
    skipped: process.env.CI === undefined && findChromium() === undefined && 'there is no Chromium',
  },
  nodes: { title: 'the client in other versions of Node and TypeScript', command: [npm, 'run', '--ignore-scripts', 'test:nodes'] },
  fuzz: { title: `${inputs} malformed inputs`, command: [process.execPath, 'dist/test/fuzz/main.js', '--inputs', String(inputs), '--seed', '1', '--shared'] },
};

if (process.argv.includes('--list')) {
  console.log(`npm run test:all adds: ${Object.values(parts).map(({ title }) => title).join('; ')}.`);
} else {
  // Those that wait for downloads run beside the slow ones; a browser would get too little of the processors.
  const browser = await runInOrder([parts.browser], false);
  const lines = [runInOrder([parts.clients, parts.nodes, parts.fuzz], false), runInOrder([parts.slow, parts.server], true)];
  const results = [...browser, ...(await Promise.all(lines)).flat()];
  const failed = results.filter(({ status }) => status === 'failed');
  for (const { title, faults } of failed) console.log(`== ${title}: what failed\n${faults}`);
  for (const { title, status } of results) console.log(`${title}: ${status}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function begins(file, line) {
  return readFileSync(file, 'utf8').startsWith(line);
}

async function textOf(stream, shown, silence) {
  let text = '';
  for await (const part of stream.setEncoding('utf8')) {
    text += part;
    silence.refresh();
    if (shown) shown.write(part);
  }
  return text;
}

// AVA explains failures below a line; the last lines of other programs do. They are printed at the end, where the log of CI is read.
function faultsIn(said) {
  const lines = said.trimEnd().split('\n');
  const line = lines.findIndex((one) => one.trim() === '─');
  const isExplained = line >= 0 && line < lines.length - 1;
  return lines.slice(isExplained ? line : -60).slice(0, 200).join('\n');
}

async function runInOrder(each, isShown) {
  const results = [];
  for (const part of each) results.push(await run(part, isShown));
  return results;
}

async function run({ title, command: [program, ...args], env = process.env, skipped }, isShown) {
  if (skipped) return { title, status: `skipped, ${skipped}` };
  if (isShown) console.log(`== ${title}`);
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], shell: program === 'npm.cmd' });
  const silence = setTimeout(() => child.kill('SIGINT'), longestSilence);
  const written = Promise.all(['stdout', 'stderr'].map((name) => textOf(child[name], isShown && process[name], silence)));
  const [code] = await once(child, 'close');
  const [said, errors] = await written;
  clearTimeout(silence);
  if (!isShown) console.log(`== ${title}\n${said}${errors}`);
  return { title, status: code === 0 ? 'passed' : 'failed', faults: faultsIn(`${said}${errors}`) };
}
