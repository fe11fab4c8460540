import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import test from 'ava';
import { secret, startService } from '../support/service.js';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');

// These set up what the others need, and are what `.ci/run` itself begins with.
const setUp = ['npm ci && npm start\n', 'npm ci && npm test\n'];

test('the two commands that do all the set-up come first', (t) => {
  t.deepEqual(blocks.slice(0, 2), setUp);
});

test('every other command of the README works as it is written', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const script = blocks.slice(2).join('\n').replaceAll('http://localhost:4004', new URL(service.root).origin);
  // Node's pipes are sockets, and a bash that nobody's shell started takes those for a remote login and reads its settings.
  const bash = ['--norc', '-euo', 'pipefail', '-c', script];
  const { stdout, stderr } = await run('bash', bash, { env: { ...process.env, GABLE_SECRET: secret } });
  t.is(stderr, '');
  t.false(stdout.includes('"error"'), stdout);
  const states = [...stdout.matchAll(/"StandardStatus":"(\w+)"/g)].map(([, state]) => state);
  t.deepEqual(states, ['Active', 'Sold']);
});

test('every command that the README lists is there', (t) => {
  const scripts = Object.keys((JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts);
  const named = [...readme.matchAll(/`npm (?:run )?([a-z:]+)/g)]
    .map(([, name]) => name ?? '')
    .filter((name) => !['ci', 'pack', 'install'].includes(name));
  t.deepEqual(
    named.filter((name) => !scripts.includes(name)),
    [],
  );
});
