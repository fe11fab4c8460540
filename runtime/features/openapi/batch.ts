import type { Json } from './json-document.js';
import { unboundTag } from './calls.js';
import { failuresOf } from './shared.js';
import type { View } from './view.js';

const text = { type: 'string' };
const headers = { type: 'object', additionalProperties: text };

// prettier-ignore
/** A request of a batch in JSON (OData JSON Format 4.01, 19). */
const request: Json = { type: 'object', required: ['id', 'method', 'url'], properties: { id: text, method: text, url: text, headers, body: {}, atomicityGroup: text, dependsOn: { type: 'array', items: text } } };
// prettier-ignore
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
