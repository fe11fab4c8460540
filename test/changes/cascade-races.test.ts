// Depends on PostgreSQL: locks.

import test from 'ava';
import pg from 'pg';
import { startToy } from '../toy/toy-service.js';
import { until } from '../operation/until.js';

test('a deletion logs what is added to the records that go with it, and nothing of what is moved away', async (t) => {
  const { root, databaseUrl, stop } = await startToy('test/changes/tree.xml');
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  t.teardown(async () => {
    await other.end();
    await stop();
  });
  const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json', Prefer: 'return=minimal' };
  const ask = async (method: string, path: string, body?: object): Promise<number> =>
    (await fetch(`${root}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status;
  const logged = async (): Promise<readonly string[]> =>
    (await other.query(`select "#operation" || ' ' || "#key" as row from "#changes" order by "#id"`)).rows.map(({ row }) => String(row));
  const isWaiting = async (): Promise<boolean> =>
    (
      await other.query(
        `select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
      )
    ).rowCount !== 0;
  await ask('POST', 'Folders', { Id: 1, Folders: [{ Id: 2, Files: [{ Name: 'moved' }] }] });
  await ask('POST', 'Folders', { Id: 3 });

  await other.query('begin');
  await other.query(`update "File" set "#Folder" = (select "#id" from "Folder" where "Id" = 3) where "Name" = 'moved'`);
  // A reference to the inner folder, as of a change whose transaction goes on.
  await other.query('select from "Folder" where "Id" = 2 for key share');
  const deletion = ask('DELETE', 'Folders(1)');
  await until(isWaiting);
  t.is(await ask('POST', 'Files', { Name: 'added', 'Folder@odata.bind': 'Folders(2)' }), 204);
  await other.query('commit');
  t.is(await deletion, 204);

  t.deepEqual([await ask('GET', "Files('added')"), await ask('GET', "Files('moved')")], [404, 200]);
  t.deepEqual((await logged()).slice(4), ['c added', 'd added', 'd 2', 'd 1']);
});
