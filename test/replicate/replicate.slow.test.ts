// Depends on PostgreSQL: DDL, COPY.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { copyService } from '../../replicate/cli.js';
import { readOptions } from '../../replicate/options.js';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { quote } from '../../runtime/schema/identifier.js';
import { hasPgBouncer, preparedStatements, startPgBouncer } from '../database/pgbouncer.js';
import { until } from '../operation/until.js';
import { patient, testDatabase, type TestDatabase } from '../support/database.js';
import { startFake, withAddresses } from './fake-service.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

// A case is a file: the commands, the answers of the service, and after `===` what each command reports and copies. The
// answers have the forms of other servers. UPDATE=1 writes the results anew.
const folder = 'test/replicate/cases';
const metadata = readFileSync('test/replicate/shop.xml', 'utf8');

let database: TestDatabase;
test.before(async () => {
  database = await testDatabase();
});
test.after.always(() => database.drop());

for (const file of readdirSync(folder)) test.serial(`files: ${basename(file, '.txt')}`, (t) => checkFiles(t, join(folder, file)));
for (const file of readdirSync(folder)) test.serial(`database: ${basename(file, '.txt')}`, (t) => checkDatabase(t, join(folder, file)));

test.serial('tables and files that are no copies are left alone', async (t) => {
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  t.teardown(async () => {
    rmSync(to, { recursive: true });
    await pool.close();
  });
  await sequelizeOf(pool).query('drop table if exists "Things"; create table "Things" ("ID" text)');
  writeFileSync(join(to, 'Things.ndjson'), 'notes');
  const table = await runAll('', ['--sets Things'], database.url, () => []);
  t.regex(table, /^ReplicationError: The target cannot be used: The database has a table Things that is no copy; /m);
  const file = await runAll('', ['--sets Things'], to, () => []);
  t.regex(file, /^ReplicationError: The target cannot be used: .*Things\.ndjson is no copy; /m);
  t.is(readFileSync(join(to, 'Things.ndjson'), 'utf8'), 'notes');
});

const things = '### GET Things?$count=true\n{"@odata.count":2,"value":[{"ID":"1"},{"ID":"2"}]}\n';

