import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { testDatabase } from '../support/database.js';
import { runCommand } from '../support/run-command.js';
import { until } from '../operation/until.js';
import { serveWith } from './gable-process.js';

const gable = resolve('dist/gable.js');
const place = mkdtempSync(join(tmpdir(), 'gable-dev-test-'));
const folder = join(place, 'towns');
const model = join(folder, 'model', 'metadata.xml');
test.after.always(() => rmSync(place, { recursive: true, force: true }));

test('gable dev follows a change, keeps the service before a fault, and asks before data would be lost', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  t.is((await runCommand(process.execPath, [gable, 'init', folder, '--model', 'test/project/towns.xml'])).status, 0);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'gable'), 'junction');
  const extension = join(folder, 'extensions/index.ts');
  const text = readFileSync(extension, 'utf8');
  writeFileSync(extension, "throw new Error('not yet');\n");
  const serving = serveWith(gable, ['dev', '--port', '0', '--samples', '2'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: database.url },
  });
  // The first run has compiled it, and goes on to its end.
  await until(async () => existsSync(join(folder, 'dist/extensions/index.js')));
  writeFileSync(extension, text);
  const service = await serving;
  t.teardown(() => service.interrupt());
  t.regex(service.output(), /Error: not yet/);
  const token = /TOKEN=(\S+)/.exec(service.output())?.[1] ?? '';
  const mayor = async (): Promise<number> =>
    (await fetch(`${service.root}/Towns?$select=Mayor`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const edit = async (before: string, after: string, expected: RegExp): Promise<string> => {
    const from = service.output().length;
    const text = readFileSync(model, 'utf8');
    writeFileSync(model, text.replace(before, after));
    for (let tries = 0; tries < 300 && !expected.test(service.output().slice(from)); tries += 1) await delay(100);
    return service.output().slice(from);
  };
  t.is(await mayor(), 400);
  const code = /#code=(\S+)/.exec(service.output())?.[1] ?? '';
  t.is((await fetch(new URL('/explorer/sign-in', service.root), { method: 'POST', body: code })).status, 200);
  const size = '<Property Name="Size"';
  const added = '<Property Name="Mayor" Type="Edm.String"/>';
  t.regex(await edit(size, `${added}${size}`, /Serving the change/), /0002-town\.sql[\s\S]*Serving the change after/);
  t.is(await mayor(), 200);
  t.regex(
    await edit(added, added.replace('String', 'Sting'), /goes on/),
    /did you mean Edm\.String\?[\s\S]*The service before the change goes on/,
  );
  t.is(await mayor(), 200);
  t.regex(await edit(added.replace('String', 'Sting'), '', /goes on/), /Town\/Mayor[\s\S]*--dropped Town\/Mayor[\s\S]*goes on/);
  t.is(await mayor(), 200);
  t.is(await service.interrupt(), 0);
});
