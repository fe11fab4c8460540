import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { withConnection } from '../../runtime/database/run.js';
import { keepPartitions, partitionedTables } from '../../runtime/features/partitions/partitions.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import { startToy, temporaryFolder } from '../toy/toy-service.js';

const tracked =
  '<Annotation Term="Capabilities.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation>';
const layout =
  '<Annotation Term="Rules.StorageLayout"><Record><PropertyValue Property="PartitionRows" Int="100"/><PropertyValue Property="KeptDays" Int="30"/></Record></Annotation>';
const model = readFileSync('test/generator/cases/storage-layout/model.xml', 'utf8').replace(
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

interface Page {
  readonly '@odata.deltaLink': string;
  readonly value: readonly object[];
}

async function read(address: string): Promise<Page> {
  const response = await fetch(address, { headers: { Authorization: 'Bearer any', Prefer: 'track-changes' } });
  return (await response.json()) as Page;
}
