import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const gable = fileURLToPath(new URL('../../gable.js', import.meta.url));
const cases = fileURLToPath(new URL('../../../test/generator/cases/', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(cwd: string, ...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [gable, ...args], { cwd, env: { ...process.env, NO_COLOR: '1' } }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

// A folder with a good model in its usual place, removed afterwards.
function workspace(t: { teardown: (fn: () => void) => void }, name = 'composite-and-aliases'): string {
  const folder = mkdtempSync(join(tmpdir(), 'gable-generator-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'model'));
  cpSync(join(cases, name, 'model.xml'), join(folder, 'model', 'metadata.xml'));
  return folder;
}

function snapshot(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`);
}

test('a first run writes, a second changes nothing, and --check is content', async (t) => {
  const folder = workspace(t);
  const first = await run(folder, 'generate');
  t.is(first.code, 0, first.err);
  t.regex(first.out, /\d+ added, 0 changed, 0 removed, 0 unchanged in/);
  const before = snapshot(folder);
  const second = await run(folder, 'generate');
  t.regex(second.out, /^0 added, 0 changed, 0 removed, \d+ unchanged in .*\nUp to date\.\n$/);
  t.deepEqual(snapshot(folder), before);
  t.is((await run(folder, 'generate', '--check')).code, 0);
});

test('--check names what is stale, exits 4 and writes nothing', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const model = join(folder, 'model', 'metadata.xml');
  writeFileSync(model, readFileSync(model, 'utf8').replace('A short code', 'A longer code'));
  const before = snapshot(folder);
  const stale = await run(folder, 'generate', '--check');
  t.is(stale.code, 4);
  t.regex(stale.out, /~ generated\/order\/types\.ts\n/);
  t.regex(stale.out, /Run: npm run generate/);
  t.deepEqual(snapshot(folder), before);
});

test('an orphan of ours goes with its folder; a stranger stays', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const generated = join(folder, 'generated');
  writeFileSync(join(generated, 'line', 'notes.txt'), 'mine');
  writeFileSync(join(generated, 'mine.ts'), 'export {};\n');
  cpSync(join(cases, 'hostile-text', 'model.xml'), join(folder, 'model', 'metadata.xml'));
  const { code, out } = await run(folder, 'generate');
  t.is(code, 0);
  t.regex(out, /- generated\/order\/types\.ts\n/);
  t.false(existsSync(join(generated, 'order')));
  t.deepEqual(readdirSync(join(generated, 'line')), ['notes.txt']);
  t.true(existsSync(join(generated, 'mine.ts')));
});

test('an edited file is refused by name, and nothing else is written either', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const generated = join(folder, 'generated');
  writeFileSync(join(generated, 'order', 'fields.ts'), `${readFileSync(join(generated, 'order', 'fields.ts'), 'utf8')}// mine\n`);
  writeFileSync(join(generated, 'metadata.json'), '{}\n');
  rmSync(join(generated, 'README.md'));
  const before = snapshot(folder);
  const { code, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.regex(err, /generated\/order\/fields\.ts: edited by hand\. Move the edit to the model/);
  t.regex(err, /generated\/metadata\.json: edited by hand/);
  t.deepEqual(snapshot(folder), before);
});

test('an edited orphan is refused too', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const edited = join(folder, 'generated', 'order', 'fields.ts');
  writeFileSync(edited, `${readFileSync(edited, 'utf8')}// mine\n`);
  cpSync(join(cases, 'hostile-text', 'model.xml'), join(folder, 'model', 'metadata.xml'));
  const { code, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.regex(err, /order\/fields\.ts: edited by hand/);
  t.true(existsSync(edited));
});

test('a file or a link that is not ours is never overwritten', async (t) => {
  const folder = workspace(t);
  mkdirSync(join(folder, 'generated'));
  writeFileSync(join(folder, 'generated', 'index.ts'), 'export const mine = 1;\n');
  writeFileSync(join(folder, 'elsewhere.md'), 'mine');
  symlinkSync(join(folder, 'elsewhere.md'), join(folder, 'generated', 'README.md'));
  const { code, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.regex(err, /index\.ts: not written by gable/);
  t.regex(err, /README\.md: not written by gable/);
  t.is(readFileSync(join(folder, 'elsewhere.md'), 'utf8'), 'mine');
});

test('line breaks that git changed are not an edit', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const path = join(folder, 'generated', 'order', 'fields.ts');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
  t.is((await run(folder, 'generate', '--check')).code, 0);
});

test('a bad model writes nothing and shows every fault with its frame', async (t) => {
  const folder = workspace(t, 'keys');
  const { code, out, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.is(out, '');
  t.regex(err, /^model\/metadata\.xml:4:5 error CSDL029 /);
  t.regex(err, /\n14 \| .*\n {3}\| +\^\n/);
  t.regex(err, /7 faults; nothing was written\.\n$/);
  t.false(existsSync(join(folder, 'generated')));
});

test('--json has one shape for every outcome', async (t) => {
  const folder = workspace(t, 'keys');
  const shape = ['model', 'exitCode', 'milliseconds', 'added', 'changed', 'removed', 'unchanged', 'refused', 'faults'];
  const bad = await run(folder, 'generate', '--json');
  const parsed = JSON.parse(bad.out) as { readonly faults: readonly object[] };
  t.deepEqual(Object.keys(parsed), shape);
  t.deepEqual(Object.keys(parsed.faults[0] ?? {}), ['file', 'line', 'column', 'code', 'message', 'hint']);
  const missing = await run(folder, 'generate', 'nowhere.xml', '--json');
  t.is(missing.code, 2);
  t.deepEqual(Object.keys(JSON.parse(missing.out) as object), shape);
});

test('help, an unknown command and an unknown option', async (t) => {
  const folder = workspace(t);
  t.regex((await run(folder, '--help')).out, /generate .*\n.*start/);
  t.regex((await run(folder, 'generate', '--help')).out, /Examples:\n {2}gable generate\n/);
  const unknown = await run(folder, 'genrate');
  t.is(unknown.code, 2);
  t.regex(unknown.err, /unknown command 'genrate'\. Did you mean generate\?/);
  t.is((await run(folder, 'toString')).code, 2);
  t.is((await run(folder, 'generate', '--chek')).code, 2);
});
