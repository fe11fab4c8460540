import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'ava';
import { generate } from '../../generator/generate.js';
import { caseNames, check, firstRun, generateCase, printErrors } from './cases.js';

for (const name of caseNames()) {
  test(`case ${name}`, (t) => check(t, name));
}

test('every fault of the table is provoked by a case or by the limits', (t) => {
  const table = readFileSync(new URL('../../../generator/faults.ts', import.meta.url), 'utf8');
  const codes = [...table.matchAll(/rule\('(CSDL\d{3})'/g)].map(([, code]) => code ?? '');
  t.is(new Set(codes).size, codes.length, 'a code is used once');
  const said = caseNames()
    .map((name) => printErrors(firstRun(name)))
    .join('\n');
  t.deepEqual(
    codes.filter((code) => !said.includes(code) && !elsewhere.has(code)),
    [],
  );
});

// A clash of columns needs two names with one hash; too many faults are in hostile.slow.test.ts.
const elsewhere: ReadonlySet<string> = new Set(['CSDL039', 'CSDL077']);

test('two runs over a case give the same bytes', (t) => {
  t.deepEqual(generateCase('awkward-names'), generateCase('awkward-names'));
});

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

// CSDL XML 4.01, 13.1.2: what is extended is part of the one that extends it.
test('of two containers the service is the one that no other extends', (t) => {
  const model = `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
    ${schemaOf('First.Part', '<EntityType Name="A"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType><EntityContainer Name="Base"><EntitySet Name="As" EntityType="F.A"/></EntityContainer>')}
    ${schemaOf('Last.Part', '<EntityContainer Name="Service" Extends="F.Base"><EntitySet Name="Others" EntityType="F.A"/></EntityContainer>')}
  </edmx:DataServices></edmx:Edmx>`;
  const { files } = generate({ path: 'model.xml', bytes: Buffer.from(model) });
  t.regex(files.find(({ path }) => path === 'metadata.json')?.text ?? '', /"\$EntityContainer": "Last\.Part\.Service"/);
});

function schemaOf(namespace: string, elements: string): string {
  return `<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${namespace}" Alias="${namespace[0] ?? ''}">${elements}</Schema>`;
}
