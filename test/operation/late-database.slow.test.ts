import { spawn } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import test from 'ava';
import { errorMessage } from '../fault/dying-server.js';
import { patientSettings } from '../support/database.js';
import { secret, startService, type TestService } from '../support/service.js';
import { selfSigned } from './self-signed.js';
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

/** The words of PgBouncer for failures that waiting does not resolve, always with the state of a protocol violation. */
const pooled: readonly (readonly [title: string, message: string])[] = [
  ['a database that PgBouncer does not know', 'no such database: listings'],
  ['a database that PgBouncer before 1.20 does not know', 'bouncer config error'],
  ['a database that is not there, behind PgBouncer before 1.20', 'database "listings" does not exist'],
  ['a role that is not there, behind PgBouncer before 1.20', 'role "app" does not exist'],
  ['a wrong password for PgBouncer', 'SASL authentication failed'],
  ['a wrong password of PgBouncer before 1.20', 'password authentication failed for user "app"'],
];

for (const [title, message] of pooled) {
  test(`${title} is no reason to wait`, async (t) => {
    const { port, close } = await refuse(message);
    t.teardown(close);
    const { child, said } = start(['serve', '--port', '0'], atPort(port), { GABLE_START_TIMEOUT: '600000' });
    t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
    t.true(said.error.includes(`cannot be used: ${message}\n`), said.error);
    t.false(said.error.includes('waiting for it'));
  });
}

/** Messages of servers that demand TLS, to an address that does not ask for it. */
const demands = [
  { by: 'PostgreSQL', C: '28000', M: 'no pg_hba.conf entry for host "10.0.0.9", user "app", database "listings", no encryption' },
  { by: 'PostgreSQL before 14', C: '28000', M: 'no pg_hba.conf entry for host "10.0.0.9", user "app", database "listings", SSL off' },
  { by: 'PgBouncer', C: '08P01', M: 'SSL required' },
];

for (const { by, C, M } of demands) {
  test(`where ${by} demands TLS the address that asks for it is named`, async (t) => {
    const { port, close } = await refuse(M, C);
    t.teardown(close);
    const { child, said } = start(['serve', '--port', '0'], atPort(port), { GABLE_START_TIMEOUT: '600000' });
    t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
    const hint = '; if the server demands TLS, end its address with ?sslmode=require, or verify-full to verify its certificate\n';
    t.true(said.error.endsWith(`cannot be used: ${M}${hint}`), said.error);
    t.false(said.error.includes('waiting for it'));
  });
}

test('a server that asks for a password, to an address without one, is no reason to wait', async (t) => {
  const server = createServer((client) => {
    // AuthenticationSASL, and then the first message of SCRAM.
    client.once('data', () => {
      client.write(authentication(10, 'SCRAM-SHA-256\0\0'));
      client.once('data', () => client.write(authentication(11, 'r=x,s=eA==,i=1')));
    });
    client.on('error', () => client.destroy());
  });
  const port = await listen(server, 0);
  t.teardown(() => server.close());
  const url = Object.assign(new URL(atPort(port)), { password: '' });
  const { child, said } = start(['serve', '--port', '0'], url.href, { GABLE_START_TIMEOUT: '600000' });
  t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
  t.regex(said.error, /^gable: The database at .* cannot be used: the server asks for a password, and the address has none\n$/);
});

function authentication(kind: number, text: string): Buffer {
  const head = Buffer.alloc(9, 'R');
  head.writeUInt32BE(8 + text.length, 1);
  head.writeUInt32BE(kind, 5);
  return Buffer.concat([head, Buffer.from(text)]);
}

test('a certificate that is not accepted is no reason to wait', async (t) => {
  const server = createServer((client) => {
    // The answer to the request for TLS.
    client.once('data', () => {
      client.write('S');
      new TLSSocket(client, { isServer: true, ...selfSigned }).on('error', () => client.destroy());
    });
  });
  const port = await listen(server, 0);
  t.teardown(() => server.close());
  const { child, said } = start(['serve', '--port', '0'], `${atPort(port)}?sslmode=verify-full`, { GABLE_START_TIMEOUT: '600000' });
  t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
  t.regex(said.error, /^gable: The database at .* cannot be used: self-signed certificate\n$/);
});

for (const message of ['the database system is starting up', 'client_login_timeout (server down)']) {
  test(`"${message}" of PgBouncer is a reason to wait`, async (t) => {
    const { port, close } = await refuse(message);
    t.teardown(close);
    const { child, said } = start(['serve', '--port', '0'], atPort(port), { GABLE_START_TIMEOUT: '600000' });
    await until(async () => said.error.includes(`${message}; waiting for it for up to 600000 ms`));
    child.kill('SIGKILL');
    t.pass();
  });
}

test('gable serve waits for a server that does not answer yet, as PgBouncer in front of one that is down', async (t) => {
  const silent = createServer((client) => void client.on('error', () => client.destroy()));
  const port = await listen(silent, 0);
  t.teardown(() => silent.close());
  const { child, said } = start(['serve', '--port', '0'], atPort(port), { GABLE_START_TIMEOUT: '600000', GABLE_ACQUIRE_TIMEOUT: '2000' });
  await until(async () => said.error !== '');
  child.kill('SIGKILL');
  t.regex(said.error, /cannot be used: no connection was made or became free in time; waiting for it for up to 600000 ms/);
});

test('one that does not come up ends the command with its reason', async (t) => {
  const { port } = await free();
  const { child, said } = start(['serve', '--port', '0'], atPort(port), { GABLE_START_TIMEOUT: '4000' });
  t.is(await new Promise((resolve) => child.once('close', resolve)), 1);
  t.regex(said.error, /waiting for it for up to \d+ ms\.\ngable: The database at .* cannot be used: connect ECONNREFUSED/);
});

function start(args: readonly string[], databaseUrl: string, settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['dist/gable.js', ...args], {
    env: { PATH: process.env['PATH'], GABLE_SECRET: secret, DATABASE_URL: databaseUrl, ...patientSettings, ...settings },
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

// A server that answers every start-up message with this error.
async function refuse(message: string, state = '08P01'): Promise<{ readonly port: number; readonly close: () => void }> {
  const answer = errorMessage({ S: 'FATAL', V: 'FATAL', C: state, M: message });
  const server = createServer((client) => void client.on('error', () => client.destroy()).once('data', () => client.end(answer)));
  return { port: await listen(server, 0), close: () => server.close() };
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
