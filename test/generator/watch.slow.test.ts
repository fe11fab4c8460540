import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { until } from '../operation/until.js';
import { gable } from '../support/run-gable.js';
import { workspace } from './workspace.js';

test('--watch generates anew after every change, also of a broken model, until it is stopped', async (t) => {
  const folder = workspace(t);
  const child = spawn(process.execPath, [gable, 'generate', '--watch', '--json'], { cwd: folder });
  const outcomes = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<{ readonly exitCode: number; readonly changed: readonly string[] }> =>
    JSON.parse(String((await outcomes.next()).value)) as never;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.is((await next()).exitCode, 0);
  const model = join(folder, 'model', 'metadata.xml');
  const good = readFileSync(model, 'utf8');
  writeFileSync(model, good.replace('A short code', 'A longer code'));
  t.true((await next()).changed.includes('order/types.ts'));
  writeFileSync(model, good.replace('</edmx:Edmx>', ''));
  t.is((await next()).exitCode, 2);
  writeFileSync(model, good);
  t.true((await next()).changed.includes('order/types.ts'));
  for (const word of ['An odd', 'A new']) {
    // As editors save, and git changes a file: the new text replaces the file.
    writeFileSync(join(folder, 'saved'), good.replace('A short code', `${word} code`));
    renameSync(join(folder, 'saved'), model);
    t.true((await next()).changed.includes('order/types.ts'), word);
    writeFileSync(model, good);
    t.true((await next()).changed.includes('order/types.ts'), word);
  }
  child.kill('SIGTERM');
  t.is(await ended, 0);
});

test('--watch follows an overlay, a configuration and a folder that come and go', async (t) => {
  const folder = workspace(t);
  const child = spawn(process.execPath, [gable, 'generate', '--watch'], { cwd: folder });
  t.teardown(() => child.kill());
  let [shown, from] = ['', 0];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (shown += String(chunk)));
  const after = async (change: () => void, expected: RegExp): Promise<void> => {
    from = shown.length;
    change();
    await until(async () => expected.test(shown.slice(from)));
    t.regex(shown.slice(from), expected);
  };
  const overlay = join(folder, 'model', 'overlay.jsonc');
  const config = join(folder, 'gable.config.json');
  const models = join(folder, 'model');
  await after(() => {}, /Watching model[\s\S]*(?:Next: |Up to date)/);
  await after(() => writeFileSync(overlay, '{ "entityTypes": '), /^model\/overlay\.jsonc:1:\d+ error/m);
  await after(() => rmSync(overlay), /Up to date/);
  await after(() => writeFileSync(config, '{ "modle": "x" }'), /^gable: .*modle/m);
  await after(() => rmSync(config), /Up to date/);
  await after(() => renameSync(models, `${models}.away`), /there is no file model\/metadata\.xml/);
  await after(() => mkdirSync(join(models, 'metadata.xml'), { recursive: true }), /^gable: model\/metadata\.xml is a folder/m);
  await after(() => (rmSync(models, { recursive: true }), renameSync(`${models}.away`, models)), /Up to date/);
  await after(() => writeFileSync(overlay, '{'), /^model\/overlay\.jsonc:1:\d+ error/m);
});
