import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { generate } from '../../generator/generate.js';
import { noMigrations } from '../../generator/migrate/plan-migrations.js';
import { readMigrations } from '../../generator/migrate/read-migrations.js';
import { planTree } from '../../generator/output/output-tree.js';

const root = new URL('../../../', import.meta.url);
const model = new URL('model/', root);
const read = (path: string): Uint8Array => readFileSync(new URL(path, model));

const readBeside = (name: string): Uint8Array | undefined => (existsSync(new URL(name, model)) ? read(name) : undefined);
const generateAll = (): ReturnType<typeof generate>['files'] =>
  generate(
    { path: 'model/metadata.xml', bytes: read('metadata.xml') },
    { readNeighbour: readBeside, migrations: { ...noMigrations, texts: readMigrations(fileURLToPath(new URL('generated/', root))) } },
  ).files;
const files = generateAll();

test('generated/ is what the model says', (t) => {
  const { added, changed, removed, refused } = planTree(fileURLToPath(new URL('generated/', root)), files);
  t.deepEqual({ added, changed, removed, refused }, { added: [], changed: [], removed: [], refused: [] }, 'run: npm run generate');
});

test('two runs give the same bytes', (t) => {
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
