import { join, normalize, posix, sep } from 'node:path';
import type { Config } from '../config/types.js';
import type { Csdl } from '../csdl/csdl.js';
import { parseJsonTree } from '../csdl/json-tree.js';
import { linkDocuments } from '../csdl/link-documents.js';
import { readDocuments, type ReadNeighbour } from '../csdl/read-documents.js';
import { readText } from '../csdl/read-text.js';
import { applyOverlay } from '../overlay/apply-overlay.js';
import { fillScale } from '../repair/fill-scale.js';
import { repairDocument } from '../repair/repair-document.js';
import { Sources } from '../sources.js';
import { defaultOverlay, readFile } from './open-model.js';
import { execFileSync } from 'node:child_process';
import { UsageError } from '../config/config.js';

/** One of two compared models, with its overlay applied. */
export interface ComparedModel {
  readonly csdl: Csdl;
  readonly sources: Sources;
}

/** The default path of a project's model. */
export const defaultModel = join('model', 'metadata.xml');

/** Reads a model with the repairs of its mode: comparison does not require that it can be generated. */
export function readComparedModel(name: string, config: Config): ComparedModel {
  const revision = openRevision(name, config.model ?? defaultModel);
  const sources = new Sources();
  const documents = readDocuments({ path: name, bytes: revision.bytes }, revision.readNeighbour, sources, ignore);
  const overlay = overlayOf(revision, config);
  const overlaid =
    overlay === undefined
      ? documents.main
      : applyOverlay(documents.main, parseJsonTree(readText(overlay, sources), { comments: true }), ignore);
  const repaired = repairDocument(
    overlaid,
    documents.included.flatMap((included) => included.csdl.schemas),
    ignore,
  );
  const main = config.mode === 'lenient' ? fillScale(repaired, ignore) : repaired;
  return { csdl: linkDocuments({ ...documents, main }, ignore), sources };
}

// The overlay of the project's own model may be configured; any other is in the model's folder.
function overlayOf({ path, read, nameOf }: Revision, config: Config): { readonly path: string; readonly bytes: Uint8Array } | undefined {
  const { model = defaultModel, overlay } = config;
  const place = overlay !== undefined && normalize(path) === normalize(model) ? overlay : defaultOverlay(path);
  const bytes = read(place);
  return bytes && { path: nameOf(place), bytes };
}

function ignore(): void {}

/** A model on disk or in a commit, with the files of its folder. */
interface Revision {
  /** Its path, from the current folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly readNeighbour: ReadNeighbour;
  /** Reads a file of the same revision, by its path from the current folder. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** The name of such a file in messages. */
  readonly nameOf: (path: string) => string;
}

/** Opens a model: a file, or with `git:REVISION[:PATH]` its version in a commit. */
function openRevision(name: string, defaultPath: string): Revision {
  const [, revision, path = defaultPath] = /^git:([^:]+)(?::(.+))?$/.exec(name) ?? [];
  if (revision !== undefined) return openCommitted(revision, path.split(sep).join('/'));
  if (name.startsWith('git:')) throw new UsageError(`'${name}' is not a revision; write git:main or git:main:model/metadata.xml.`);
  const bytes = readFile(name);
  if (bytes === undefined) throw new UsageError(`There is no file ${name}.`);
  return {
    path: name,
    bytes,
    readNeighbour: (neighbour) => readFile(join(name, '..', neighbour)),
    read: readFile,
    nameOf: (file) => file.split(sep).join('/'),
  };
}

function openCommitted(revision: string, path: string): Revision {
  // A revision that begins with a hyphen would be an option of git.
  if (revision.startsWith('-')) throw new UsageError(`'${revision}' is not a revision.`);
  const show = (file: string): Uint8Array =>
    // Relative to the current folder, like the path of a file.
    execFileSync('git', ['show', `${revision}:./${file}`], { maxBuffer: 512 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] });
  const read: Revision['read'] = (file) => {
    try {
      return show(file.split(sep).join('/'));
    } catch (error) {
      // Git ends with 128 where the commit has no such file.
      if ((error as { readonly status?: unknown }).status === 128) return undefined;
      throw error;
    }
  };
  try {
    return {
      path,
      bytes: show(path),
      readNeighbour: (neighbour) => read(posix.join(posix.dirname(path), neighbour)),
      read,
      nameOf: (file) => `git:${revision}:${file.split(sep).join('/')}`,
    };
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: Buffer };
    throw new UsageError(`Git has no ${path} in ${revision}: ${(stderr?.toString() ?? message).trim()}`);
  }
}
