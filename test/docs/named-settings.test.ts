import { readFileSync } from 'node:fs';
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
