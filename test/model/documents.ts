import { readdirSync, readFileSync } from 'node:fs';
import { validateXML } from 'xmllint-wasm';
import { checkModel } from './check-model.js';

/** The three files of the model by name. */
export type Documents = ReadonlyMap<string, string>;

/** The model as it is. */
export function readDocuments(): Documents {
  const names = ['metadata.xml', 'ServiceRules.V1.xml', 'RESO.OData.Metadata.xml'];
  return new Map(names.map((name) => [name, readFileSync(`model/${name}`, 'utf8')]));
}

/** All faults of the model; those of meaning only where the schemas find none. */
export async function faultsOf(documents: Documents): Promise<readonly string[]> {
  const faults = await checkSchema(documents);
  if (faults.length > 0) return faults;
  const ours = [...documents].filter(([name]) => name !== 'metadata.xml').map(([, text]) => text);
  return checkModel(documents.get('metadata.xml') ?? '', ours, oasis);
}

const oasis = readdirSync('test/vocabularies').map((name) => readFileSync(`test/vocabularies/${name}`, 'utf8'));
const schema = (fileName: string) => ({ fileName, contents: readFileSync(`test/schemas/${fileName}`, 'utf8') });

async function checkSchema(documents: Documents): Promise<readonly string[]> {
  const result = await validateXML({
    xml: [...documents].map(([fileName, contents]) => ({ fileName, contents })),
    schema: [schema('edmx.xsd')],
    preload: [schema('edm.xsd')],
  });
  // Lines without a place repeat the verdict or show the text around the fault.
  const faults = result.errors.flatMap(({ message, loc }) => (loc === null ? [] : [`${loc.fileName}: ${message}`]));
  return result.valid || faults.length > 0 ? faults : [result.rawOutput];
}
