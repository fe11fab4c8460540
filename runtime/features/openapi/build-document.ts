import type { EntityContainer } from '../../edm/entity-container.js';
import { isHidden } from '../../plan/caller.js';
import { descriptionsIn, type Reader, type Source, sourcesOf, type View, mayChange, typeOf } from './view.js';
import { boundPaths, importPaths, unboundTag } from './calls.js';
import { collectComponents, distinctNames, type Json } from './json-document.js';
import { pathsOf, addressesOf, bytesOf } from './operations.js';
import { described } from './record-schemas.js';
import { sharedComponents, failuresOf, type Verb } from './shared.js';
import { toVersion20, toVersion30 } from './older-versions.js';
import { mediaStream, type Stream } from '../../edm/index.js';
import { streamMethods } from '../../protocol/routes.js';

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
export interface DocumentOptions extends Reader {
  readonly version: Version;
  /** The entity sets and singletons that it describes; all by default. */
  readonly sets?: readonly string[];
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

// oxfmt-ignore
const operations: { readonly [method: string]: { readonly verb: Verb; readonly summary: string; readonly done: Json } } = {
  GET: { verb: 'download', summary: 'Read', done: { '304': { description: 'The client has the current bytes' } } },
  PUT: { verb: 'upload', summary: 'Store', done: {} },
  DELETE: { verb: 'remove', summary: 'Delete', done: {} },
};

function streamPaths(source: Source, view: View): readonly (readonly [path: string, item: Json])[] {
  const type = typeOf(source);
  const { path, parameters } = addressesOf(source, view).record;
  return Object.entries(type.streams ?? {}).flatMap(([name, stream]) => {
    // A cast in a path leads to values of derived types only.
    if (name.includes('.') || isHidden(type, name, view.caller)) return [];
    const methods = streamMethods({ type, name, stream }).filter((method) => method === 'GET' || mayChange(source, name, method, view));
    const item = Object.fromEntries(methods.map((method) => [method.toLowerCase(), operationObject(method, name, stream, source, view)]));
    return [[`${path}/${name}`, { ...(parameters.length > 0 && { parameters }), ...item }] as const];
  });
}

function operationObject(method: string, name: string, stream: Stream, { set, names }: Source, view: View): Json {
  const { verb, summary, done } = operations[method] ?? { verb: 'download', summary: method, done: {} };
  const own = name === mediaStream ? 'Bytes' : name.replaceAll('/', '_');
  const content = bytesOf(stream);
  return {
    operationId: view.operationId(`${verb}${names.join('_')}_${own}`),
    tags: [set],
    summary: `${summary} the media stream ${name === mediaStream ? 'of a record' : name} of ${names.join('/')}`,
    parameters: verb === 'download' ? [] : [{ $ref: '#/components/parameters/ifMatch' }],
    ...(verb === 'upload' && { requestBody: { required: true, content } }),
    responses: {
      ...(verb === 'download' && { '200': { description: 'The bytes', content } }),
      '204': { description: verb === 'download' ? 'There is no stream' : 'Done; the answer has no body' },
      ...done,
      ...failuresOf(verb),
    },
  };
}

const text = { type: 'string' };
const headers = { type: 'object', additionalProperties: text };

// oxfmt-ignore
/** A request of a batch in JSON (OData JSON Format 4.01, 19). */
const request: Json = { type: 'object', required: ['id', 'method', 'url'], properties: { id: text, method: text, url: text, headers, body: {}, atomicityGroup: text, dependsOn: { type: 'array', items: text } } };
// oxfmt-ignore
const response: Json = { type: 'object', required: ['id', 'status'], properties: { id: text, status: { type: 'integer' }, headers, body: {}, atomicityGroup: text } };

/** The path of batches; undefined where the model has none, or the document describes some sets only. */
function batchPath({ container, sets, operationId }: View): readonly (readonly [path: string, item: Json])[] {
  if (sets !== undefined || container.unsupported?.includes('$batch')) return [];
  const post = {
    operationId: operationId('batch'),
    tags: [unboundTag],
    summary: 'Send several requests as one',
    requestBody: { required: true, content: contentOf('requests', request) },
    responses: { '200': { description: 'An answer for each request', content: contentOf('responses', response) }, ...failuresOf('batch') },
  };
  return [['/$batch', { post }]];
}

function contentOf(name: string, items: Json): Json {
  return { 'application/json': { schema: { type: 'object', required: [name], properties: { [name]: { type: 'array', items } } } } };
}
