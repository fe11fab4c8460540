import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { gable, runGable as run } from './run-gable.js';

const cases = fileURLToPath(new URL('../../../test/generator/cases/', import.meta.url));

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

test('gable init --json tells what was made, and of a model that is refused why', async (t) => {
  const cwd = workspace(t);
  const made = await run(cwd, 'init', 'made', '--model', 'model/metadata.xml', '--json');
  t.is(made.code, 0, made.err);
  t.is((JSON.parse(made.out) as { readonly folder: string }).folder, join(realpathSync(cwd), 'made'));
  writeFileSync(join(cwd, 'bad.xml'), '<a/>');
  const { code, out } = await run(cwd, 'init', 'none', '--model', 'bad.xml', '--json');
  const { folder, exitCode, refused } = JSON.parse(out) as { readonly folder: null; readonly exitCode: number; readonly refused: readonly { readonly code: string }[] };
  t.deepEqual([code, folder, exitCode, refused.map((fault) => fault.code)], [2, null, 2, ['CSDL006']]);
  t.false(existsSync(join(cwd, 'none')));
});

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
  const { code, out } = await run(folder, 'generate', '--dropped', 'Order', '--dropped', 'Line');
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

test('the edit of a refused file is shown as a patch that git applies', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const path = join(folder, 'generated', 'order', 'routes.ts');
  const generated = readFileSync(path, 'utf8');
  writeFileSync(path, generated.replace("method: 'GET'", "method: 'PUT'"));
  const edited = readFileSync(path, 'utf8');
  const { err } = await run(folder, 'generate');
  t.regex(err, /The edit:\n\n--- a\/order\/routes\.ts\n\+\+\+ b\/order\/routes\.ts\n@@ /);
  rmSync(path);
  t.is((await run(folder, 'generate')).code, 0);
  const patch = join(folder, 'edit.patch');
  writeFileSync(patch, err.slice(err.indexOf('--- a/'), err.indexOf('\nNothing was written')));
  execFileSync('git', ['apply', '--unsafe-paths', '--directory', 'generated', patch], { cwd: folder, env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() } });
  t.is(readFileSync(path, 'utf8'), edited);
  const json = JSON.parse((await run(folder, 'generate', '--json')).out) as { readonly refused: readonly object[] };
  t.like(json.refused[0], { path: 'order/routes.ts', why: 'edited', exact: true });
});

test('a patch says when the model has changed as well', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const path = join(folder, 'generated', 'order', 'types.ts');
  writeFileSync(path, `${readFileSync(path, 'utf8')}// mine\n`);
  const model = join(folder, 'model', 'metadata.xml');
  writeFileSync(model, readFileSync(model, 'utf8').replace('A short code', 'A longer code'));
  t.regex((await run(folder, 'generate')).err, /The edit, together with what changed in the model since:/);
});

test('a merge that git left unfinished is generated anew where both sides were generated', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const whole = snapshot(join(folder, 'generated'));
  for (const name of ['order/fields.ts', '.lock.json', 'metadata.json']) {
    const path = join(folder, 'generated', name);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, ['<<<<<<< ours', ...lines.slice(0, -1), '=======', ...lines.slice(0, -1), '>>>>>>> theirs', ''].join('\n'));
  }
  const { code, err } = await run(folder, 'generate');
  t.is(code, 0, err);
  t.deepEqual(snapshot(join(folder, 'generated')), whole);
  const path = join(folder, 'generated', 'order', 'fields.ts');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `<<<<<<< ours\n${text}// mine\n=======\n${text}>>>>>>> theirs\n`);
  t.is((await run(folder, 'generate')).code, 2, 'a side that was edited is still refused');
});

test('the lock names what was read and the hash of all that was written', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const lock = JSON.parse(readFileSync(join(folder, 'generated', '.lock.json'), 'utf8')) as { readonly inputs: Record<string, string>; readonly files: Record<string, string> };
  t.deepEqual(Object.keys(lock), ['comment', 'generator', 'options', 'inputs', 'files']);
  const sha256 = (path: string): string => createHash('sha256').update(readFileSync(join(folder, path))).digest('hex');
  t.deepEqual(lock.inputs, { 'model/metadata.xml': sha256('model/metadata.xml') });
  for (const [path, hash] of Object.entries(lock.files)) t.is(hash, sha256(`generated/${path}`), path);
  t.is(Object.keys(lock.files).length + 2, snapshot(join(folder, 'generated')).length, 'all but the lock itself and the migration, which is created once');
});

test('--dry-run says what would be written and writes nothing', async (t) => {
  const folder = workspace(t);
  const { code, out } = await run(folder, 'generate', '--dry-run');
  t.is(code, 0);
  t.regex(out, /\+ generated\/order\/types\.ts\n/);
  t.regex(out, /Nothing was written\. Without --dry-run it will be\.\n$/);
  t.false(existsSync(join(folder, 'generated')));
  t.is((await run(folder, 'generate', '--dry-run', '--check')).code, 2);
});

