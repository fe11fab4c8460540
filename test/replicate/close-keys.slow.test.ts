// Depends on PostgreSQL: its times have microseconds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { sequelizeOf } from '../../runtime/database/bound-models.js';
import { connect } from '../../runtime/database/connect.js';
import { patient, testDatabase } from '../support/database.js';
import { runAll } from './run-copies.js';

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