for (const [damage, left] of [
  ['was cut', '{"ID":"1'],
  ['was moved away', undefined],
] as const)
  test.serial(`the records of a file that ${damage} are read again`, async (t) => {
    const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
    t.teardown(() => rmSync(to, { recursive: true }));
    const file = join(to, 'Things.ndjson');
    await runAll(things, ['--sets Things --way all'], to, () => []);
    const whole = readFileSync(file, 'utf8');
    t.regex(whole, /^(\{"ID":"\d".*\n){2}$/);
    if (left === undefined) rmSync(file);
    else writeFileSync(file, left);
    await runAll(things, ['--sets Things --way all'], to, () => []);
    t.is(readFileSync(file, 'utf8'), whole);
  });

// Linux has a device that is a full disk.
if (existsSync('/dev/full'))
  test.serial('a disk that is full when files are settled ends the run, and the next one goes on', async (t) => {
    const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
    t.teardown(() => rmSync(to, { recursive: true }));
    symlinkSync('/dev/full', join(to, 'Things.csv.new'));
    const all = '--sets Things --way all';
    const said = await runAll(things, [all, all], to, () => readdirSync(to).sort());
    t.regex(said, /^ReplicationError: Things: ENOSPC: .*\n.*\nThings\.ndjson\nreplicated\.json\n\$/m);
    t.is(readFileSync(join(to, 'Things.csv'), 'utf8').split('\r\n').length, 4);
  });

test.serial('a file of states that is damaged is named', async (t) => {
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  t.teardown(() => rmSync(to, { recursive: true }));
  writeFileSync(join(to, 'replicated.json'), '{bad');
  const said = await runAll(things, ['--sets Things'], to, () => []);
  t.regex(said, /^ReplicationError: The target cannot be used: .*replicated\.json is damaged, .* copy into another folder\.$/m);
});

// oxfmt-ignore
const outgrown: readonly (readonly [change: string, now: string, former: string, message: RegExp])[] = [
  ['another type', '<Property Name="Text" Type="Edm.String"/>', '<Property Name="Text" Type="Edm.Int32"/>', /: The column Text of the table Parts has the type integer, but its property needs text; drop the table, so that Parts is copied again, or name another database\.$/],
  ['another key', '<Key><PropertyRef Name="No"/><PropertyRef Name="Kind"/></Key>', '<Key><PropertyRef Name="No"/></Key>', /: The table Parts has the key No, but the set has Kind, No; drop the table, /],
];

for (const [change, now, former, message] of outgrown)
  test.serial(`a table of a former model is named, and copied again once it is dropped: ${change}`, async (t) => {
    const fresh = await testDatabase();
    const pool = connect(fresh.url, { ...patient, poolSize: 1 });
    const model = `### GET $metadata\n200 Content-Type: application/xml\n${metadata}\n`;
    const first = '### GET Parts?$count=true\n{"value":[{"No":1,"Kind":"a","Text":1}],"@odata.deltaLink":"Parts?$deltatoken=1"}\n';
    const service = await startFake(`${model}${first}${first.replace('"Text":1', '"Text":"one"')}`, metadata.replace(now, former));
    t.teardown(async () => {
      await pool.close();
      await service.stop();
      await fresh.drop();
    });
    const copy = (): Promise<string> => reported([service.root, '--to', fresh.url, '--sets', 'Parts'], new AbortController().signal);
    t.regex(await copy(), /^Parts: 1 records/);
    t.regex(await copy(), message);
    await sequelizeOf(pool).query('drop table "Parts"');
    t.regex(await copy(), /^Parts: 1 records/);
    t.deepEqual((await sequelizeOf(pool).query('select "Kind", "Text" from "Parts"'))[0], [{ Kind: 'a', Text: 'one' }]);
  });

const reading = (at: string, clock: string): string =>
  `{"No":1,"At":"2026-01-01T00:00:00${at}Z","Clock":"17:30:00${clock}","Lasts":"PT1H","ModificationTimestamp":null}`;

// oxfmt-ignore
const shorter: readonly (readonly [part: string, value: string, ...records: readonly string[]])[] = [
  ['At', '2026-01-01T00:00:00.1234561Z', reading('.123456', ''), reading('.1234561', '')],
  ['Clock', '17:30:00.0000004', reading('', ''), reading('', '.0000004')],
  ['Lasts', 'PT0.1234567S', reading('', ''), reading('', '').replace('PT1H', 'PT0.1234567S')],
];

for (const [part, value, ...records] of shorter)
  test.serial(`keys that differ by less than a microsecond are kept apart or refused: ${part}`, async (t) => {
    const [fresh, to] = [await testDatabase(), mkdtempSync(join(tmpdir(), 'gable-replicate-'))];
    const pool = connect(fresh.url, { ...patient, poolSize: 1 });
    t.teardown(async () => {
      rmSync(to, { recursive: true });
      await pool.close();
      await fresh.drop();
    });
    const given = `### GET Readings?$count=true\n{"value":[${records.join()}]}\n`;
    await runAll(given, ['--sets Readings --way all'], to, () => []);
    t.is(readFileSync(join(to, 'Readings.ndjson'), 'utf8'), `${records.join('\n')}\n`);
    const said = await runAll(given, ['--sets Readings --way all'], fresh.url, () => []);
    t.true(
      said.includes(`ReplicationError: Readings: the key ${part} of a record is ${value}, and PostgreSQL keeps no digits after `),
      said,
    );
    t.deepEqual((await sequelizeOf(pool).query('select 1 from "Readings"'))[0], [], 'nothing of the page is written');
  });

test.serial('the removal of a key that a database cannot hold removes no other record', async (t) => {
  const fresh = await testDatabase();
  const pool = connect(fresh.url, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await fresh.drop();
  });
  const removed = reading('.1234561', '').replace('{', '{"@removed":{"reason":"deleted"},');
  const given =
    `### GET Readings?$count=true\n{"value":[${reading('.123456', '')}],"@odata.deltaLink":"Readings?$deltatoken=1"}\n` +
    `### GET Readings?$deltatoken=1\n{"value":[${removed}],"@odata.deltaLink":"Readings?$deltatoken=2"}\n`;
  const said = await runAll(given, ['--sets Readings', '--sets Readings'], fresh.url, () => []);
  t.true(said.includes('200 GET Readings?$deltatoken=1'), said);
  t.is((await sequelizeOf(pool).query('select 1 from "Readings"'))[0].length, 1);
});

