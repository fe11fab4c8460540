import { isHidden } from '../../plan/caller.js';
import { mediaStream, type Stream } from '../../edm/index.js';
import { streamMethods } from '../../protocol/routes.js';
import type { Json } from './json-document.js';
import { addressesOf, bytesOf } from './operations.js';
import { failuresOf, type Verb } from './shared.js';
import { mayChange, type Source, typeOf, type View } from './view.js';
import { unboundTag } from './calls.js';

// oxfmt-ignore
/** The operations of a media stream by method. */
const operations: { readonly [method: string]: { readonly verb: Verb; readonly summary: string; readonly done: Json } } = {
  GET: { verb: 'download', summary: 'Read', done: { '304': { description: 'The client has the current bytes' } } },
  PUT: { verb: 'upload', summary: 'Store', done: {} },
  DELETE: { verb: 'remove', summary: 'Delete', done: {} },
};

/** The paths of the media streams of a source's records. */
export function streamPaths(source: Source, view: View): readonly (readonly [path: string, item: Json])[] {
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
export function batchPath({ container, sets, operationId }: View): readonly (readonly [path: string, item: Json])[] {
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
