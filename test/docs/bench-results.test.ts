import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const folder = join('bench', 'results');

test('kept results name documents by their file name, and no folder of a machine', (t) => {
  for (const name of readdirSync(folder)) t.notRegex(readFileSync(join(folder, name), 'utf8'), /"(?:[A-Z]:)?[\\/~][^"]*[\\/]/i, name);
});
