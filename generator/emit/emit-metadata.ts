import { parseCsdl } from '../csdl/parse-csdl.js';
import { csdlToJson } from '../csdl/csdl-json.js';
import type { ModelGraph } from '../graph/model-graph.js';
import { ModelError } from '../model-error.js';

/** Reads a file beside the model, by the relative address that the model refers to it with. */
export type ReadBeside = (uri: string) => Uint8Array | undefined;

/** The document as served in XML: every byte of the model but its declaration. */
export function emitMetadataXml({ csdl }: ModelGraph): string {
  return withoutDeclaration(csdl.text);
}

/** The document as served in JSON. */
export function emitMetadataJson({ csdl }: ModelGraph): string {
  return `${JSON.stringify(csdlToJson(csdl), null, 2)}\n`;
}

/** The vocabularies that the model refers to by a name beside it, served from the same place. */
export function emitVocabularies({ csdl }: ModelGraph, readBeside: ReadBeside): readonly { readonly path: string; readonly text: string }[] {
  const local = csdl.references.map(({ uri }) => uri).filter((uri) => /^[\w.-]+\.xml$/.test(uri) && uri.toLowerCase() !== 'metadata.xml');
  return [...new Set(local)].flatMap((path) => {
    const bytes = readBeside(path);
    if (bytes === undefined) return [];
    const vocabulary = parseCsdl({ path, bytes });
    if (vocabulary.faults.length > 0) throw new ModelError(path, vocabulary.text, vocabulary.faults);
    return [{ path, text: withoutDeclaration(vocabulary.text) }];
  });
}

function withoutDeclaration(text: string): string {
  return text.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/\n*$/, '\n');
}
