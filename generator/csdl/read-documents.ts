import { posix } from 'node:path';
import { faults, type Report } from '../faults.js';
import type { Sources } from '../sources.js';
import type { Csdl, Reference, Schema } from './csdl.js';
import { inputLimits } from './limits.js';
import { parseCsdl } from './parse-csdl.js';
import { namespacesIn } from './names-in.js';
import type { ModelSource } from './read-text.js';
import { isKnownNamespace, meantNamespace } from './terms.js';

/** Reads a file in the model's folder. */
export type ReadNeighbour = (name: string) => Uint8Array | undefined;

/** A model with all documents that it references and that are in its folder. */
export interface Documents {
  readonly main: Csdl;
  /** Documents by their file names; those that the model references relatively are served with it. */
  readonly included: readonly IncludedDocument[];
}

/** A referenced document, with aliases replaced by namespaces. */
interface IncludedDocument {
  readonly name: string;
  readonly csdl: Csdl;
  readonly bytes: Uint8Array;
  /** Whether the model references it relatively, so that clients look for it next to $metadata. */
  readonly served: boolean;
}

/** Reads a model with the documents that it references, directly or not, from its folder. Nothing is fetched. */
export function readDocuments(source: ModelSource, readNeighbour: ReadNeighbour, sources: Sources, report: Report): Documents {
  const main = parseCsdl(source, sources, report);
  const found = new Map<string, IncludedDocument>();
  const own = new Set(main.schemas.map(({ namespace }) => namespace));
  const queue = referencesOf(main, own);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { reference } = next;
    const place = placeOf(next, readNeighbour, report);
    if (place === undefined || place.name === posix.basename(source.path)) continue;
    const known = found.get(place.name);
    const csdl =
      known?.csdl ??
      parseCsdl({ path: posix.join(posix.dirname(source.path), place.name), bytes: place.bytes }, sources, report, { expandAliases: true });
    found.set(place.name, { name: place.name, csdl, bytes: place.bytes, served: place.served || known?.served === true });
    checkIncludes(reference, csdl, report);
    if (known === undefined) queue.push(...referencesOf(csdl, own));
    if (found.size > inputLimits.references) {
      report(faults.limit(reference.at, 'referenced documents', String(inputLimits.references)));
      break;
    }
  }
  return { main, included: [...found.values()] };
}

/** A reference, with the namespaces that the elements of its document use. */
interface Asked {
  readonly reference: Reference;
  readonly needed: ReadonlySet<string>;
  /** The namespaces of the model, which may have another file name here. */
  readonly own: ReadonlySet<string>;
}

function referencesOf(csdl: Csdl, own: ReadonlySet<string>): Asked[] {
  const needed = namespacesIn(csdl);
  return csdl.references.map((reference) => ({ reference, needed, own }));
}

interface Found {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly served: boolean;
}

function placeOf(asked: Asked, readNeighbour: ReadNeighbour, report: Report): Found | undefined {
  const { uri, includes, includeAnnotations } = asked.reference;
  const name = neighbourName(uri);
  const isRelative = name !== undefined && !isRemote(uri);
  // The OASIS vocabularies are built in, so a copy in the folder is optional.
  if (!isRelative && includeAnnotations.length === 0 && includes.every(({ namespace }) => isKnownNamespace(namespace))) return undefined;
  const namespaces = [...includes.map(({ namespace }) => namespace), ...includeAnnotations.map(({ termNamespace }) => termNamespace)];
  const copies = namespaces.flatMap((namespace) => [`${namespace}.xml`, `${namespace}.json`]);
  for (const candidate of isRelative ? [name] : [...(name === undefined ? [] : [name]), ...copies]) {
    const bytes = readNeighbour(candidate);
    if (bytes !== undefined) return { name: candidate, bytes, served: isRelative };
  }
  reportMissing(asked, name, report);
  return undefined;
}

// A vendor's terms are ignored. Its types are needed, and so are external annotations with terms that the generator
// reads: they may restrict.
function reportMissing({ reference, needed, own }: Asked, name: string | undefined, report: Report): void {
  const { at, uri, includes, includeAnnotations } = reference;
  for (const { at: place, namespace } of includes) {
    const meant = meantNamespace(namespace);
    if (meant !== undefined) report(faults.misspeltNamespace(place, namespace, meant));
  }
  const unknown = includes
    .map(({ namespace }) => namespace)
    .filter((namespace) => !own.has(namespace) && !isKnownNamespace(namespace) && meantNamespace(namespace) === undefined);
  const asked = includeAnnotations.map(({ termNamespace }) => termNamespace);
  const isNeeded = unknown.some((namespace) => needed.has(namespace)) || asked.some(isKnownNamespace);
  const namespaces = [...new Set([...unknown, ...asked])].join(', ');
  if (namespaces === '') return;
  const isElsewhere = isRemote(uri) || name === undefined;
  // Addresses with encoded separators are read nowhere, like those of other services.
  if (/^file:/i.test(uri)) report(faults.fileReference(at, uri));
  else if (isElsewhere && !isNeeded) report(faults.unreadTerms(at, uri, namespaces));
  else if (name === undefined) report(faults.outsideReference(at, uri));
  else
    report(
      faults.missingReference(
        at,
        uri,
        namespaces,
        isElsewhere ? `Nothing is fetched: save it next to the model as ${name}.` : 'Save it next to the model, or remove the reference.',
      ),
    );
}

function isRemote(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(uri);
}

// The last segment of a URL; all of a relative one, which must stay in the folder.
function neighbourName(uri: string): string | undefined {
  const path = decode(uri.replace(/[?#].*$/s, ''));
  const name = isRemote(uri) ? posix.basename(path ?? '') : posix.normalize(path ?? '');
  return isRemote(uri) || (/^[^/\\:\u0000]+$/.test(name) && name !== '.' && name !== '..') ? name.replace(/[/\\:\u0000]/g, '_') : undefined;
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
