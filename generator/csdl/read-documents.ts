import { posix } from 'node:path';
import { faults, type Report } from '../faults.js';
import type { Sources } from '../sources.js';
import type { Csdl, Reference, Schema } from './csdl.js';
import { inputLimits } from './limits.js';
import { parseCsdl } from './parse-csdl.js';
import type { ModelSource } from './read-text.js';
import { isKnownNamespace } from './terms.js';

/** Reads a file beside the model, by its name. */
export type ReadBeside = (name: string) => Uint8Array | undefined;

/** A model and everything that it refers to and that lies beside it. */
export interface Documents {
  readonly main: Csdl;
  /** Documents by the name they have beside the model; those that the model names so are served with it. */
  readonly beside: readonly BesideDocument[];
}

/** A referenced document; its names have namespaces in place of aliases. */
interface BesideDocument {
  readonly name: string;
  readonly csdl: Csdl;
  readonly bytes: Uint8Array;
  /** Whether it is addressed by its name, so that clients look for it beside $metadata. */
  readonly served: boolean;
}

/** Reads a model and, from files beside it, what it refers to, directly or not. Nothing is ever fetched. */
export function readDocuments(source: ModelSource, readBeside: ReadBeside, sources: Sources, report: Report): Documents {
  const main = parseCsdl(source, sources, report);
  const found = new Map<string, BesideDocument>();
  const queue = main.references.map((reference) => reference);
  for (let reference = queue.shift(); reference !== undefined; reference = queue.shift()) {
    const place = placeOf(reference, readBeside, report);
    if (place === undefined || place.name === posix.basename(source.path)) continue;
    const known = found.get(place.name);
    const csdl = known?.csdl ?? parseCsdl({ path: posix.join(posix.dirname(source.path), place.name), bytes: place.bytes }, sources, report, { expandAliases: true });
    found.set(place.name, { name: place.name, csdl, bytes: place.bytes, served: place.served || known?.served === true });
    checkIncludes(reference, csdl, report);
    if (known === undefined) queue.push(...csdl.references);
    if (found.size > inputLimits.references) {
      report(faults.limit(reference.at, 'referenced documents', String(inputLimits.references)));
      break;
    }
  }
  return { main, beside: [...found.values()] };
}

interface Found {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly served: boolean;
}

function placeOf(reference: Reference, readBeside: ReadBeside, report: Report): Found | undefined {
  const { at, uri, includes, includeAnnotations } = reference;
  const name = nameBeside(uri);
  if (name === undefined) {
    report(faults.outsideReference(at, uri));
    return undefined;
  }
  const isRemote = /^[a-z][a-z0-9+.-]*:|^\/\//i.test(uri);
  const namespaces = [...includes.map(({ namespace }) => namespace), ...includeAnnotations.map(({ termNamespace }) => termNamespace)];
  // What the OASIS vocabularies say is known, so a copy beside the model is not needed, and one elsewhere not looked for.
  if (isRemote && namespaces.every(isKnownNamespace)) return undefined;
  const names = isRemote ? [name, ...namespaces.flatMap((namespace) => [`${namespace}.xml`, `${namespace}.json`])] : [name];
  for (const candidate of names) {
    const bytes = readBeside(candidate);
    if (bytes !== undefined) return { name: candidate, bytes, served: !isRemote };
  }
  if (!namespaces.every(isKnownNamespace)) {
    const hint = isRemote ? `Nothing is fetched: save it beside the model as ${name}.` : 'Save it beside the model, or remove the reference.';
    report(faults.missingReference(at, uri, namespaces.filter((namespace) => !isKnownNamespace(namespace)).join(', '), hint));
  }
  return undefined;
}

// The last segment of an address; of a relative one, the whole, which must not lead elsewhere.
function nameBeside(uri: string): string | undefined {
  const isRemote = /^[a-z][a-z0-9+.-]*:|^\/\//i.test(uri);
  const path = decode(uri.replace(/[?#].*$/s, ''));
  const name = isRemote ? posix.basename(path ?? '') : posix.normalize(path ?? '');
  return isRemote || /^[^/\\:\u0000]+$/.test(name) && name !== '.' && name !== '..' ? name.replace(/[/\\:\u0000]/g, '_') : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function checkIncludes({ uri, includes }: Reference, { schemas }: Csdl, report: Report): void {
  for (const { at, namespace } of includes) {
    if (!schemas.some((schema: Schema) => schema.namespace === namespace)) report(faults.includedNamespace(at, uri, namespace));
  }
}
