import type { EntityContainer } from '../../edm/entity-container.js';
import type { Caller } from '../../plan/caller.js';
import { descriptionsIn, type Source, sourcesOf, type View } from './view.js';
import { batchPath, streamPaths } from './streams.js';
import { boundPaths, importPaths, unboundTag } from './calls.js';
import { collectComponents, distinctNames, type Json } from './json-document.js';
import { pathsOf } from './operations.js';
import { described } from './record-schemas.js';
import { sharedComponents } from './shared.js';
import { toVersion20, toVersion30 } from './older-versions.js';

/** The versions of OpenAPI that documents are written in. */
export type Version = '3.1' | '3.0' | '2.0';

// oxfmt-ignore
const written: { readonly [Name in Version]: (document: Json) => Json } = {
  '3.1': (document) => document,
  '3.0': toVersion30,
  '2.0': (document) => toVersion20(toVersion30(document)),
};

/** The versions, the newest first. */
export const versions = Object.keys(written) as readonly Version[];

/** The version, contents and reader of a document. */
export interface DocumentOptions {
  readonly version: Version;
  /** The entity sets and singletons that it describes; all by default. */
  readonly sets?: readonly string[];
  /** The caller whose permissions limit the document. */
  readonly caller: Caller;
  /** Whether the service refuses every change. */
  readonly readOnly?: boolean;
  /** Whether clients may send their name and secret. */
  readonly basic?: boolean;
  readonly root: string;
  readonly tokenUrl: string;
}

/** The names of entity sets and singletons that a document can be limited to. */
export function setsOf({ entitySets, singletons = {} }: EntityContainer): readonly string[] {
  return [...Object.keys(entitySets), ...Object.keys(singletons)];
}

/** The OpenAPI document of a model, with its descriptions from `$metadata` in JSON. */
export function buildDocument(container: EntityContainer, metadata: Json, { version, sets, ...options }: DocumentOptions): Json {
  const schemas = collectComponents('#/components/schemas/');
  const view: View = {
    ...options,
    container,
    describe: descriptionsIn(metadata),
    schemas,
    operationId: distinctNames(),
    securityOf: (scopes) => securityOf(scopes, options.basic),
    ...(sets && { sets: new Set(sets) }),
  };
  return written[version](document(view, metadata));
}

function document(view: View, metadata: Json): Json {
  const { container, root, schemas } = view;
  const sources = sourcesOf(view);
  const shared = sharedComponents(view);
  const paths = sources.flatMap((source) => [...pathsOf(source, view), ...streamPaths(source, view), ...boundPaths(source, view)]);
  const imports = importPaths(view);
  // A caller without anything to read or call has nothing to batch.
  const unbound = [...imports, ...(paths.length + imports.length > 0 ? batchPath(view) : [])];
  return {
    openapi: '3.1.0',
    info: { title: container.namespace, version: container.schemaVersion ?? '1', ...described(container.namespace, view) },
    servers: [{ url: root }],
    security: [...securityOf([], view.basic), { clientCredentials: [] }],
    tags: [...tagsOf(sources, view, metadata), ...(unbound.length > 0 ? [{ name: unboundTag }] : [])],
    paths: Object.fromEntries([...paths, ...unbound]),
    components: { schemas: schemas.all(), ...shared },
  };
}

function securityOf(scopes: readonly string[], basic = false): readonly Json[] {
  return [{ bearer: [] }, ...(basic ? [{ basic: [] }] : []), ...scopes.map((scope) => ({ clientCredentials: [scope] }))];
}

function tagsOf(
  sources: readonly Source[],
  view: View,
  { $EntityContainer: container }: { readonly $EntityContainer?: unknown },
): readonly Json[] {
  const types = new Map(sources.map(({ set, types: [type] }) => [set, type?.qualifiedName ?? '']));
  return [...types].map(([name, type]) => {
    const own = described(`${String(container)}/${name}`, view);
    return { name, ...('description' in own ? own : described(type, view)) };
  });
}
