import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { readPart } from '../../runtime/features/changes/log-state.js';
import { patient } from '../support/database.js';
import { startService } from '../support/service.js';

interface Page {
  readonly value: readonly { readonly ListingKey?: string }[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
}

test('a reader who was away for long goes on in parts, and gets each record once', async (t) => {
  const service = await startService();
  const pool = connect(service.databaseUrl, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await service.stop();
  });
  const token = await service.token('all');
  const read = async (address: string): Promise<Page> => {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token}`, Prefer: 'track-changes' } });
    return (await response.json()) as Page;
  };
  const { '@odata.deltaLink': link = '' } = await read(`${service.root}/Property?$select=ListingKey&$deltatoken=latest`);
  // The first listing changes in each part, the second in the first one alone.
  await withConnection(pool, ({ run }) =>
    run({
      text: `insert into "#changes" ("#set", "#key", "#operation") select 'Property', key, 'd' from (values ('first'), ('second')) key(key)
        union all select case when n % 60000 = 0 then 'Property' else 'Member' end, 'first', 'd' from generate_series(1, 120000) n`,
      bind: [],
    }),
  );
  const pages: (readonly (string | undefined)[])[] = [];
  for (let next: string | undefined = link; next !== undefined;) {
    const { value, '@odata.nextLink': further, '@odata.deltaLink': end } = await read(next);
    pages.push(value.map(({ ListingKey }) => ListingKey));
    next = further;
    t.is(end === undefined, next !== undefined);
  }
  t.deepEqual(pages, [['second'], [], ['first']]);
  const parts = await withConnection(pool, async (connection) => {
    const [[first = ''] = []] = await connection.run({ text: 'select min("#id") - 1 from "#changes"', bind: [] });
    return Number(await readPart(String(first), '999999999', connection)) - Number(first);
  });
  t.is(parts, 50_001);
});
