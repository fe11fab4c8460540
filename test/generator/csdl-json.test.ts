import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'ava';
import { generateCase } from './cases.js';

// Ajv's types name a default export that Node does not give to a module.
const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv');
const schema = JSON.parse(readFileSync(new URL('../../../test/schemas/csdl.schema.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv({ strict: false, unicodeRegExp: true, validateFormats: false }).compile(schema);

for (const name of ['all-of-csdl', 'awkward-names', 'composite-and-aliases', 'hostile-text']) {
  test(`metadata.json of ${name} is CSDL JSON 4.01`, (t) => {
    validate(JSON.parse(generateCase(name).find(({ path }) => path === 'metadata.json')?.text ?? '{}'));
    t.deepEqual(validate.errors ?? [], []);
  });
}

test('the schema refuses what is not CSDL JSON', (t) => {
  t.false(validate({ $Version: '4.01', Shop: { Item: { $Kind: 'EntityTyp' } } }));
});
