import { readFileSync } from 'node:fs';
import { diffLines } from 'diff';
import test from 'ava';
import { generate } from '../../generator/generate.js';

const model = readFileSync('test/migrate/first.xml', 'utf8');
const remark = '<Property Name="Remark" Type="Edm.String" MaxLength="100"/>';

test('a new property changes a few lines of seven files, the schema of the migrations and the lock', (t) => {
  const before = filesOf(model);
  const after = filesOf(model.replace(remark, `${remark}\n<Property Name="Comment" Type="Edm.String" MaxLength="100"/>`));
  const changes = [...after].flatMap(([path, text]) => {
    const change = changeOf(before.get(path) ?? '', text);
    return change === '' ? [] : [[path, change]];
  });
  t.deepEqual(Object.fromEntries(changes), {
    'order/types.ts': '+2 -0',
    'order/fields.ts': '+1 -0',
    'order/model.ts': '+2 -0',
    // The hash of the generated code.
    'index.ts': '+1 -1',
    'README.md': '+1 -0',
    'metadata.xml': '+1 -0',
    'metadata.json': '+4 -0',
    'migrations/0001-initial.sql': '+1 -0',
    'migrations/schema.json': '+1 -0',
    // A line for each of the eight files that are not created once, and one for the model.
    '.lock.json': '+9 -9',
  });
});

function filesOf(text: string): ReadonlyMap<string, string> {
  return new Map(generate({ path: 'model.xml', bytes: Buffer.from(text) }).files.map((file) => [file.path, file.text]));
}

function changeOf(before: string, after: string): string {
  const changes = diffLines(before, after);
  const count = (kind: 'added' | 'removed'): number =>
    changes.filter((change) => change[kind]).reduce((sum, change) => sum + change.count, 0);
  return changes.length > 1 ? `+${count('added')} -${count('removed')}` : '';
}
