// Depends on PostgreSQL: DDL.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { anyone } from '../../runtime/database/cancel.js';
import { readFigures } from '../../runtime/features/changes/keep-log.js';
import { keepEach, keepPartitions, type PartitionedTable } from '../../runtime/features/partitions/partitions.js';
import { connect } from '../../runtime/database/connect.js';
import { withClient } from '../../runtime/database/run.js';
import { withDeferredIndexes } from '../../runtime/extensions/listing/samples/seed-database.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import { migrationsOf, type Scene, withMigrations } from '../migrate/scene.js';
import { patient } from '../support/database.js';
import { until } from '../operation/until.js';
import { startToy, temporaryFolder } from '../toy/toy-service.js';

const divided = readFileSync('test/generator/cases/storage-layout/model.xml', 'utf8')
  .replace('<EntitySet Name="Traces" EntityType="self.Trace"/>', '<EntitySet Name="Traces" EntityType="self.Trace">LAYOUT</EntitySet>')
  .replaceAll('Int="1000000"', 'Int="100"')
  .replace(
    'LAYOUT',
    '<Annotation Term="Rules.StorageLayout"><Record><PropertyValue Property="PartitionRows" Int="100"/><PropertyValue Property="KeptDays" Int="30"/></Record></Annotation>',
  );
const whole = divided.replaceAll(/<Annotation Term="Rules.StorageLayout">.*?<\/Annotation>/g, '');
const traces: PartitionedTable = { table: 'Trace', rows: 100, keptDays: 30, stamp: 'At', isLog: false };
const log: PartitionedTable = { table: '#changes', rows: 100, isLog: true };

const fresh = (): ReturnType<typeof migrationsOf> => migrationsOf(divided, new Map(), noDecisions);

/** Creates rows that were written so many days ago. */
function addTraces({ run }: Scene, count: number, days: number): Promise<unknown> {
  return run(
    `with n as (select nextval(pg_get_serial_sequence('"Trace"', '#id')) id from generate_series(1, ${count}))
     insert into "Trace" ("#id", "No", "At") select id, id, now() - make_interval(days => ${days}) from n`,
  );
}

async function partitionsOf({ run }: Scene, table: string): Promise<readonly string[]> {
  const counted = await run(
    `select tableoid::regclass::text, count(*), min("#id"), max("#id") from "${table}" group by tableoid order by min("#id")`,
  );
  return counted.map((row) => row.join(' '));
}

test('an existing table becomes the first partition, without new numbers, and stays as the model has it', (t) =>
  withMigrations(migrationsOf(whole, new Map(), noDecisions), async (scene) => {
    const { write, apply, drift, run } = scene;
    await apply();
    await addTraces(scene, 250, 1);
    await run(`select nextval(pg_get_serial_sequence('"Trace"', '#id'))`);
    await run(`insert into "#changes" ("#set", "#key", "#operation") select 'Orders', n::text, 'c' from generate_series(1, 120) n`);
    write(migrationsOf(divided, migrationsOf(whole, new Map(), noDecisions), noDecisions));
    await apply();
    t.deepEqual(await drift(), []);
    // A number that was drawn before is not drawn again.
    await addTraces(scene, 1, 0);
    t.deepEqual(await partitionsOf(scene, 'Trace'), ['"Trace#first" 251 1 252']);
    t.deepEqual(await partitionsOf(scene, '#changes'), ['"#changes#first" 120 1 120']);
    // It has room for the numbers that were drawn while its rows were read.
    await run(`select setval(pg_get_serial_sequence('"Trace"', '#id'), 100298)`);
    await keepPartitions(createPooledStore(scene.pool), traces);
    await addTraces(scene, 2, 0);
    t.deepEqual(await partitionsOf(scene, 'Trace'), ['"Trace#first" 252 1 100299', '"Trace#100400" 1 100300 100300']);
  }));

test('rows that were deleted do not bring down the bound below numbers that are yet to be drawn', (t) =>
  withMigrations(migrationsOf(whole, new Map(), noDecisions), async (scene) => {
    const { write, apply, run } = scene;
    await apply();
    await addTraces(scene, 1, 1);
    await run(`select setval(pg_get_serial_sequence('"Trace"', '#id'), 300050)`);
    write(migrationsOf(divided, migrationsOf(whole, new Map(), noDecisions), noDecisions));
    // The migration stops between the bound and the first partition; the service goes on.
    await run('create table "Trace#rest" ()');
    await t.throwsAsync(apply(), { message: /relation "Trace#rest" already exists/ });
    await addTraces(scene, 1, 0);
    await run('drop table "Trace#rest"');
    await apply();
    await addTraces(scene, 1, 0);
    t.deepEqual(await partitionsOf(scene, 'Trace'), ['"Trace#first" 3 1 300052']);
  }));

