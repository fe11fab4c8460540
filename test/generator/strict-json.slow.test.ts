import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'ava';
import { csdlToJson } from '../../generator/csdl/csdl-json.js';
import { parseCsdl } from '../../generator/csdl/parse-csdl.js';
import { ModelError } from '../../generator/model-error.js';
import { FaultCollector, strictPolicy } from '../../generator/policy.js';
import { Sources } from '../../generator/sources.js';

// The same as strict.slow.test.ts for CSDL JSON: every member of one document is changed in every way below, and what the
// OASIS schema refuses must be refused by us.
const root = new URL('../../../test/', import.meta.url);
const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv');
const validate = new Ajv({ strict: false, unicodeRegExp: true, validateFormats: false }).compile(
  JSON.parse(readFileSync(new URL('schemas/csdl.schema.json', root), 'utf8')) as object,
);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

// A number that JavaScript does not keep is written as text, which the schema does not foresee.
const xml = readFileSync(new URL('generator/whole.xml', root), 'utf8').replace('4611686018427387904', '4');
const whole = csdlToJson(accepted(xml)) as Json;
const values: readonly Json[] = [null, true, 7, -1, 1.5, '', '1x', 'a b', '$x', '{{x}}', [], [1], {}, { $Kind: 'Nothing' }];

function* changes(json: Json, put: (changed: Json) => Json, path: string): Generator<readonly [string, Json]> {
  if (typeof json !== 'object' || json === null) return;
  const entries: readonly (readonly [string, Json])[] = Array.isArray(json)
    ? json.map((item, index) => [String(index), item] as const)
    : Object.entries(json);
  for (const [name, value] of entries) {
    const at = `${path}/${name}`;
    const replace = (changed: Json): Json => put(Array.isArray(json) ? json.with(Number(name), changed) : { ...json, [name]: changed });
    for (const other of values) yield [`${at} = ${JSON.stringify(other)}`, replace(other)];
    if (!Array.isArray(json)) {
      const { [name]: _without, ...rest } = json;
      yield [`without ${at}`, put(rest)];
      if (name.startsWith('$')) yield [`${at} misspelt`, put({ ...rest, [`${name}x`]: value })];
    }
    yield* changes(value, replace, at);
  }
}

// The schema does not describe annotation values; rules about names are checked by the graph.
const heldByGraph = /\$Annotations|@|\$UnderlyingType|\/Days\/|\/Plain\//;

test('strict mode refuses in JSON what the OASIS schema refuses', (t) => {
  t.true(validate(whole), JSON.stringify(validate.errors));
  t.true(isAccepted(whole));
  const every = Number(process.env['EVERY'] ?? 3);
  const sample = [...changes(whole, (changed) => changed, '')].filter((_, index) => index % every === 0);
  const refused = sample.filter(([, json]) => !validate(json));
  t.true(refused.length > 1_000 / every, String(refused.length));
  t.deepEqual(
    refused.filter(([what, json]) => !heldByGraph.test(what) && isAccepted(json)).map(([what]) => what),
    [],
  );
});

function accepted(text: string): ReturnType<typeof parseCsdl> {
  const sources = new Sources();
  const collector = new FaultCollector(sources, strictPolicy);
  const csdl = parseCsdl({ path: 'model', bytes: Buffer.from(text) }, sources, collector.report);
  collector.stopOnErrors();
  return csdl;
}

function isAccepted(json: Json): boolean {
  try {
    accepted(JSON.stringify(json));
    return true;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return false;
  }
}
