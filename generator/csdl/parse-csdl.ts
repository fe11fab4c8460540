import type { Report } from '../faults.js';
import { type Fault, ModelError } from '../model-error.js';
import type { Sources } from '../sources.js';
import { checkElements, isOData4 } from './check-elements.js';
import type { Csdl, XmlElement } from './csdl.js';
import { expandAliases } from './expand-aliases.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import { readReferences, readSchemas } from './read-schema.js';
import { type ModelSource, readText, type ReadText } from './read-text.js';
import { mendNames } from './mend-names.js';

/** Parses a document in XML or JSON as written; throws when it cannot be parsed. */
export function parseCsdl(source: ModelSource, sources: Sources, report: Report, options: { readonly expandAliases?: boolean } = {}): Csdl {
  const read = readText(source, sources);
  const format = isJson(read) ? 'json' : 'xml';
  const found: Fault[] = [];
  const root = format === 'json' ? parseJson(read, report) : parseXml(read, report);
  if (!isOData4(root, (fault) => found.push(fault)))
    throw new ModelError(
      sources,
      found.map((fault) => ({ ...fault, severity: 'error' })),
    );
  const mended = mendNames(root, report);
  checkElements(mended, report);
  const document = readDocument(options.expandAliases ? expandAliases(mended) : mended, { text: read.text, format }, report);
  return mended === root ? document : { ...document, changed: true };
}

// A file named as JSON without markup is JSON, even if it is no object.
function isJson({ path, text }: ReadText): boolean {
  const begin = text.trimStart()[0];
  return begin === '{' || begin === '[' || (path.toLowerCase().endsWith('.json') && begin !== '<' && begin !== undefined);
}

function readDocument(root: XmlElement, from: Pick<Csdl, 'text' | 'format'>, report: Report): Csdl {
  return {
    ...from,
    version: root.attributes.get('Version') ?? '',
    references: readReferences(root, report),
    schemas: readSchemas(root, report),
  };
}
