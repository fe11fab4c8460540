import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { runCommand } from '../support/run-command.js';
import { secret } from '../support/service.js';
import { patientSettings, testDatabase } from '../support/database.js';
import { type Change, changes, nextRelease } from './afternoon-changes.js';
import { serveInJson, serveWith } from './gable-process.js';

const gable = resolve('dist/gable.js');
const compiler = resolve('node_modules/typescript-7/bin/tsc');
const page = 'test/project/afternoon.txt';
const place = mkdtempSync(join(tmpdir(), 'gable-afternoon-'));
const towns = join(place, 'towns');
const next = join(place, 'next');
test.after.always(() => rmSync(place, { recursive: true, force: true }));

test('an afternoon: ten changes, three of them refused, one with a backfill, and a release beside the one before', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const env = { ...process.env, ...patientSettings, DATABASE_URL: database.url, GABLE_SECRET: secret, GABLE_LOG_LEVEL: 'warn' };
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text.trimEnd());
  const run = async (folder: string, ...args: readonly string[]): Promise<void> => {
    const { stdout, stderr } = await runCommand(process.execPath, [gable, ...args], { cwd: folder, env });
    write(`${basename(folder)}$ gable ${args.join(' ').replaceAll(place, '..')}\n${stdout}${stderr}`);
  };

  mkdirSync(join(place, 'models'));
  cpSync('test/project/towns.xml', join(place, 'models/towns.xml'));
  await run(join(place, 'models'), 'init', towns, '--model', 'towns.xml');
  mkdirSync(join(towns, 'node_modules'));
  symlinkSync(resolve('.'), join(towns, 'node_modules', 'gable'), 'junction');
  symlinkSync(resolve('node_modules/@types'), join(towns, 'node_modules', '@types'), 'junction');

  const dev = await serveWith(gable, ['dev', '--port', '0', '--samples', '2'], { cwd: towns, env });
  t.teardown(() => dev.interrupt());
  const ended = async (from: number): Promise<void> => {
    while (!/Serving the change after .*\n|goes on\.\n/.test(dev.output().slice(from))) await delay(50);
  };
  write(`towns$ gable dev --samples 2\n${dev.output()}`);
  const token = /TOKEN=(\S+)/.exec(dev.output())?.[1] ?? '';
  const ask = async (root: string, request: string): Promise<void> => write(`${request}\n${await answerTo(root, request, token)}`);
  for (const [index, change] of changes.entries()) {
    const from = dev.output().length;
    edit(towns, change);
    await ended(from);
    write(`\n${index + 1}. ${change.title}\n${printEdit(change)}\n${dev.output().slice(from)}`);
    await ask(dev.root, change.request);
  }
  write(`\ntowns/generated/migrations/0004-town.sql\n${readFileSync(join(towns, 'generated/migrations/0004-town.sql'), 'utf8')}`);
  t.is(await dev.interrupt(), 0);

  write('\nThe next release\n');
  cpSync(towns, next, { recursive: true, verbatimSymlinks: true });
  for (const change of nextRelease) {
    edit(next, change);
    write(printEdit(change));
  }
  await run(next, 'generate');
  await run(next, 'generate', '--dropped', 'Town/Moto');
  await run(next, 'generate', '--dropped', 'Town/Motto');
  t.is((await runCommand(process.execPath, [compiler, '-p', '.'], { cwd: next })).stdout, '');
  const before = await serveInJson(gable, ['serve', '--port', '0'], { cwd: towns, env });
  t.teardown(() => before.interrupt());
  await run(next, 'migrate', 'plan');
  await run(next, 'migrate', 'apply', '--until', 'backfill');
  const after = await serveInJson(gable, ['serve', '--port', '0'], { cwd: next, env });
  t.teardown(() => after.interrupt());
  write('\nThe former release');
  await ask(before.root, 'POST /Countries {"Code":"FR"}');
  await ask(before.root, 'POST /Towns {"Id":9,"Name":"Lyon","CountryCode":"FR","Tags":[],"Motto":"Avant"}');
  await ask(before.root, 'GET /Towns(9)?$select=Name,Motto');
  await ask(before.root, 'GET /health/ready');
  write('\nThe new release, on the same database');
  await ask(after.root, 'GET /Towns(9)?$select=Name,Twinned');
  await ask(after.root, 'PATCH /Towns(9)?$select=Twinned {"Twinned":true}');
  await ask(before.root, 'GET /Towns(9)?$select=Name,Motto');
  t.is(await before.interrupt(), 0);
  write('\nThe former one has ended');
  await run(next, 'migrate');
  await run(next, 'migrate', 'verify');
  await ask(after.root, 'GET /Towns(9)?$select=Name,Twinned');
  while (!(await answerTo(after.root, 'GET /health/ready', token)).includes('"schema":"current"')) await delay(1_000);
  await ask(after.root, 'GET /health/ready');
  t.is(await after.interrupt(), 0);

  const transcript = stable(`${lines.join('\n')}\n`);
  if (process.env['UPDATE'] === '1') writeFileSync(page, transcript);
  t.is(transcript, readFileSync(page, 'utf8'));
});

function edit(folder: string, { file, before, after }: Change): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
  writeFileSync(path, text.replace(before, after));
}

function printEdit({ before, after, file }: Change): string {
  const [removed, added] = after.endsWith(before) ? ['', after.slice(0, -before.length)] : [before, after];
  return [file, ...(removed === '' ? [] : [`- ${removed}`]), ...(added === '' ? [] : [`+ ${added}`])].join('\n');
}

// The status and the body; health has its place outside of the service.
async function answerTo(root: string, request: string, token: string): Promise<string> {
  const [, method = '', path = '', body] = /^(\w+) (.*?)( \{.*)?$/.exec(request) ?? [];
  const url = path.startsWith('/health') ? new URL(path, root) : `${root}${path}`;
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json;odata.metadata=none' };
  const sent = body === undefined ? { headers } : { body, headers: { ...headers, 'Content-Type': 'application/json' } };
  const response = await fetch(url, { method, ...sent });
  return `${response.status} ${await response.text()}`;
}

// The times, ports, codes and tokens of one run, the names of files that each change writes, and their number, are left
// out; an editor's second event causes a run without a change.
function stable(transcript: string): string {
  return transcript
    .replaceAll(place, '')
    .replace(/localhost:\d+|127\.0\.0\.1:\d+/g, 'localhost:4004')
    .replace(/\d+\.\d+ s\b/g, '0.9 s')
    .replace(/code=[\w-]+/g, 'code=...')
    .replace(/TOKEN=\S+/g, 'TOKEN=...')
    .replace(/^(?:~ generated\/.*|\d+ added, .*|Up to date\.)\n/gm, '')
    .replace(/"requestId":"[^"]+"/g, '"requestId":"..."');
}
