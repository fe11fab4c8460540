import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { runGable as run } from '../support/run-gable.js';
import { cases, snapshot, workspace } from './workspace.js';

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
  rmSync(join(generated, 'client.ts'));
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
  execFileSync('git', ['apply', '--unsafe-paths', '--directory', 'generated', patch], {
    cwd: folder,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
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
  t.regex((await run(folder, 'generate')).err, /The edit, together with the changes of the model since then:/);
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
  const lock = JSON.parse(readFileSync(join(folder, 'generated', '.lock.json'), 'utf8')) as {
    readonly inputs: Record<string, string>;
    readonly files: Record<string, string>;
  };
  t.deepEqual(Object.keys(lock), ['comment', 'generator', 'options', 'inputs', 'files']);
  const sha256 = (path: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
  t.deepEqual(lock.inputs, { 'model/metadata.xml': sha256('model/metadata.xml') });
  for (const [path, hash] of Object.entries(lock.files)) t.is(hash, sha256(`generated/${path}`), path);
  t.is(
    Object.keys(lock.files).length + 2,
    snapshot(join(folder, 'generated')).length,
    'all but the lock itself and the migration, which is created once',
  );
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
  symlinkSync(join(folder, 'elsewhere.md'), join(folder, 'generated', 'types.ts'));
  const { code, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.regex(err, /index\.ts: not written by gable/);
  t.regex(err, /types\.ts: not written by gable/);
  t.is(readFileSync(join(folder, 'elsewhere.md'), 'utf8'), 'mine');
});

test('line breaks that git changed are not an edit', async (t) => {
  const folder = workspace(t);
  await run(folder, 'generate');
  const path = join(folder, 'generated', 'order', 'fields.ts');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
  t.is((await run(folder, 'generate', '--check')).code, 0);
});

test('what the disk refuses is told in a sentence, with 2', async (t) => {
  const folder = workspace(t);
  writeFileSync(join(folder, 'generated'), '');
  const { code, err } = await run(folder, 'generate');
  t.is(code, 2);
  t.regex(err, /^gable: generated: .* Move it away, and run again\. \(\w+, \w+\)\n$/);
});
