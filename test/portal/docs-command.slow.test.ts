import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runGable } from '../support/run-gable.js';

const model = resolve('test/portal/orders.xml');

function folderFor(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gable-docs-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('gable docs replaces the pages of an earlier run, and nothing else', async (t) => {
  const folder = folderFor(t);
  const first = await runGable(folder, 'docs', model, '--root', 'https://api.example.com/odata');
  t.is(first.code, 0, first.err);
  t.regex(first.out, /^\d+ pages in dist.docs\n$/);
  const stale = join(folder, 'dist', 'docs', 'sets', 'Gone.html');
  writeFileSync(stale, '');
  t.is((await runGable(folder, 'docs', model)).code, 0);
  t.false(existsSync(stale));
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other', 'mine.txt'), 'mine');
  const refused = await runGable(folder, 'docs', model, '--output', 'other');
  t.is(refused.code, 2);
  t.is(refused.err, 'gable: other has files that are no pages; name an empty or a new folder.\n');
  t.is(readFileSync(join(folder, 'other', 'mine.txt'), 'utf8'), 'mine');
});

test('gable docs says what it cannot use', async (t) => {
  const folder = folderFor(t);
  const run = async (...args: readonly string[]): Promise<string> => (await runGable(folder, 'docs', ...args)).err;
  t.is(await run(model, '--root', 'api.example.com'), "gable: --root must be an http or https address, not 'api.example.com'.\n");
  t.regex(await run(model, '--changelog', 'none.md'), /none\.md/);
  t.regex(await run('none.xml'), /none\.xml/);
  writeFileSync(join(folder, 'bad.xml'), '<x/>');
  t.regex(await run('bad.xml'), /error CSDL/);
});
