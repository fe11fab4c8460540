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

/** All faults of each model; those of meaning only where the schemas find none. */
export async function faultsOf(models: readonly Documents[]): Promise<readonly (readonly string[])[]> {
  const faults = await checkSchema(models);
  return models.map((documents, index) => {
    const found = faults[index] ?? [];
    if (found.length > 0) return found;
    const ours = [...documents].filter(([name]) => name !== 'metadata.xml').map(([, text]) => text);
    return checkModel(documents.get('metadata.xml') ?? '', ours, oasis);
  });
}

const oasis = readdirSync('test/vocabularies').map((name) => readFileSync(`test/vocabularies/${name}`, 'utf8'));
const schema = (fileName: string) => ({ fileName, contents: readFileSync(`test/schemas/${fileName}`, 'utf8') });

// One run for all models, since most of its time is its start.
async function checkSchema(models: readonly Documents[]): Promise<readonly (readonly string[])[]> {
  const { errors, rawOutput } = await validateXML({
    xml: models.flatMap((documents, index) => [...documents].map(([name, contents]) => ({ fileName: fileOf(index, name), contents }))),
    schema: [schema('edmx.xsd')],
    preload: [schema('edm.xsd')],
  });
  return models.map((documents, index) =>
    [...documents.keys()].flatMap((name) => {
      const file = fileOf(index, name);
      // Lines without a place repeat the verdict or show the text around the fault.
      const faults = errors.flatMap(({ message, loc }) => (loc?.fileName === file ? [`${name}: ${message}`] : []));
      return faults.length > 0 || rawOutput.includes(`${file} validates\n`) ? faults : [rawOutput];
    }),
  );
}

function fileOf(index: number, name: string): string {
  return `model${index}-${name}`;
}