test('--explain leads from a file, or from one line of it, to the lines of the model', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const model = readFileSync(join(folder, 'model', 'metadata.xml'), 'utf8').split('\n');
  const lines = readFileSync(join(folder, 'generated', 'order', 'fields.ts'), 'utf8').split('\n');
  const row = lines.findIndex((line) => line.startsWith('  Number:'));
  const one = await run(folder, 'generate', '--explain', `generated/order/fields.ts:${row + 1}`);
  const [, place] = /metadata\.xml:(\d+):\d+ +Property Number\n$/.exec(one.out) ?? [];
  t.regex(model[Number(place) - 1] ?? '', /<Property Name="Number"/, one.out);
  const routes = await run(folder, 'generate', '--explain', 'generated/order/routes.ts');
  t.regex(routes.out, /state +as generated\n +made by +generator\/emit\/emit-routes\.ts/);
  t.regex(routes.out, /EntitySet Orders\n/);
  const mine = await run(folder, 'generate', '--explain', 'generated/mine.ts');
  t.is(mine.code, 2);
  t.regex(mine.err, /it is yours, or the model has lost it/);
  writeFileSync(join(folder, 'README.md'), 'mine');
  t.is((await run(folder, 'generate', '--explain', 'README.md')).err, 'gable generate: README.md is outside of generated, so it is yours: no run changes it.\n');
});

test('a run that finds everything as it was says again what there is to say', async (t) => {
  const folder = workspace(t, 'lenient-gaps');
  mkdirSync(join(folder, 'node_modules'));
  const first = await run(folder, 'generate', '--lenient');
  t.regex(first.err, /warning CSDL\d{3}/);
  const second = await run(folder, 'generate', '--lenient');
  t.is(second.err, first.err);
  t.regex(second.out, /\nUp to date\.\n$/);
});

test('a run that finds everything as it was reads no more than that, and sees any change', async (t) => {
  const folder = workspace(t);
  mkdirSync(join(folder, 'node_modules'));
  await run(folder, 'generate');
  const second = JSON.parse((await run(folder, 'generate', '--json')).out) as { readonly unchanged: number; readonly milliseconds: number };
  t.true(second.unchanged > 10);
  t.true(existsSync(join(folder, 'node_modules', '.cache', 'gable')));
  const path = join(folder, 'generated', 'order', 'fields.ts');
  writeFileSync(path, `${readFileSync(path, 'utf8')}// mine\n`);
  t.is((await run(folder, 'generate')).code, 2);
});

test('--watch generates anew after every change, also of a broken model, until it is stopped', async (t) => {
  const folder = workspace(t);
  const child = spawn(process.execPath, [gable, 'generate', '--watch', '--json'], { cwd: folder });
  const outcomes = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<{ readonly exitCode: number; readonly changed: readonly string[] }> => JSON.parse(String((await outcomes.next()).value)) as never;
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
  child.kill('SIGTERM');
  t.is(await ended, 0);
});

test('an edited orphan is refused too', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const edited = join(folder, 'generated', 'order', 'fields.ts');
  writeFileSync(edited, `${readFileSync(edited, 'utf8')}// mine\n`);
  cpSync(join(cases, 'hostile-text', 'model.xml'), join(folder, 'model', 'metadata.xml'));
  const { code, err } = await run(folder, 'generate', '--dropped', 'Order', '--dropped', 'Line');
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
  t.regex(err, /12 faults; nothing was written\.\n$/);
  t.false(existsSync(join(folder, 'generated')));
});

test('--json has one shape for every outcome', async (t) => {
  const folder = workspace(t, 'keys');
  const shape = ['model', 'exitCode', 'milliseconds', 'added', 'changed', 'removed', 'unchanged', 'refused', 'problems', 'faults'];
  const bad = await run(folder, 'generate', '--json');
  const parsed = JSON.parse(bad.out) as { readonly faults: readonly object[] };
  t.deepEqual(Object.keys(parsed), shape);
  t.deepEqual(Object.keys(parsed.faults[0] ?? {}), ['file', 'line', 'column', 'severity', 'code', 'message', 'hint']);
  const missing = await run(folder, 'generate', 'nowhere.xml', '--json');
  t.is(missing.code, 2);
  t.deepEqual(Object.keys(JSON.parse(missing.out) as object), shape);
});

