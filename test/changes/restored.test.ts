// Depends on PostgreSQL: its control data.

import test from 'ava';
import { connect } from '../../runtime/database/connect.js';
import { withConnection } from '../../runtime/database/run.js';
import { noteHorizon } from '../../runtime/features/changes/keep-log.js';
import { createPooledStore } from '../../runtime/store/pooled-store.js';
import { patient } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

const query = 'Property?$select=ListingKey,ListPrice';

// Two databases of one server with the same records and the same log: either is what a backup of the other restores.
test('a restored database goes on with links from before its backup, and not with later ones', async (t) => {
  const [lost, restored] = await Promise.all([startService(), startService()]);
  t.teardown(() => Promise.all([lost.stop(), restored.stop()]));
  const pool = connect(lost.databaseUrl, { ...patient, poolSize: 1 });
  t.teardown(() => pool.close());
  await noteHorizon(createPooledStore(pool));
  const earlier = await linkOf(lost);
  const [state] = await run(lost, 'select "#horizon", "#timeline" from "#change_state"');
  await run(restored, `update "#change_state" set "#horizon" = ${state?.[0]}, "#timeline" = '${state?.[1]}'`);
  await run(lost, `insert into "#changes" ("#set", "#key", "#operation") values ('Property', 'x', 'd')`);
  const later = await linkOf(lost);
  await run(restored, `insert into "#changes" ("#set", "#key", "#operation") values ('Property', 'y', 'd')`);
  t.deepEqual(await removedAt(earlier, restored), ['y']);
  t.is(await removedAt(later, restored), 410);
});

test('the files of an earlier time go on with links from before it, and not with later ones', async (t) => {
  const service = await startService();
  t.teardown(() => service.stop());
  const change = `insert into "#changes" ("#set", "#key", "#operation") values ('Property', 'x', 'd') returning "#id"`;
  const earlier = await linkOf(service);
  const [[number = ''] = []] = await run(service, change);
  const later = await linkOf(service);
  t.deepEqual(await removedAt(later, service), []);
  await run(service, `delete from "#changes" where "#id" = ${number}`);
  await run(service, `select setval('"#changes_#id_seq"', ${number}, false)`);
  t.is(await removedAt(later, service), 410);
  t.deepEqual(await removedAt(earlier, service), []);
  // As many changes have been made again.
  await run(service, change.replace("'x'", "'y'"));
  t.is(await removedAt(later, service), 410);
  t.deepEqual(await removedAt(earlier, service), ['y']);
  await run(service, change.replace("'x'", "'z'"));
  t.is(await removedAt(later, service), 410);
  t.deepEqual(await removedAt(earlier, service), ['y', 'z']);
});

const pages: readonly (readonly [what: string, address: (link: string) => string])[] = [
  ['all records', () => `/${query}`],
  ['changes', (link) => link],
];
for (const [what, address] of pages)
  test(`the files of an earlier time between two pages of ${what} are noticed`, async (t) => {
    const service = await startService();
    t.teardown(() => service.stop());
    const change = `insert into "#changes" ("#set", "#key", "#operation") values ('Property', 'x', 'd'), ('Property', 'y', 'd') returning "#id"`;
    const earlier = await linkOf(service);
    const [[number = ''] = []] = await run(service, change);
    const { '@odata.nextLink': next = '' } = await pageAt(address(earlier), service);
    await run(service, `delete from "#changes" where "#id" >= ${number}`);
    await run(service, `select setval('"#changes_#id_seq"', ${number}, false)`);
    await run(service, change.replace("'x'", "'z'"));
    let page = await pageAt(next, service);
    while (page['@odata.nextLink'] !== undefined) page = await pageAt(page['@odata.nextLink'], service);
    t.is(page.error ? 410 : await removedAt(page['@odata.deltaLink'] ?? '', service), 410);
  });

interface Page {
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
  readonly error?: object;
}

// A page of one record or change, with links that are paths.
async function pageAt(address: string, service: TestService): Promise<Page> {
  const response = await fetch(`${service.root}${address}`, {
    headers: { ...(await headers(service)), Prefer: 'track-changes,odata.maxpagesize=1' },
  });
  return JSON.parse((await response.text()).replaceAll(service.root, '')) as Page;
}

async function run({ databaseUrl }: TestService, text: string): Promise<readonly (readonly (string | null)[])[]> {
  const pool = connect(databaseUrl, { ...patient, poolSize: 1 });
  try {
    return await withConnection(pool, (connection) => connection.run({ text, bind: [] }));
  } finally {
    await pool.close();
  }
}

async function headers(service: TestService): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${await service.token('all')}`, Prefer: 'track-changes,odata.maxpagesize=10000' };
}

// The path and query of the link to later changes.
async function linkOf(service: TestService): Promise<string> {
  const response = await fetch(`${service.root}/${query}`, { headers: await headers(service) });
  const { '@odata.deltaLink': link } = (await response.json()) as { readonly '@odata.deltaLink': string };
  return link.slice(service.root.length);
}

/** The keys that the changes of a link remove, or the status of an error. */
async function removedAt(link: string, service: TestService): Promise<readonly string[] | number> {
  const response = await fetch(`${service.root}${link}`, { headers: await headers(service) });
  if (!response.ok) return response.status;
  const { value } = (await response.json()) as { readonly value: readonly { readonly ListingKey: string }[] };
  return value.map(({ ListingKey }) => ListingKey);
}
