import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { diffLines } from 'diff';
import { generate } from '../../generator/generate.js';
import { noMigrations } from '../../generator/migrate/plan-migrations.js';
import { readMigrations } from '../../generator/migrate/read-migrations.js';
import { planTree } from '../../generator/output/output-tree.js';

const root = new URL('../../../', import.meta.url);
const model = new URL('model/', root);
const read = (path: string): Uint8Array => readFileSync(new URL(path, model));

const readBeside = (name: string): Uint8Array | undefined => (existsSync(new URL(name, model)) ? read(name) : undefined);
const generateAll = (bytes = read('metadata.xml')): ReturnType<typeof generate>['files'] =>
  generate(
    { path: 'model/metadata.xml', bytes },
    { readNeighbour: readBeside, migrations: { ...noMigrations, texts: readMigrations(fileURLToPath(new URL('generated/', root))) } },
  ).files;
const files = generateAll();

test('generated/ is what the model says', (t) => {
  const { added, changed, removed, refused } = planTree(fileURLToPath(new URL('generated/', root)), files);
  t.deepEqual({ added, changed, removed, refused }, { added: [], changed: [], removed: [], refused: [] }, 'run: npm run generate');
});

test('two runs over the listing give the same bytes', (t) => {
  t.deepEqual(generateAll(), files);
});

test('metadata.json is CSDL JSON 4.01', (t) => {
  // Ajv's types name a default export that Node does not give to a module.
  const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv');
  const schema = JSON.parse(readFileSync(new URL('test/schemas/csdl.schema.json', root), 'utf8')) as object;
  const validate = new Ajv({ strict: false, unicodeRegExp: true, validateFormats: false }).compile(schema);
  const text = files.find(({ path }) => path === 'metadata.json')?.text ?? '{}';
  validate(JSON.parse(text));
  t.deepEqual(validate.errors ?? [], []);
});

test('types.ts and everything it reaches hold types only', (t) => {
  const values = files
    .filter(({ path }) => /(^|\/)types\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => /^(import|export) (?!type |interface )/.test(line))
        .map((line) => `${path}: ${line}`),
    );
  t.deepEqual(values, []);
});

const next = '<Property Name="SubdivisionName"';
const comment = '<Property Name="Comment" Type="Edm.String"><Annotation Term="Core.Description" String="A comment"/></Property>';

test('a new property of the listing changes six files, and adds a migration', (t) => {
  const before = textsOf(files);
  const after = textsOf(
    generateAll(Buffer.from(Buffer.from(read('metadata.xml')).toString().replace(next, `${comment}\n        ${next}`))),
  );
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

function textsOf(generated: typeof files): ReadonlyMap<string, string> {
  return new Map(generated.map(({ path, text }) => [path, text]));
}

function changeOf(before: string, after: string): string {
  const changes = diffLines(before, after);
  const count = (kind: 'added' | 'removed'): number =>
    changes.filter((change) => change[kind]).reduce((sum, change) => sum + change.count, 0);
  return before === after ? '' : `+${count('added')} -${count('removed')}`;
}
