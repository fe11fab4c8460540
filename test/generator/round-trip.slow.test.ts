import { readFileSync } from 'node:fs';
import test from 'ava';
import { validateXML } from 'xmllint-wasm';
import { csdlToJson } from '../../generator/csdl/csdl-json.js';
import { csdlToXml } from '../../generator/csdl/csdl-xml.js';
import type { Csdl } from '../../generator/csdl/csdl.js';
import { parseCsdl } from '../../generator/csdl/parse-csdl.js';
import { FaultCollector, strictPolicy } from '../../generator/policy.js';
import { Sources } from '../../generator/sources.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

// Every construct of CSDL, and documents that people wrote.
const documents = [
  ...['all-of-csdl', 'awkward-names', 'composite-and-aliases', 'hostile-text', 'references-beside', 'enumerations'].map(
    (name) => `test/generator/cases/${name}/model.xml`,
  ),
  ...['Authorization', 'Capabilities', 'Core', 'Measures', 'Validation'].map((name) => `test/vocabularies/Org.OData.${name}.V1.xml`),
  'test/generator/whole.xml',
  'model/metadata.xml',
  'model/ServiceRules.V1.xml',
];

for (const path of documents) {
  test(`${path} says the same in XML, in JSON, and after both`, (t) => {
    const written = parse(read(path));
    const json = JSON.stringify(csdlToJson(written), null, 1);
    t.is(JSON.stringify(csdlToJson(parse(csdlToXml(written))), null, 1), json, 'XML and back');
    t.is(JSON.stringify(csdlToJson(parse(json)), null, 1), json, 'JSON and back');
    t.is(JSON.stringify(csdlToJson(parse(csdlToXml(parse(json)))), null, 1), json, 'JSON, XML and back');
  });
}

test('what is printed as XML is CSDL XML 4.01', async (t) => {
  const schema = [{ fileName: 'edmx.xsd', contents: read('test/schemas/edmx.xsd') }];
  const preload = [{ fileName: 'edm.xsd', contents: read('test/schemas/edm.xsd') }];
  // The validator's tables of letters are older than Unicode's, and know no Japanese.
  const known = documents.filter((path) => !/awkward-names|enumerations/.test(path));
  const xml = known.map((path, index) => ({
    fileName: `${index}.xml`,
    contents: csdlToXml(parse(JSON.stringify(csdlToJson(parse(read(path)))))),
  }));
  const { errors } = await validateXML({ xml, schema, preload });
  t.deepEqual(
    errors.map(({ rawMessage }) => rawMessage),
    [],
  );
});

// Only what may be said leniently is let through: one case has an enumeration without members.
function parse(text: string): Csdl {
  const sources = new Sources();
  const collector = new FaultCollector(sources, { ...strictPolicy, choices: { CSDL074: 'off' } });
  const csdl = parseCsdl({ path: 'model', bytes: Buffer.from(text) }, sources, collector.report);
  collector.stopOnErrors();
  return csdl;
}
