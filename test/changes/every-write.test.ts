// Depends on PostgreSQL: SQL.

import test from 'ava';
import { startToy } from '../toy/toy-service.js';
import { sequelizeOf } from '../../runtime/database/bound-models.js';

const icon = '00000000-0000-0000-0000-00000000000a';
const other = '00000000-0000-0000-0000-00000000000b';

/** Writes of every kind, and the changes that each is to log, in order. */
// oxfmt-ignore
const writes: readonly (readonly [title: string, method: string, path: string, body: object | undefined, logged: string])[] = [
  ['a deep create', 'POST', 'Folders', { Id: 1, Icon: { Id: icon }, Folders: [{ Id: 2, Files: [{ Name: 'a/ü' }] }, { Id: 3 }] }, `c Icons ${icon}, c Folders 1, c Folders 2, c Files a/ü, c Folders 3`],
  ['an upsert', 'PUT', "Files('b')", { 'Folder@odata.bind': 'Folders(1)' }, 'c Files b'],
  ['a change of nothing', 'PATCH', 'Folders(1)', {}, ''],
  ['a relation from the other side', 'PATCH', 'Folders(2)', { 'Files@delta': [{ '@odata.id': "Files('b')" }] }, 'u Files b'],
  ['a reference', 'PUT', "Files('b')/Opens/$ref", { '@odata.id': `Icons(${other})` }, ''],
  ['a record that is referenced', 'POST', 'Icons', { Id: other }, `c Icons ${other}`],
  ['a reference to it', 'PUT', "Files('b')/Opens/$ref", { '@odata.id': `Icons(${other})` }, 'u Files b'],
  ['a deletion that empties references', 'DELETE', `Icons(${other})`, undefined, `u Files b, d Icons ${other}`],
  ['a delta', 'PATCH', 'Files', { value: [{ Name: 'c', 'Folder@odata.bind': 'Folders(3)' }, { '@odata.removed': { reason: 'deleted' }, '@odata.id': "Files('b')" }] }, 'c Files c, d Files b'],
  ['changes of each', 'PATCH', "Files/$filter(Name%20eq%20'c')/$each", { 'Folder@odata.bind': 'Folders(1)' }, 'u Files c'],
  ['a contained record, whose set is none', 'POST', 'Folders(1)/Notes', { Id: 1 }, ''],
  ['deletions by cascades, dependent ones first', 'DELETE', 'Folders(1)', undefined, `u Folders 1, d Files c, d Files a/ü, d Icons ${icon}, d Folders 3, d Folders 2, d Folders 1`],
];

test('every write logs what it changes', async (t) => {
  const { root, pool, stop } = await startToy('test/changes/tree.xml');
  t.teardown(stop);
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json', Prefer: 'return=minimal' };
  let from = 0;
  for (const [title, method, path, body, logged] of writes) {
    const response = await fetch(`${root}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    t.true(response.status < 500, `${title}: ${response.status} ${await response.text()}`);
    const [rows] = await sequelizeOf(pool).query(
      `select "#id", "#operation", "#set", "#key" from "#changes" where "#id" > ${from} order by 1`,
    );
    const found = rows as readonly { '#id': string; '#operation': string; '#set': string; '#key': string }[];
    t.is(found.map((row) => `${row['#operation']} ${row['#set']} ${row['#key']}`).join(', '), logged, title);
    from = Number(found.at(-1)?.['#id'] ?? from);
  }
  const events = (await (await fetch(`${root}/Changes?$filter=Set%20eq%20'Files'&$top=1`, { headers })).json()) as {
    value: { Url: string }[];
  };
  t.is(events.value[0]?.Url, `${root}/Files('a%2F%C3%BC')`);
});
