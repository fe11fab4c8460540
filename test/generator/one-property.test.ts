import { existsSync, readFileSync } from 'node:fs';
import { diffLines } from 'diff';
import test from 'ava';
import { generate } from '../../generator/generate.js';
import { noMigrations } from '../../generator/migrate/plan-migrations.js';
import { readMigrations } from '../../generator/migrate/read-migrations.js';

const model = readFileSync('model/metadata.xml', 'utf8');
const next = '<Property Name="SubdivisionName"';
const comment = '<Property Name="Comment" Type="Edm.String"><Annotation Term="Core.Description" String="A comment"/></Property>';

test('a new property of the listing changes six files, and adds a migration', (t) => {
  const before = filesOf(model);
  const after = filesOf(model.replace(next, `${comment}\n        ${next}`));
  const changes = [...after].flatMap(([path, text]) => {
    const change = changeOf(before.get(path) ?? '', text);
    return change === '' ? [] : [[path, before.has(path) ? change : 'added']];
  });
  t.deepEqual(Object.fromEntries(changes), {
    'property/types.ts': '+2 -0',
    'property/fields.ts': '+1 -0',
    'metadata.xml': '+1 -0',
    'metadata.json': '+1 -0',
    'migrations/schema.json': '+2 -1',
    'migrations/0006-property.sql': 'added',
    // A line for each of the other five, and for the model.
    '.lock.json': '+6 -6',
  });
});

const readNeighbour = (name: string): Uint8Array | undefined => (existsSync(`model/${name}`) ? readFileSync(`model/${name}`) : undefined);

function filesOf(text: string): ReadonlyMap<string, string> {
  const migrations = { ...noMigrations, texts: readMigrations('generated') };
  const { files } = generate({ path: 'model/metadata.xml', bytes: Buffer.from(text) }, { readNeighbour, migrations });
  return new Map(files.map((file) => [file.path, file.text]));
}

function changeOf(before: string, after: string): string {
  const changes = diffLines(before, after);
  const count = (kind: 'added' | 'removed'): number =>
    changes.filter((change) => change[kind]).reduce((sum, change) => sum + change.count, 0);
  return before === after ? '' : `+${count('added')} -${count('removed')}`;
}
