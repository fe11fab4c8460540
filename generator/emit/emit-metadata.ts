import { csdlToJson } from '../csdl/csdl-json.js';
import { csdlToXml } from '../csdl/csdl-xml.js';
import type { Csdl } from '../csdl/csdl.js';
import type { Documents } from '../csdl/read-documents.js';

/** The document as served in XML: every byte of a model in XML but its declaration, unless more is known than it says. */
export function emitMetadataXml({ main }: Documents): string {
  return xmlOf(main);
}

/** The document as served in JSON. */
export function emitMetadataJson({ main }: Documents): string {
  return `${JSON.stringify(csdlToJson(main), null, 2)}\n`;
}

/** The documents that the model refers to by a name beside it, served from the same place. */
export function emitVocabularies({ included }: Documents): readonly { readonly path: string; readonly text: string }[] {
  return included.flatMap(({ name, csdl, served }) => (served && isServable(name) ? [{ path: name, text: xmlOf(csdl) }] : []));
}

// Other names would take the place of what is generated, or need a route of their own.
function isServable(name: string): boolean {
  return /^\w[\w.-]*\.xml$/.test(name) && name.toLowerCase() !== 'metadata.xml';
}

function xmlOf(csdl: Csdl): string {
  return csdl.format === 'xml' && csdl.changed === undefined
    ? csdl.text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/\n*$/, '\n')
    : csdlToXml(csdl);
}
