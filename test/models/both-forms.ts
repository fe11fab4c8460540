import { csdlToJson } from '../../generator/csdl/csdl-json.js';
import { csdlToXml } from '../../generator/csdl/csdl-xml.js';
import { generate, type Generated } from '../../generator/generate.js';

/** The files that differ when a document is generated as it is and after a round trip through JSON and XML. */
export function bothForms(xml: string): readonly string[] {
  const written = generateFrom(xml);
  const json = JSON.stringify(csdlToJson(written.written));
  const fromJson = generateFrom(json);
  const again = generateFrom(csdlToXml(fromJson.written));
  const texts = [written, fromJson, again].map(textsOf);
  const differs = (path: string): boolean => texts.some((text) => text.get(path) !== texts[0]?.get(path));
  const sameJson = JSON.stringify(csdlToJson(again.written)) === json;
  return [...(sameJson ? [] : ['the document itself']), ...new Set(texts.flatMap((text) => [...text.keys()].filter(differs)))];
}

function generateFrom(text: string): Generated {
  return generate({ path: 'model', bytes: Buffer.from(text) });
}

// `metadata.xml` is the document as written, and the lock has its hash.
function textsOf({ files }: Generated): ReadonlyMap<string, string> {
  const made = files.filter(({ path }) => path !== 'metadata.xml' && !path.endsWith('.lock.json'));
  return new Map(made.map(({ path, text }) => [path, text]));
}
