import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const settings = readFileSync('SETTINGS.md', 'utf8');

for (const page of ['README.md', 'OPERATING.md', 'GROWING.md', 'SECURITY.md', 'CONTRIBUTING.md', 'KEEP-A-COPY.md', 'WEBHOOKS.md'])
  test(`${page} names settings that there are`, (t) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/\bGABLE_[A-Z_]+/g)].map(([name]) => name);
    t.deepEqual(
      named.filter((name) => !settings.includes(name) && !(name in others)),
      [],
    );
  });

/** Variables that are read by commands other than `serve`. */
const others: { readonly [name: string]: string } = { GABLE_TOKEN: 'gable mcp', GABLE_CLIENT_SECRET: 'gable replicate' };

const folder = join('bench', 'results');

test('kept results name documents by their file name, and no folder of a machine', (t) => {
  for (const name of readdirSync(folder)) t.notRegex(readFileSync(join(folder, name), 'utf8'), /"(?:[A-Z]:)?[\\/~][^"]*[\\/]/i, name);
});

test('every test that SECURITY.md names is there', (t) => {
  const named = [...readFileSync('SECURITY.md', 'utf8').matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
  t.true(named.length >= 8);
  t.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
});

const sources = ['bench', 'client', 'explorer', 'generator', 'model', 'replicate', 'runtime', 'test'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `/${root}/${path.replaceAll('\\', '/')}`),
);
// Tests of clients and browsers have packages of their own once they have run.
const readmes = sources.filter((path) => path.endsWith('/README.md') && !path.includes('/node_modules/')).map((path) => path.slice(1));
/** Names that stand for files of any project. */
const anyProject: ReadonlySet<string> = new Set(['NAME.slow.test.ts', 'gable.config.ts', 'handlers.ts']);

test('every source file that a page for readers of the code names is there', (t) => {
  const missing = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...readmes].flatMap((page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name);
    return named.filter((name) => !isThere(name) && !anyProject.has(name)).map((name) => `${page}: ${name}`);
  });
  t.true(readmes.length > 20);
  t.deepEqual(missing, []);
});

function isThere(name: string): boolean {
  return existsSync(name) || sources.some((path) => path.endsWith(`/${name}`));
}
