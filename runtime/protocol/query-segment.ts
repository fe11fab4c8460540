import { errors } from '../errors/catalogue.js';
import type { ResourcePath } from '../uri/resource-path.js';
import { parseMediaType } from './accept.js';
import type { ODataRequest } from './message.js';

/** A request, and its path as parsed. */
interface PathRequest {
  readonly request: ODataRequest;
  readonly path: ResourcePath;
}

// These are no resources that take query options of their own.
const withoutQuery: ReadonlySet<string> = new Set(['$count', '$ref', '$value', '$metadata']);

/** A POST to `/$query` as the GET that it stands for; its body is the query string, for those that are too long for a URL. */
export async function withoutQuerySegment({ request, path }: PathRequest): Promise<PathRequest> {
  const resource = path.parts.slice(0, -1);
  const before = resource.at(-1);
  if (path.parts.at(-1)?.name !== '$query' || before === undefined || withoutQuery.has(before.name)) return { request, path };
  if (request.method !== 'POST') throw errors.methodNotAllowed(request.method.slice(0, 16), 'POST').withHeaders({ Allow: 'POST' });
  requirePlainText(request.header('content-type'));
  const query = [request.query, queryText(await request.body())].filter((text) => text !== '').join('&');
  return { request: { ...request, method: 'GET', path: withoutLastSegment(request.path), query }, path: { parts: resource } };
}

// It has neither a key nor a slash in it.
function withoutLastSegment(path: string): string {
  const whole = withoutSlashes(path);
  return withoutSlashes(whole.slice(0, whole.lastIndexOf('/')));
}

/** A path without the slashes at its end. Each run of slashes is looked at once: a path may be made of nothing else. */
export function withoutSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}

function requirePlainText(sent: string | undefined): void {
  if (parseMediaType(sent ?? '').type !== 'text/plain') throw errors.unsupportedMediaType(sent?.slice(0, 64) ?? 'nothing', 'text/plain');
}

// The body is encoded like a URL, and becomes part of one in the links of the answer.
function queryText(body: Uint8Array): string {
  const text = Buffer.from(body).toString('latin1');
  const at = text.search(/[^!-~]/);
  if (at < 0) return text;
  throw errors.syntax('the body', at, 'it is percent-encoded like a URL, so write %20 for a space, and no line breaks').at('$query');
}