test.serial('a run that a signal ends before its copy is complete is no success', async (t) => {
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  const service = await startFake(things, metadata);
  t.teardown(async () => {
    rmSync(to, { recursive: true });
    await service.stop();
  });
  const lines: string[] = [];
  const report = { read: () => undefined, line: (text: string) => lines.push(text) };
  const options = readOptions([service.root, '--to', to, '--sets', 'Things,Things', '--way', 'all']);
  const aborted = new AbortController();
  aborted.abort();
  t.is(await copyService(options, report, aborted.signal), 1);
  t.is(await copyService({ ...options, isFollowing: true }, report, aborted.signal), 0);
  t.is(await copyService(options, report, new AbortController().signal), 0);
  t.is(lines[0], 'The copy is not complete; run the command again.');
  t.regex(lines[1] ?? '', /^Things: 2 records in /);
  t.is(lines.length, 2, 'a set that is named twice is copied once');
  const late = new AbortController();
  t.is(await copyService(options, { ...report, line: () => late.abort() }, late.signal), 0, 'a signal after the copy');
  t.true(late.signal.aborted);
});

for (const [wait, given, option] of [
  ['an interval', things, '--interval 2592000'],
  ['a Retry-After', '### GET Things?$count=true\n503 Retry-After: 2592000\n', '--interval 1'],
] as const)
  test.serial(`${wait} of a month is waited for`, async (t) => {
    const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
    const service = await startFake(given, metadata);
    t.teardown(async () => {
      rmSync(to, { recursive: true });
      await service.stop();
    });
    const options = `--sets Things --way all --follow ${option}`.split(' ');
    await reported([service.root, '--to', to, ...options], AbortSignal.timeout(2_500));
    t.is(service.requests.length, 1);
  });

test.serial('an address of a target that is not encoded is refused', async (t) => {
  const said = await runAll('', ['--sets Things'], 'postgres://user:pa#ss@127.0.0.1/copy', () => []);
  t.regex(said, /^UsageError: --to must have the form postgres:.* special characters percent-encoded /m);
});

test.serial('a database that cannot be reached is an error in a sentence', async (t) => {
  const nowhere = await runAll('', ['--sets Things'], 'postgres://nobody@127.0.0.1:1/nowhere', () => []);
  t.regex(nowhere, /^ReplicationError: The target cannot be used: .*ECONNREFUSED/m);
});

const products = '### GET Products?$count=true\n{"value":[{"ID":"1"}]}\n';
const perTransaction = ['pool_mode = transaction', preparedStatements(200) ?? []].flat();

