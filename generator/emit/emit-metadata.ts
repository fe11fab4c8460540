import { csdlToJson } from '../csdl/csdl-json.js';
import { csdlToXml } from '../csdl/csdl-xml.js';
import type { Csdl } from '../csdl/csdl.js';
import type { Documents } from '../csdl/read-documents.js';

/** The served document in XML: a model in XML verbatim without its declaration, unless repairs changed it. */
export function emitMetadataXml({ main }: Documents): string {
  return xmlOf(main);
}

/** The served document in JSON. */
export function emitMetadataJson({ main }: Documents): string {
  return `${JSON.stringify(csdlToJson(main), null, 2)}\n`;
}

/** The documents that the model references relatively, served next to it. */
export function emitVocabularies({ included }: Documents): readonly { readonly path: string; readonly text: string }[] {
  return included.flatMap(({ name, csdl, served }) => (served && isServable(name) ? [{ path: name, text: xmlOf(csdl) }] : []));
}

// Other names would collide with generated files, or need their own routes.
function isServable(name: string): boolean {
  return /^\w[\w.-]*\.xml$/.test(name) && name.toLowerCase() !== 'metadata.xml';
}

function xmlOf(csdl: Csdl): string {
  return csdl.format === 'xml' && csdl.changed === undefined
    ? csdl.text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/\n*$/, '\n')
    : csdlToXml(csdl);
}
