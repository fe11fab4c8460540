import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { noDecisions } from '../../generator/migrate/step.js';
import { withConnection } from '../../runtime/database/run.js';
import { keepPartitions, type PartitionedTable, partitionedTables } from '../../runtime/features/partitions/partitions.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import { migrationsOf, withMigrations } from '../migrate/scene.js';
import { startToy, temporaryFolder } from '../toy/toy-service.js';

const log: PartitionedTable = { table: '#changes', rows: 1000, isLog: true };
const tracked =
  '<Annotation Term="Capabilities.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation>';
const layout =
  '<Annotation Term="Rules.StorageLayout"><Record><PropertyValue Property="PartitionRows" Int="100"/><PropertyValue Property="KeptDays" Int="30"/></Record></Annotation>';
const model = readFileSync('test/generator/cases/storage-layout/model.xml', 'utf8')
  .replace('Int="1000000"', 'Int="1000"')
  .replace(
    '<EntitySet Name="Traces" EntityType="self.Trace"/>',
    `<EntitySet Name="Traces" EntityType="self.Trace">${tracked}${layout}</EntitySet>`,
  );

test('followers of a tracked set learn of the records that go with a partition', async (t) => {
  const path = join(temporaryFolder(), 'kept.xml');
  writeFileSync(path, model);
  const service = await startToy(path);
  t.teardown(() => service.stop());
  const keep = async (): Promise<readonly string[]> => {
    const store = createPooledStore(service.pool);
    const kept = [];
    for (const table of partitionedTables(service.container)) kept.push(...(await keepPartitions(store, table)).dropped);
    return kept;
  };
  await keep();
  const rows = `insert into "Trace" ("No", "At") select n, now() - make_interval(days => 40) from generate_series(1, 101) n`;
  await withConnection(service.pool, (connection) => connection.run({ text: rows, bind: [] }));
  const { '@odata.deltaLink': link } = await read(`${service.root}/Traces?$select=No&$deltatoken=latest`);
  t.deepEqual(await keep(), ['Trace#100']);
  const { value } = await read(link);
  t.deepEqual(
    value,
    Array.from({ length: 99 }, (_, index) => ({ '@odata.removed': { reason: 'deleted' }, No: index + 1 })),
  );
});

test('a part of the log that is larger than a statement may read keeps the last changes of living records', (t) =>
  withMigrations(migrationsOf(model, new Map(), noDecisions), async ({ apply, pool, run }) => {
    await apply();
    const store = createPooledStore(pool);
    // Each of 6 000 records changes twice, and every fifth is deleted then.
    await run(`insert into "#changes" ("#set", "#key", "#operation")
      select 'Traces', n::text, case when t = 2 and n % 5 = 0 then 'd' else 'u' end from generate_series(1, 2) t, generate_series(1, 6000) n order by t, n`);
    t.deepEqual((await keepPartitions(store, log)).made, ['#changes#13000', '#changes#14000']);
    await run('update "#change_state" set "#floor" = 12999');
    t.deepEqual((await keepPartitions(store, log)).dropped, ['#changes#1000', '#changes#13000']);
    const kept = `select tableoid::regclass::text, count(*), min("#id"), max("#id") from "#changes" group by 1`;
    t.deepEqual(await run(kept), [['"#changes#13000#kept"', '4800', '6001', '12000']]);
  }));

interface Page {
  readonly '@odata.deltaLink': string;
  readonly value: readonly object[];
}

async function read(address: string): Promise<Page> {
  const response = await fetch(address, { headers: { Authorization: 'Bearer any', Prefer: 'track-changes' } });
  return (await response.json()) as Page;
}