test('help, an unknown command and an unknown option', async (t) => {
  const folder = workspace(t);
  t.regex((await run(folder, '--help')).out, /generate [\s\S]*diff [\s\S]*start/);
  t.regex((await run(folder, 'generate', '--help')).out, /Examples:\n {2}gable generate\n/);
  const unknown = await run(folder, 'genrate');
  t.is(unknown.code, 2);
  t.regex(unknown.err, /unknown command 'genrate'\. Did you mean generate\?/);
  t.is((await run(folder, 'toString')).code, 2);
  t.is((await run(folder, 'generate', '--chek')).code, 2);
});

test('diff compares files and commits, tells three verdicts, and ends as asked', async (t) => {
  const folder = workspace(t);
  const git = (...args: readonly string[]): Buffer => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  t.is((await run(folder, 'diff', 'git:HEAD', '--exit-code')).out, 'git:HEAD and model/metadata.xml say the same.\n');
  const model = join(folder, 'model', 'metadata.xml');
  const first = readFileSync(model, 'utf8');
  writeFileSync(model, first.replace('A short code', 'A longer code'));
  t.is((await run(folder, 'diff', 'git:HEAD', '--exit-code')).code, 2);
  writeFileSync(model, first.replace('<Property Name="Number"', '<Property Name="Weight" Type="Edm.Int32" Nullable="false"/><Property Name="Number"'));
  writeFileSync(join(folder, 'package.json'), '{"version": "1.2.3"}');
  t.is((await run(folder, 'diff', 'git:HEAD')).code, 0);
  const { code, out } = await run(folder, 'diff', 'git:main:model/metadata.xml', 'model/metadata.xml', '--exit-code', '--changelog', 'CHANGELOG.md');
  t.is(code, 3);
  t.regex(out, /^breaking {2}property-added-required {2}Order\/Weight {2}\(model\/metadata\.xml:\d+\)\n.*\n +consumers breaking, types breaking, database breaking\n/);
  t.regex(out, /Version step: major, from 1\.2\.3 to 2\.0\.0\.\nThe entry is in CHANGELOG\.md\.\n$/);
  t.regex(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), /## \[Unreleased\]\n\n### Model\n- \*\*Breaking\*\*, `property-added-required`: `Order\/Weight`: /);
  const json = JSON.parse((await run(folder, 'diff', 'git:HEAD', '--json')).out) as object;
  t.deepEqual(Object.keys(json), ['old', 'new', 'changes', 'counts', 'step', 'version', 'changelog']);
  const unknown = await run(folder, 'diff', 'git:nowhere');
  t.is(unknown.code, 2);
  t.regex(unknown.err, /^gable diff: git has no model\/metadata\.xml in nowhere: /);
  t.is((await run(folder, 'diff')).code, 2);
  t.is((await run(folder, 'diff', 'missing.xml')).code, 2);
});

test('diff reads the overlay of each model as it was', async (t) => {
  const folder = workspace(t);
  const git = (...args: readonly string[]): Buffer => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], { cwd: folder });
  const overlay = join(folder, 'model', 'overlay.jsonc');
  writeFileSync(overlay, '{ "sets": { "Orders": { "permissions": { "read": ["orders.read"] } } } }');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  t.is((await run(folder, 'diff', 'git:HEAD', '--exit-code')).code, 0);
  const model = join(folder, 'model', 'metadata.xml');
  writeFileSync(model, readFileSync(model, 'utf8').replaceAll('"Number"', '"No"'));
  writeFileSync(overlay, `{
  "types": { "Order": { "properties": { "No": { "renamedFrom": "Number" } } }, "Line": { "properties": { "No": { "renamedFrom": "Number" } } } },
  "sets": { "Orders": { "permissions": { "read": ["orders.all"] }, "indexes": [["Town"]] } }
}`);
  const { out } = await run(folder, 'diff', 'git:HEAD');
  t.regex(out, /property-renamed {2}Order\/No .*\n.*Number/);
  t.regex(out, /permission-removed {2}Container\/Orders.*\n.*orders\.read/);
  t.regex(out, /permission-added {2}Container\/Orders.*\n.*orders\.all/);
  t.regex(out, /index-added {2}Container\/Orders.*\n.*Town/);
  t.notRegex(out, /suspected|property-removed|key-changed/);
  git('add', '.');
  git('commit', '-qm', 'second');
  t.regex((await run(folder, 'diff', 'git:HEAD~1', 'git:HEAD')).out, /property-renamed/);
  writeFileSync(overlay, '{');
  const broken = await run(folder, 'diff', 'git:HEAD');
  t.is(broken.code, 2);
  t.regex(broken.err, /model\/overlay\.jsonc:1:2 error/);
});

test('what the disk refuses is told in a sentence, with 2', async (t) => {
  const folder = workspace(t);
  writeFileSync(join(folder, 'generated'), '');
  const { code, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.regex(err, /^gable: generated: .* Move that away, and run again\. \(\w+, \w+\)\n$/);
});
