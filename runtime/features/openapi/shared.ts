import { documentedErrors } from '../../errors/documentation.js';
import { renderError } from '../../errors/odata-error.js';
import { withNames } from '../../errors/sample-names.js';
import { type Json, mapValues } from './json-document.js';
import type { View } from './view.js';

// oxfmt-ignore
/** The operations of a document. */
export type Verb = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete' | 'call' | 'act' | 'download' | 'upload' | 'remove' | 'batch';

interface Parameter {
  readonly name: string;
  readonly of: readonly Verb[];
  readonly in?: 'header';
  readonly schema: Json;
  readonly description: string;
}

const text = { type: 'string' };
const reads: readonly Verb[] = ['list', 'get'];
const changes: readonly Verb[] = ['create', 'update', 'replace'];

// oxfmt-ignore
/** The options and headers that operations share; the schemas have the names of properties. */
export const parameters: { readonly [component: string]: Parameter } = {
  filter: { name: '$filter', of: ['list'], schema: text, description: 'A condition on records, as in `‹text› eq \'x\'`' },
  search: { name: '$search', of: ['list'], schema: text, description: 'Words that records contain' },
  orderby: { name: '$orderby', of: ['list'], schema: text, description: 'Properties to sort by, each with `asc` or `desc`, separated by commas' },
  apply: { name: '$apply', of: ['list'], schema: text, description: 'Aggregations, as in `groupby((‹text›),aggregate($count as Count))`' },
  top: { name: '$top', of: ['list'], schema: { type: 'integer', minimum: 0 }, description: 'The number of records' },
  skip: { name: '$skip', of: ['list'], schema: { type: 'integer', minimum: 0 }, description: 'The number of records to skip' },
  count: { name: '$count', of: ['list'], schema: { type: 'boolean' }, description: 'Whether the answer has the number of all records that match' },
  select: { name: '$select', of: reads, schema: text, description: 'Properties to return, separated by commas' },
  expand: { name: '$expand', of: reads, schema: text, description: 'Related records to return, each with options in parentheses, as in `‹related›($top=5)`' },
  compute: { name: '$compute', of: reads, schema: text, description: 'Computed properties, as in `‹number› mul 2 as Double`' },
  prefer: { name: 'Prefer', of: ['list', ...changes], in: 'header', schema: text, description: '`odata.maxpagesize=100`, `return=minimal` or `return=representation`' },
  ifMatch: { name: 'If-Match', of: ['update', 'replace', 'delete'], in: 'header', schema: text, description: 'The ETag of the record that is to be changed' },
  ifNoneMatch: { name: 'If-None-Match', of: ['get'], in: 'header', schema: text, description: 'The ETag of the record that the client has; 304 if it is current' },
};

interface Failure {
  readonly name: string;
  readonly of: readonly Verb[];
  readonly description: string;
  readonly retryAfter?: true;
}

const ofStreams: readonly Verb[] = ['download', 'upload', 'remove'];
const called: readonly Verb[] = ['call', 'act'];
const all: readonly Verb[] = [...reads, ...changes, 'delete', ...called, ...ofStreams, 'batch'];
const keyed: readonly Verb[] = ['get', 'update', 'replace', 'delete', ...called, ...ofStreams];

// oxfmt-ignore
/** The failures of operations by status; each has an example for every code. */
const failures: { readonly [status: number]: Failure } = {
  400: { name: 'BadRequest', of: all, description: 'The path, an option or the body is invalid' },
  401: { name: 'Unauthorized', of: all, description: 'The token is missing, invalid or expired' },
  403: { name: 'Forbidden', of: all, description: 'The token does not permit this' },
  404: { name: 'NotFound', of: keyed, description: 'There is no such record' },
  406: { name: 'NotAcceptable', of: [...reads, ...called, 'download'], description: 'The accepted formats are not supported' },
  409: { name: 'Conflict', of: [...changes, 'delete', 'act', 'upload', 'remove'], description: 'The change conflicts with another record or request' },
  410: { name: 'Gone', of: ['list'], description: 'The link to the next page is outdated' },
  412: { name: 'PreconditionFailed', of: keyed, description: 'The record has changed since its ETag was read' },
  413: { name: 'ContentTooLarge', of: [...changes, 'act', 'upload', 'batch'], description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', of: [...changes, 'act', 'upload', 'batch'], description: 'The media type of the body is not accepted' },
  428: { name: 'PreconditionRequired', of: ['update', 'replace', 'delete', 'act', 'upload', 'remove'], description: 'The change needs If-Match' },
  429: { name: 'TooManyRequests', of: all, description: 'Too many requests; wait', retryAfter: true },
  500: { name: 'InternalError', of: all, description: 'The service failed' },
  501: { name: 'NotImplemented', of: all, description: 'The service does not support this part of OData' },
  503: { name: 'Unavailable', of: all, description: 'The service is unavailable at present; nothing was changed', retryAfter: true },
};

/** References to the failures of an operation by status. */
export function failuresOf(verb: Verb, isWithout: (status: string) => boolean = () => false): Json {
  return Object.fromEntries(
    Object.entries(failures).flatMap(([status, { name, of }]) =>
      of.includes(verb) && !isWithout(status) ? [[status, { $ref: `#/components/responses/${name}` }]] : [],
    ),
  );
}

/** The components that every document has, except schemas of the model. */
export function sharedComponents({ schemas, tokenUrl, caller, basic }: View): Json {
  const error = schemas.refer('error', 'ODataError', () => errorSchema);
  schemas.refer('page', 'Page', () => pageSchema);
  return {
    parameters: mapValues(parameters, parameterOf),
    responses: Object.fromEntries(Object.entries(failures).map(([status, row]) => [row.name, failureResponse(Number(status), row, error)])),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      ...(basic && { basic: { type: 'http', scheme: 'basic', description: 'Name and secret of a client' } }),
      clientCredentials: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl, scopes: Object.fromEntries([...caller.scopes].sort().map((scope) => [scope, ''])) } },
      },
    },
  };
}

// Examples have no names of the model: the caller may not know them.
function parameterOf({ name, in: place, schema, description }: Parameter): Json {
  return { name, in: place ?? 'query', description: withNames(description), schema };
}

function failureResponse(status: number, { description, retryAfter }: Failure, schema: Json): Json {
  return {
    description,
    ...(retryAfter && { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }),
    content: { 'application/json': { schema, examples: examplesOf(status) } },
  };
}

function examplesOf(status: number): Json {
  const rows = documentedErrors.filter(({ statuses }) => statuses.includes(status));
  return Object.fromEntries(
    rows.map(({ code, meaning, example }) => [
      code,
      { summary: meaning, value: JSON.parse(renderError(example, { requestId: 'f3b1' })) as Json },
    ]),
  );
}

const detail = { code: text, message: text, target: text };

const whole = { type: 'integer' };
const position = { type: 'object', properties: { option: text, at: whole, length: whole, pointer: text } };

const errorSchema: Json = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        ...detail,
        details: { type: 'array', items: { type: 'object', properties: detail, required: ['code', 'message'] } },
        innererror: { type: 'object', properties: { requestId: text, position, help: { type: 'string', format: 'uri' } } },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
};

const pageSchema: Json = {
  type: 'object',
  properties: {
    '@odata.context': text,
    '@odata.count': { type: 'integer', format: 'int64', description: 'The number of all records that match; with $count=true' },
    '@odata.nextLink': { type: 'string', format: 'uri', description: 'The address of the next page; absent on the last one' },
  },
};
