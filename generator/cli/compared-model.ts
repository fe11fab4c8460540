import { join, normalize } from 'node:path';
import type { Config } from '../config/types.js';
import type { Csdl } from '../csdl/csdl.js';
import { parseJsonTree } from '../csdl/json-tree.js';
import { linkDocuments } from '../csdl/link-documents.js';
import { readDocuments } from '../csdl/read-documents.js';
import { readText } from '../csdl/read-text.js';
import { applyOverlay } from '../overlay/apply-overlay.js';
import { Sources } from '../sources.js';
import { openRevision, type Revision } from './model-revision.js';
import { overlayBeside } from './open-model.js';

/** One of two models that are compared, with what its overlay says. */
export interface ComparedModel {
  readonly csdl: Csdl;
  readonly sources: Sources;
}

/** Where the model of a project is when nothing else is said. */
export const defaultModel = join('model', 'metadata.xml');

/** Reads a model as it is written: one that could not be generated from can be compared all the same. */
export function readComparedModel(name: string, config: Config): ComparedModel {
  const revision = openRevision(name, config.model ?? defaultModel);
  const sources = new Sources();
  const documents = readDocuments({ path: name, bytes: revision.bytes }, revision.readBeside, sources, ignore);
  const overlay = overlayOf(revision, config);
  const main =
    overlay === undefined
      ? documents.main
      : applyOverlay(documents.main, parseJsonTree(readText(overlay, sources), { comments: true }), ignore);
  return { csdl: linkDocuments({ ...documents, main }, ignore), sources };
}

// That of the project's own model may be somewhere else; of any other it lies beside it.
function overlayOf(
  { path, read, nameOf }: Revision,
  { model = defaultModel, overlay }: Config,
): { readonly path: string; readonly bytes: Uint8Array } | undefined {
  const place = overlay !== undefined && normalize(path) === normalize(model) ? overlay : overlayBeside(path);
  const bytes = read(place);
  return bytes && { path: nameOf(place), bytes };
}

function ignore(): void {}
