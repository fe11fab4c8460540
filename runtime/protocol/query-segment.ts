import { notAllowed } from './routes.js';
import { errors } from '../errors/catalogue.js';
import type { ResourcePath } from '../uri/resource-path.js';
import { parseMediaType } from './negotiate.js';
import { type ODataRequest, withoutSlashes } from './message.js';

/** A request, and its path as parsed. */
interface PathRequest {
  readonly request: ODataRequest;
  readonly path: ResourcePath;
}

// Segments without query options.
const withoutQuery: ReadonlySet<string> = new Set(['$count', '$ref', '$value', '$metadata']);

/** Turns a POST to `/$query` into the equivalent GET; the body is the query string. */
export async function withoutQuerySegment({ request, path }: PathRequest): Promise<PathRequest> {
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