for (const isPooled of [false, ...(hasPgBouncer ? [true] : [])])
  test.serial(`one process copies a set to a database${isPooled ? ' behind a pooler in transaction mode' : ''}`, async (t) => {
    const [fresh, service] = [
      await testDatabase(),
      await startFake(products + products.replace('Products', 'Parts').replace('"ID":"1"', '"No":1,"Kind":"a"'), metadata),
    ];
    const pooler = isPooled ? await startPgBouncer(fresh.url, perTransaction) : undefined;
    const direct = connect(fresh.url, { ...patient, poolSize: 1 });
    const stop = new AbortController();
    t.teardown(async () => {
      stop.abort();
      await direct.close();
      await pooler?.stop();
      await service.stop();
      await fresh.drop();
    });
    const copy = (set: string, signal: AbortSignal, ...more: readonly string[]): Promise<string> =>
      reported([service.root, '--to', pooler?.url ?? fresh.url, '--sets', set, '--way', 'all', ...more], signal);
    const never = new AbortController().signal;
    const first = copy('Parts', stop.signal, '--follow');
    await until(() => Promise.resolve(service.requests.length > 0));
    t.regex(await copy('Products,Parts', never), /: The target cannot be used: Another process copies Parts to this database; stop it, /);
    t.regex(await copy('Products', never), /^Products: 1 records/);
    const locks = `from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
    await sequelizeOf(direct).query(`select pg_terminate_backend(pid) ${locks}`);
    t.is(await copy('Parts', never), 'Parts: 1 changed, 0 removed', 'a lost connection holds nothing');
    stop.abort();
    t.regex(await first, /^Parts: 1 records/);
    t.deepEqual((await sequelizeOf(direct).query(`select 1 ${locks}`))[0], []);
  });

test.serial('a copy of another service is left alone', async (t) => {
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  const fresh = await testDatabase();
  t.teardown(async () => {
    rmSync(to, { recursive: true });
    await fresh.drop();
  });
  const given = '### GET Things?$count=true\n{"value":[]}\n';
  for (const target of [to, fresh.url]) {
    await runAll(given, ['--sets Things --way all'], target, () => []);
    const other = await runAll(given, ['--sets Things --way all'], target, () => []);
    t.regex(other, /^ReplicationError: The target cannot be used: The target has a copy of Things of http:.*; name another target\.$/m);
  }
});

// oxfmt-ignore
const mistakes: readonly (readonly [mistake: string, status: number, message: RegExp])[] = [
  ['a wrong token', 401, /\$metadata answers 401: the service needs a valid token, in GABLE_TOKEN\.$/],
  ['another address', 404, /\$metadata answers 404: name the service root, such as /],
];

for (const [mistake, status, message] of mistakes)
  test.serial(`a service that gives no document says why: ${mistake}`, async (t) => {
    const server = createServer((_, response) => response.writeHead(status).end('{"error":"invalid_client"}')).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/odata`;
    await t.throwsAsync(copied(root), { name: 'UsageError', message });
    process.env['GABLE_CLIENT_SECRET'] = 'x';
    t.teardown(() => void delete process.env['GABLE_CLIENT_SECRET']);
    const credentials = ['--token-url', `${root}/token`, '--client-id', 'x'];
    await t.throwsAsync(copied(root, credentials), { name: 'UsageError', message: /^--token-url gives no token: .*invalid_client/ });
  });

test.serial('a service that cannot be reached is an error in a sentence', async (t) => {
  await t.throwsAsync(copied('http://127.0.0.1:1/odata'), { name: 'UsageError', message: /\$metadata cannot be reached: (?!Error).*\.$/ });
});

test.serial('a service that is addressed by the wrong scheme is named by the other', async (t) => {
  const [key, cert] = ['key', 'certificate'].map((part) => readFileSync(`test/webhooks/consumer-${part}.pem`));
  for (const [wrong, right, server] of [
    ['https', 'http', createServer()],
    ['http', 'https', createTlsServer({ key, cert })],
  ] as const) {
    server.listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const address = `://127.0.0.1:${(server.address() as AddressInfo).port}/odata`;
    await t.throwsAsync(copied(`${wrong}${address}`), {
      name: 'UsageError',
      message: new RegExp(`cannot be reached: .* speaks? https[;,] write ${right}${address}/\\$metadata\\.$`),
    });
  }
});

function copied(root: string, options: readonly string[] = []): Promise<number> {
  const report = { read: () => undefined, line: () => undefined };
  return copyService(readOptions([root, '--to', 'nowhere', ...options]), report, new AbortController().signal);
}

interface Case {
  readonly given: string;
  readonly commands: readonly string[];
  readonly expected: string;
}

function readCase(path: string): Case {
  const [given = '', expected = ''] = readFileSync(path, 'utf8').split(/^=== results\n/m);
  return { given, expected, commands: given.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : [])) };
}

async function checkFiles(t: ExecutionContext, path: string): Promise<void> {
  const { given, commands, expected } = readCase(path);
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  t.teardown(() => rmSync(to, { recursive: true }));
  const results = await runAll(given, commands, to, () =>
    readdirSync(to)
      .filter((name) => /\.(ndjson|csv)$/.test(name))
      .map((name) => `${name}:\n${readFileSync(join(to, name), 'utf8').replaceAll('\r', '')}`),
  );
  if (process.env['UPDATE'] === '1') writeFileSync(path, `${given}=== results\n${results}`);
  else t.is(results, expected);
  t.pass();
}

const summary = /^\w+: \d+ changed, \d+ removed$/gm;

