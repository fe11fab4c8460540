import { spawn } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import test from 'ava';
import { secret, startService, type TestService } from '../support/service.js';
import { until } from './until.js';

let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after.always(() => service?.stop());

for (const args of [
  ['serve', '--port', '0'],
  ['migrate', 'status'],
]) {
  test(`gable ${args[0]} waits for a database that comes up later`, async (t) => {
    const { port } = await free();
    const { child, said } = start(args, atPort(port), { GABLE_START_TIMEOUT: '60000' });
    await until(async () => /ECONNREFUSED.*; waiting for it for up to 60000 ms/.test(said.error));
    const way = await lead(port);
    t.teardown(() => way.close());
    await until(async () => /Gable serves|0001-initial/.test(said.output));
    t.is(said.error.match(/waiting for it/g)?.length, 1, 'it is told once');
    child.kill('SIGTERM');
  });
}

/** Failures that waiting does not resolve. */
const hopeless: readonly (readonly [title: string, change: (url: URL) => void])[] = [
  ['a database that is not there', (url) => void (url.pathname = '/gable_not_there')],
  ['a name that is none', (url) => void (url.username = 'gable_nobody')],
];

for (const [title, change] of hopeless) {
  test(`${title} is no reason to wait`, async (t) => {
    const url = new URL(service.databaseUrl);
    change(url);
    const { child, said } = start(['serve', '--port', '0'], url.href, { GABLE_START_TIMEOUT: '600000' });
    t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
    t.regex(said.error, /^gable: The database at .* cannot be used: /);
    t.false(said.error.includes('waiting for it'));
  });
}

test('one that does not come up ends the command with its reason', async (t) => {
  const { port } = await free();
  const { child, said } = start(['serve', '--port', '0'], atPort(port), { GABLE_START_TIMEOUT: '4000' });
  t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
  t.regex(said.error, /waiting for it for up to \d+ ms\.\ngable: The database at .* cannot be used: connect ECONNREFUSED/);
});

function start(args: readonly string[], databaseUrl: string, settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['dist/gable.js', ...args], {
    env: { PATH: process.env['PATH'], GABLE_SECRET: secret, DATABASE_URL: databaseUrl, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { output: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.error += chunk.toString()));
  return { child, said };
}

function atPort(port: number): string {
  const url = new URL(service.databaseUrl);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return url.href;
}

// A recently free port that nobody else uses.
async function free(): Promise<{ readonly port: number }> {
  const server = createServer();
  const port = await listen(server, 0);
  await new Promise((closed) => server.close(closed));
  return { port };
}

async function lead(port: number): Promise<Server> {
  const target = new URL(service.databaseUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.pipe(other).on('error', () => one.destroy());
  });
  await listen(server, port);
  return server;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
