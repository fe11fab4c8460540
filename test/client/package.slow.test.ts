import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { createClient } from '../../client/index.js';
import { service as table } from '../../generated/client.js';
import { startService, type TestService } from '../support/service.js';

const tsc = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
const folder = mkdtempSync(join(tmpdir(), 'gable-client-'));
const project = join(folder, 'project');
let service: TestService;

test.before(async () => {
  run(process.execPath, ['client/pack.mjs', folder]);
  cpSync('test/client/example', project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `gable@file:${join(folder, tarball)}`], project);
  service = await startService();
});
test.after.always(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

function run(program: string, args: readonly string[], cwd = '.'): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
}

test.serial('the client installs alone, and nothing of the server with it', (t) => {
  t.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['gable'],
  );
});

test.serial("the README's first example and the example project compile under strict settings", (t) => {
  const [block] = /(?<=## Client and types for your project\n\n```ts\n)[\s\S]*?(?=```)/.exec(readFileSync('README.md', 'utf8')) ?? [''];
  writeFileSync(join(project, 'readme.ts'), block.replace('http://localhost:4004/odata', service.listening));
  symlinkSync(join(process.cwd(), 'node_modules/@types'), join(project, 'node_modules/@types'), 'junction');
  symlinkSync(join(process.cwd(), 'node_modules/undici-types'), join(project, 'node_modules/undici-types'), 'junction');
  run(process.execPath, [tsc, '-p', '.'], project);
  t.pass();
});

test.serial('the example of the README prints listings', async (t) => {
  const env = { ...process.env, TOKEN: await service.token('write') };
  const child = spawn(process.execPath, ['out/readme.js'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = [];
  for await (const line of createInterface(child.stdout)) lines.push(line);
  t.true(lines.length > 0);
  t.true(
    lines.every((line) => /^\p{L}[\p{L} ]* [\d.]+$/u.test(line)),
    lines.join('\n'),
  );
});

test.serial('the example project prints new listings of a city and follows them', async (t) => {
  const token = await service.token('write');
  const api = createClient(table, { baseUrl: service.listening, token });
  const env = { ...process.env, TOKEN: token, LISTINGS: service.listening };
  const child = spawn(process.execPath, ['out/new-listings.js', 'Guelph', '0.2'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill());
  const draft = { ListAgentKey: 'M1', ListOfficeKey: 'M1', PropertyType: 'x', StreetNumber: '1', StreetName: 'x', City: 'Guelph' };
  const first = await api.Property.create(draft);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (key: string): Promise<string> => {
    for (;;) {
      const { value } = await lines.next();
      if (value === undefined || value.includes(key)) return String(value);
    }
  };
  t.regex(await next(first.ListingKey), / Incomplete /);
  const second = await api.Property.create(draft);
  t.regex(await next(second.ListingKey), / Incomplete /);
  await api.Property.delete(second);
  t.regex(await next(second.ListingKey), /^gone /);
});