const indexed = (...names: readonly string[]): string =>
  `<Annotation Term="Rules.Indexes"><Collection>${names
    .map(
      (name) =>
        `<Record><PropertyValue Property="Properties"><Collection><PropertyPath>${name}</PropertyPath></Collection></PropertyValue></Record>`,
    )
    .join('')}</Collection></Annotation>`;
const withTraces = (model: string, indexes: readonly string[], text: string): string =>
  model
    .replace('EntityType="self.Trace">', `EntityType="self.Trace">${indexed(...indexes)}`)
    .replace('EntityType="self.Trace"/>', `EntityType="self.Trace">${indexed(...indexes)}</EntitySet>`)
    .replace('<Property Name="Text" Type="Edm.String"/>', text);
const optional = '<Property Name="Text" Type="Edm.String"/>';

// Changes of the model of traces, whose rows are in partitions before the change, or from then on.
const followed: readonly (readonly [what: string, indexes: readonly string[], text: string])[] = [
  ['an index is added', ['Text', 'At'], optional],
  ['an index is dropped', [], optional],
  ['an index is another one', ['Text'], '<Property Name="Text" Type="Edm.String" Nullable="false" DefaultValue="-"/>'],
  ['its property is of another type', ['Text'], '<Property Name="Text" Type="Collection(Edm.String)"/>'],
  ['its property is dropped', [], ''],
];
for (const [what, indexes, text] of followed)
  for (const [former, when] of [
    [divided, 'a table with partitions'],
    [whole, 'a table that gets partitions'],
  ] as const)
    test(`${when} follows the model: ${what}`, (t) => {
      const before = migrationsOf(withTraces(former, ['Text'], optional), new Map(), noDecisions);
      return withMigrations(before, async (scene) => {
        await scene.apply();
        await addTraces(scene, 250, 1);
        scene.write(
          migrationsOf(withTraces(divided, indexes, text), before, { ...noDecisions, dropped: new Set(text === '' ? ['Trace/Text'] : []) }),
        );
        await scene.apply();
        t.deepEqual(await scene.drift(), []);
        await keepPartitions(createPooledStore(scene.pool), traces);
        t.deepEqual(await scene.run('select count(*) from "Trace"'), [['250']]);
      });
    });

test('partitions are made ahead, and the default one becomes that of rows that came too early', (t) =>
  withMigrations(fresh(), async (scene) => {
    await scene.apply();
    const store = createPooledStore(scene.pool);
    await addTraces(scene, 250, 1);
    t.deepEqual(await partitionsOf(scene, 'Trace'), ['"Trace#100" 99 1 99', '"Trace#rest" 151 100 250']);
    t.deepEqual(await keepPartitions(store, traces), { made: ['Trace#300', 'Trace#400', 'Trace#500'], dropped: [] });
    t.deepEqual(await partitionsOf(scene, 'Trace'), ['"Trace#100" 99 1 99', '"Trace#300" 151 100 250']);
    t.deepEqual(await keepPartitions(store, traces), { made: [], dropped: [] });
    t.deepEqual(await scene.drift(), []);
  }));

