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
import { defaultOverlay } from './open-model.js';

/** One of two compared models, with its overlay applied. */
export interface ComparedModel {
  readonly csdl: Csdl;
  readonly sources: Sources;
}

/** The default path of a project's model. */
export const defaultModel = join('model', 'metadata.xml');

/** Reads a model as written: comparison does not require that it can be generated. */
export function readComparedModel(name: string, config: Config): ComparedModel {
  const revision = openRevision(name, config.model ?? defaultModel);
  const sources = new Sources();
  const documents = readDocuments({ path: name, bytes: revision.bytes }, revision.readNeighbour, sources, ignore);
  const overlay = overlayOf(revision, config);
  const main =
    overlay === undefined
      ? documents.main
      : applyOverlay(documents.main, parseJsonTree(readText(overlay, sources), { comments: true }), ignore);
  return { csdl: linkDocuments({ ...documents, main }, ignore), sources };
}

// The overlay of the project's own model may be configured; any other is in the model's folder.
function overlayOf(
  { path, read, nameOf }: Revision,
  { model = defaultModel, overlay }: Config,
): { readonly path: string; readonly bytes: Uint8Array } | undefined {
  const place = overlay !== undefined && normalize(path) === normalize(model) ? overlay : defaultOverlay(path);
  const bytes = read(place);
  return bytes && { path: nameOf(place), bytes };
}

function ignore(): void {}
