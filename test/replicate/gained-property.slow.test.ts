// Depends on PostgreSQL: DDL of the copy.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { sequelizeOf } from '../../runtime/database/bound-models.js';
import { connect } from '../../runtime/database/connect.js';
import { patient, testDatabase } from '../support/database.js';
import { copyService } from '../../replicate/cli.js';
import { readOptions } from '../../replicate/options.js';
import { startFake } from './fake-service.js';
import { metadata, runAll } from './run-copies.js';

const gained = metadata.replace('<Property Name="Text" Type="Edm.String"/>', '$&<Property Name="Weight" Type="Edm.Int32"/>');
// The link of the former model goes on: no record has changed since.
const given = `
### GET Parts?$count=true
{"value":[{"No":1,"Kind":"a","Text":"x"},{"No":2,"Kind":"a","Text":"y"}],"@odata.deltaLink":"Parts?$deltatoken=1"}
### GET Parts?$count=true
{"value":[{"No":1,"Kind":"a","Text":"x","Weight":7}],"@odata.deltaLink":"Parts?$deltatoken=2"}
### GET Parts?$deltatoken=1
{"value":[],"@odata.deltaLink":"Parts?$deltatoken=1"}
### GET Parts?$deltatoken=2
{"value":[],"@odata.deltaLink":"Parts?$deltatoken=2"}
### GET Parts?$filter=(No eq 2 and Kind eq 'a')
{"value":[]}
### GET $metadata
${metadata}
### GET $metadata
${gained}
`;
// The link of the former model ends while changes are followed; the fake service begins with the former model.
const ended = given
  .replace('{"value":[],"@odata.deltaLink":"Parts?$deltatoken=1"}', '410\n{"error":{"code":"","message":"Too old"}}')
  .replace(`### GET $metadata\n${metadata}\n`, '');
const commands = ['--sets Parts', '--sets Parts', '--sets Parts'];

test.serial('a folder has the values of a property that the model gains', async (t) => {
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  t.teardown(() => rmSync(to, { recursive: true }));
  const said = await runAll(given, commands, to, () => []);
  t.is(readFileSync(join(to, 'Parts.ndjson'), 'utf8'), '{"No":1,"Kind":"a","Text":"x","Weight":7}\n', said);
});

test.serial('so has a database', async (t) => {
  const fresh = await testDatabase();
  const pool = connect(fresh.url, { ...patient, poolSize: 1 });
  t.teardown(async () => {
    await pool.close();
    await fresh.drop();
  });
  const said = await runAll(given, commands, fresh.url, () => []);
  const [rows] = await sequelizeOf(pool).query('select "No", "Weight" from "Parts"');
  t.deepEqual(rows, [{ No: 1, Weight: 7 }], said);
});

test.serial('one that follows has it as well, once a link ends', async (t) => {
  const to = mkdtempSync(join(tmpdir(), 'gable-replicate-'));
  t.teardown(() => rmSync(to, { recursive: true }));
  const service = await startFake(ended, metadata);
  const stop = new AbortController();
  const lines: string[] = [];
  const line = (text: string): void => {
    lines.push(text.replace(/ in .*/, ''));
    if (lines.length === 3) stop.abort();
  };
  const args = readOptions([service.root, '--to', to, '--sets', 'Parts', '--follow', '--interval', '0.05']);
  t.is(await copyService(args, { read: () => undefined, line }, stop.signal), 0);
  await service.stop();
  t.deepEqual(lines, ['Parts: 2 records', 'The model of the service has changed; the sets are opened anew.', 'Parts: 1 records']);
  t.is(readFileSync(join(to, 'Parts.ndjson'), 'utf8'), '{"No":1,"Kind":"a","Text":"x","Weight":7}\n');
});