// The database has the records of the files, and the same are reported.
async function checkDatabase(t: ExecutionContext, path: string): Promise<void> {
  const { given, commands, expected } = readCase(path);
  const pool = connect(database.url, { ...patient, poolSize: 1 });
  t.teardown(() => pool.close());
  const read = (text: string): Promise<readonly (readonly (string | null)[])[]> =>
    withConnection(pool, (connection) => connection.run({ text, bind: [] }) as Promise<readonly (readonly (string | null)[])[]>);
  const [tables = []] = [await read(`select table_name from information_schema.tables where table_schema = 'public'`)];
  for (const [table] of tables) await read(`drop table ${quote(String(table))}`);
  const said = await runAll(given, commands, database.url, () => []);
  t.deepEqual(said.match(summary), expected.match(summary));
  for (const [, set = '', lines = ''] of expected.slice(expected.lastIndexOf('$ ')).matchAll(/^(\w+)\.ndjson:\n((?:\{.*\n)*)/gm)) {
    const rows = await read(`select to_jsonb(copy) - '#round' from ${quote(set)} copy`);
    t.deepEqual(
      sorted(rows.map(([row]) => String(row))),
      sorted(
        lines
          .trim()
          .split('\n')
          .filter((line) => !line.startsWith('{"@removed"') && line !== ''),
      ),
    );
  }
}

function sorted(lines: readonly string[]): readonly string[] {
  return lines
    .map((line) => JSON.parse(line, plain) as Readonly<Record<string, unknown>>)
    .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))))
    .sort();
}

// One form for values that the two print differently.
function plain(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value).toISOString();
  return /^-?\d+\.?\d*$/.test(value) ? Number(value) : value.replace(/^[\dA-F-]{36}$/i, (guid) => guid.toLowerCase());
}

// The lines of one run, or its error.
async function reported(args: readonly string[], signal: AbortSignal): Promise<string> {
  const lines: string[] = [];
  const report = { read: () => undefined, line: (text: string) => lines.push(text) };
  try {
    await copyService(readOptions(args), report, signal);
  } catch (error) {
    lines.push(`${(error as Error).name}: ${(error as Error).message}`);
  }
  return lines.join('\n');
}

async function runAll(given: string, commands: readonly string[], to: string, copied: () => readonly string[]): Promise<string> {
  const service = await startFake(given, metadata);
  const results: string[] = [];
  for (const command of commands) {
    const args = [
      service.root,
      '--to',
      to,
      ...(withAddresses(command, service.root).match(/"[^"]*"|\S+/g) ?? []).map((each) => each.replaceAll('"', '')),
    ];
    const said = await reported(args, new AbortController().signal);
    results.push(`$ ${command}`, ...(said === '' ? [] : [said]), ...service.requests.splice(0).map((each) => `  ${each}`), ...copied());
  }
  await service.stop();
  return `${results.join('\n')}\n`.replaceAll(service.root, 'ROOT/').replace(/ in [\d.]+ s, \d+ a second/g, '');
}

test('an address without a scheme is no service', (t) => {
  for (const root of ['localhost:4004/odata', 'ftp://localhost/odata'])
    t.throws(() => readOptions([root, '--to', 'copy']), {
      name: 'UsageError',
      message: `The address of a service begins with https:// or http://, and not '${root}'.`,
    });
});

test('a list without a name is no list of sets', (t) => {
  for (const sets of ['', ',', 'A,', ' '])
    t.throws(() => readOptions(['http://localhost/odata', '--to', 'copy', '--sets', sets]), {
      name: 'UsageError',
      message: `--sets is a list of names such as A,B, and not '${sets}'; omit it for all.`,
    });
});

test('a target with another scheme is no folder', (t) => {
  for (const to of ['postgre://localhost/copy', 'mysql://localhost/copy', 'https://other.example/odata'])
    t.throws(() => readOptions(['http://localhost/odata', '--to', to]), {
      name: 'UsageError',
      message: `Name the target: --to postgres://USER@HOST/DATABASE or --to FOLDER, and not '${to}'`,
    });
  for (const to of ['postgresql://localhost/copy', 'copy', './copy', 'C:\\copy'])
    t.is(readOptions(['http://localhost/odata', '--to', to]).to, to);
});
