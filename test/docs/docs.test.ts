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
