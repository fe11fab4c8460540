import { csdlToJson } from '../csdl/csdl-json.js';
import { csdlToXml } from '../csdl/csdl-xml.js';
import type { Csdl } from '../csdl/csdl.js';
import type { Documents } from '../csdl/read-documents.js';

/** The served document in XML: a model in XML verbatim without its declaration, unless repairs changed it. */
export function emitMetadataXml(csdl: Csdl): string {
  return csdl.format === 'xml' && csdl.changed === undefined
    ? csdl.text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/\n*$/, '\n')
    : csdlToXml(csdl);
}

/** The served document in JSON. */
export function emitMetadataJson(csdl: Csdl): string {
  return `${printLines(csdlToJson(csdl), 3, '')}\n`;
}

// A line for each property and each annotation of a type, so that a change is in one line.
function printLines(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${indent}  ${JSON.stringify(name)}: ${printLines(member, depth - 1, `${indent}  `)}`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

/** The documents that the model references relatively, served next to it. */
export function emitVocabularies({ included }: Documents): readonly { readonly path: string; readonly text: string }[] {
  return included.flatMap(({ name, csdl, served }) => (served && isServable(name) ? [{ path: name, text: emitMetadataXml(csdl) }] : []));
}

// Other names would collide with generated files, or need their own routes.
function isServable(name: string): boolean {
  return /^\w[\w.-]*\.xml$/.test(name) && name.toLowerCase() !== 'metadata.xml';
}
