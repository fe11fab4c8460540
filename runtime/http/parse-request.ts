import type { EntityContainer } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { refuseUnplannedOptions } from '../plan/check/unplanned.js';
import { type ODataRequest, withoutSlashes } from '../protocol/message.js';
import { bindAliases } from '../uri/bind-aliases.js';
import { parseQueryOptions } from '../uri/parse-query-options.js';
import { parseResourcePath } from '../uri/parse-resource-path.js';
import type { PlacedRequest } from '../uri/position.js';
import type { ParsedQuery, QueryOptions } from '../uri/query-options.js';
import type { ResourcePath } from '../uri/resource-path.js';
import type { ParameterRecording } from '../uri/shape.js';
import { httpHooks } from './hooks.js';
import type { Exchange, Service } from './service.js';
import { notAllowed } from '../protocol/routes.js';
import { parseMediaType } from '../protocol/negotiate.js';

/** The parts of a request that are parsed so far. */
export type ParsedParts = { -readonly [Name in keyof PlacedRequest]: PlacedRequest[Name] };

/** A request whose path and options are parsed; the request is a GET where it was a POST to `$query`. */
interface ParsedRequest extends Pick<Exchange, 'request' | 'options' | 'raw' | 'parameters'> {
  readonly path: ResourcePath;
}

/** Parses the path and the query of a request, and adds each to `parts`; rejects options that have no effect. */
export async function parseRequest(
  sent: ODataRequest,
  { container }: Service,
  parts: ParsedParts,
  recording: ParameterRecording | undefined,
): Promise<ParsedRequest> {
  const whole = { request: sent.method === 'GET' ? sent : keepingBody(sent, parts), path: parseResourcePath(sent.path, recording) };
  const { request, path } = whole.path.parts.at(-1)?.name === '$query' ? await withoutQuerySegment(whole) : whole;
  Object.assign(parts, { query: request.query, parts: path.parts });
  const query = parseQuery(request.query, recording);
  parts.options = query.options;
  requirePlannedOptions(query.options, container);
  requireCurrentSchema(query.options, container);
  return { request, path, ...query };
}

/** The request whose body is added to `parts`: errors of a JSON body have their position in it. */
export function keepingBody(request: ODataRequest, parts: ParsedParts): ODataRequest {
  if (!/json/i.test(request.header('content-type') ?? '')) return request;
  return { ...request, body: async (limit) => (parts.body = await request.body(limit)) };
}

// The path gets the aliases' values unexpanded, since its keys are no expressions.
function parseQuery(query: string, recording: ParameterRecording | undefined): ParsedQuery & Pick<Exchange, 'parameters'> {
  const parsed = parseQueryOptions(query, recording);
  if (!/@|%40/.test(query)) return parsed;
  const { aliases } = parsed.options;
  return { ...parsed, options: bindAliases(parsed.options), ...(aliases && { parameters: aliases }) };
}

// Whether $id and $index apply is decided with the target.
function requirePlannedOptions({ deltatoken }: QueryOptions, container: EntityContainer): void {
  if (deltatoken !== undefined && httpHooks.find('readTracked') === undefined) refuseUnplannedOptions({ deltatoken }, container);
}

// The option selects a published version of the schema (protocol, "System Query Option $schemaversion"), of which only
// the current one exists.
function requireCurrentSchema({ schemaversion }: QueryOptions, { schemaVersion }: EntityContainer): void {
  if (schemaversion === undefined || schemaversion === '*' || schemaversion === schemaVersion) return;
  const hint = ` Write $schemaversion=${schemaVersion ?? '*'}, which is the current version, or omit the option.`;
  throw errors.notFound(`version ${schemaversion} of the schema`, hint).at('$schemaversion');
}

interface PathRequest {
  readonly request: ODataRequest;
  readonly path: ResourcePath;
}

// Segments without query options.
const withoutQuery: ReadonlySet<string> = new Set(['$count', '$ref', '$value', '$metadata']);

/** Turns a POST to `/$query` into the equivalent GET; the body is the query string. */
async function withoutQuerySegment({ request, path }: PathRequest): Promise<PathRequest> {
  const resource = path.parts.slice(0, -1);
  const before = resource.at(-1);
  if (path.parts.at(-1)?.name !== '$query' || before === undefined || withoutQuery.has(before.name)) return { request, path };
  if (request.method !== 'POST') throw notAllowed(request.method, ['POST']);
  requirePlainText(request.header('content-type'));
  const query = [request.query, queryText(await request.body())].filter((text) => text !== '').join('&');
  return { request: { ...request, method: 'GET', path: withoutLastSegment(request.path), query }, path: { parts: resource } };
}

// The last segment has neither a key nor a slash in it.
function withoutLastSegment(path: string): string {
  const whole = withoutSlashes(path);
  return withoutSlashes(whole.slice(0, whole.lastIndexOf('/')));
}

function requirePlainText(sent: string | undefined): void {
  if (parseMediaType(sent ?? '').type !== 'text/plain') throw errors.unsupportedMediaType(sent?.slice(0, 64) ?? 'nothing', 'text/plain');
}

// The body is URL-encoded, and becomes part of the URLs in the answer.
function queryText(body: Uint8Array): string {
  const text = Buffer.from(body).toString('latin1');
  const at = text.search(/[^!-~]/);
  if (at < 0) return text;
  const error = errors
    .syntax('the body', at, 'it is percent-encoded like a URL, so write %20 for a space, and no line breaks')
    .at('$query');
  error.position = { option: 'body', at: at + 1, length: 1 };
  throw error;
}
