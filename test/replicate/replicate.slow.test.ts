// Depends on PostgreSQL: DDL, COPY.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
import { startFake } from './fake-service.js';
import { metadata, reported, runAll, things } from './run-copies.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

// A case is a file: the commands, the answers of the service, and after `===` what each command reports and copies. The
// answers have the forms of other servers. UPDATE=1 writes the results anew.
const folder = 'test/replicate/cases';

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

test.serial('a run that ends in its first page has not made the files of another program', async (t) => {
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  t.teardown(() => rmSync(to, { recursive: true }));
  // The state cannot be written, as after a kill or on a full disk.
  mkdirSync(join(to, 'replicated.json.new'));
  t.regex(await runAll(things, ['--sets Things'], to, () => []), /^ReplicationError: Things: EISDIR/m);
  rmSync(join(to, 'replicated.json.new'), { recursive: true });
  t.regex(await runAll(things, ['--sets Things --way all'], to, () => []), /^Things: 2 records/m);
  t.regex(readFileSync(join(to, 'Things.ndjson'), 'utf8'), /^(\{"ID":"\d".*\n){2}$/);
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

test.serial('a set whose name is too long for a table is named, and copied to a folder', async (t) => {
  const name = 'Part'.repeat(16).slice(0, 63);
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  const given = `### GET ${name}?$count=true\n{"value":[{"No":1,"Kind":"a","Text":"x"}]}\n`;
  const service = await startFake(given, metadata.replace('<EntitySet Name="Parts"', `<EntitySet Name="${name}"`));
  t.teardown(async () => {
    rmSync(to, { recursive: true });
    await service.stop();
  });
  const copied = (target: string): Promise<string> =>
    reported([service.root, '--to', target, '--sets', name, '--way', 'all'], new AbortController().signal);
  t.regex(
    await copied(database.url),
    /^ReplicationError: The target cannot be used: The name of Part.* has 63 bytes, too many for a table; /,
  );
  t.regex(await copied(to), /1 records in /);
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