test('statements that wait while the default partition becomes another find its rows', (t) =>
  withMigrations(fresh(), async (scene) => {
    const { apply, pool, run } = scene;
    await apply();
    await addTraces(scene, 250, 1);
    const waiting = `select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;
    const untilWaiting = (count: number): Promise<void> => until(async () => Number((await run(waiting))[0]?.[0]) === count);
    const held = await withClient(pool, async (client) => {
      await client.query({ text: 'begin; lock table "Trace#rest" in access share mode' });
      const kept = keepPartitions(createPooledStore(pool), traces);
      await untilWaiting(1);
      const read = run('select count(*) from "Trace"');
      const written = run(`update "Trace" set "Text" = 'new' where "#id" = 150 returning "#id"`);
      await untilWaiting(3);
      await client.query({ text: 'commit' });
      return Promise.all([read, written, kept]);
    });
    t.deepEqual(held.slice(0, 2), [[['250']], [['150']]]);
  }));

test('a table that is held does not keep the others from their partitions', (t) =>
  withMigrations(fresh(), async (scene) => {
    const { apply, pool, url } = scene;
    await apply();
    const hurried = connect(url, { ...patient, lockTimeout: 100 });
    t.teardown(() => hurried.close());
    const lines: string[] = [];
    await withClient(pool, async (client) => {
      await client.query({ text: 'begin; lock table "Trace" in access share mode; lock table "Trace#rest" in access share mode' });
      await keepEach(createPooledStore(hurried), [traces, log], (level, data, message) =>
        lines.push(`${level} ${nameIn(data)}: ${message}`),
      );
      await client.query({ text: 'commit' });
    });
    t.deepEqual(lines, [
      'warn Trace: partitions could not be kept; the next round tries again',
      'info #changes: partitions were made or dropped',
    ]);
  }));

function nameIn(data: object): string {
  return (data as { readonly table: string }).table;
}

test('a partition goes when its last row is old enough, but not the one that is written to', (t) =>
  withMigrations(fresh(), async (scene) => {
    await scene.apply();
    const store = createPooledStore(scene.pool);
    await keepPartitions(store, traces);
    await addTraces(scene, 99, 40);
    await addTraces(scene, 60, 40);
    await addTraces(scene, 40, 20);
    await addTraces(scene, 10, 40);
    t.deepEqual((await keepPartitions(store, traces)).dropped, ['Trace#100']);
    t.deepEqual(await partitionsOf(scene, 'Trace'), ['"Trace#200" 100 100 199', '"Trace#300" 10 200 209']);
  }));

test('the log keeps the last changes of living records, whatever its floor', (t) =>
  withMigrations(fresh(), async (scene) => {
    const { apply, run } = scene;
    await apply();
    const store = createPooledStore(scene.pool);
    await keepPartitions(store, log);
    // 25 records change four times each; the last change of every fifth is its deletion.
    const change = (times: number, keys: number): Promise<unknown> =>
      run(`insert into "#changes" ("#set", "#key", "#operation")
        select 'Orders', n::text as key, case when t = ${times} and n % 5 = 0 then 'd' else 'u' end from generate_series(1, ${times}) t, generate_series(1, ${keys}) n order by t, n`);
    await change(4, 25);
    await run('update "#change_state" set "#floor" = 99');
    t.deepEqual((await keepPartitions(store, log)).dropped, ['#changes#100']);
    // The last change, number 100, is in the next partition.
    t.deepEqual(await partitionsOf(scene, '#changes'), ['"#changes#100#kept" 20 76 99', '"#changes#200" 1 100 100']);
    t.deepEqual((await keepPartitions(store, log)).dropped, []);
    await change(10, 10);
    await run('update "#change_state" set "#floor" = 250');
    t.deepEqual((await keepPartitions(store, log)).dropped, ['#changes#100#kept', '#changes#200']);
    t.deepEqual(await partitionsOf(scene, '#changes'), ['"#changes#200#kept" 20 86 199', '"#changes#300" 1 200 200']);
    await run('analyze');
    const { rows, bytes } = await store.read(readFigures, anyone);
    t.is(rows, 21);
    t.true(bytes > 0);
  }));

test('records of a partitioned table are created, changed and deleted, one by one and in a change set', async (t) => {
  const model = join(temporaryFolder(), 'divided.xml');
  writeFileSync(model, divided);
  const service = await startToy(model);
  t.teardown(() => service.stop());
  const send = async (method: string, path: string, body?: object): Promise<readonly [number, unknown]> => {
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json' };
    const response = await fetch(`${service.root}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return [response.status, response.status === 204 ? undefined : await response.json()];
  };
  const [created, { No: no }] = (await send('POST', 'Traces', { Text: 'first' })) as [number, { readonly No: number }];
  t.deepEqual([created, no], [201, 1]);
  t.like((await send('PATCH', 'Traces(1)', { Text: 'second' }))[1], { Text: 'second' });
  t.like((await send('PATCH', 'Traces(1)', { Text: 'third' }))[1], { Text: 'third' });
  const requests = ['a', 'b'].map((id) => ({ id, atomicityGroup: 'g', method: 'post', url: 'Traces', body: { Text: id } }));
  const [, { responses }] = (await send('POST', '$batch', { requests })) as [number, { readonly responses: readonly { status: number }[] }];
  t.deepEqual(
    responses.map(({ status }) => status),
    [201, 201],
  );
  t.is((await send('DELETE', 'Traces(1)'))[0], 204);
  const [, { value }] = (await send('GET', 'Traces?$orderby=No')) as [number, { readonly value: readonly { Text: string }[] }];
  t.deepEqual(
    value.map(({ Text: text }) => text),
    ['a', 'b'],
  );
});

test('a seed builds the indexes of partitions again', (t) =>
  withMigrations(fresh(), async ({ apply, drift, run, pool }) => {
    await apply();
    await keepPartitions(createPooledStore(pool), log);
    const indexes = `select tablename, regexp_replace(indexdef, '^.* USING ', '') from pg_indexes where tablename like '#changes%' order by 1, 2`;
    const before = await run(indexes);
    await withClient(pool, (client) => withDeferredIndexes(client, ['"#changes"', '"Trace"'], () => Promise.resolve()));
    t.deepEqual(await run(indexes), before);
    t.deepEqual(await drift(), []);
  }));
