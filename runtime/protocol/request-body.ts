import type { Stream } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { JsonObject } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { mediaTypeAccepted } from '../plan/plan-stream.js';
import type { JsonFormat } from '../plan/value/plan-value.js';
import { parseMediaType } from './negotiate.js';
import type { ODataRequest } from './message.js';

/** The JSON body of a write; other media types and charsets are rejected before it is read. */
export async function readBody(request: ODataRequest): Promise<JsonObject> {
  requireJson(request);
  return parseJsonObject(await request.body());
}

/** An optional body; undefined when it is empty. */
export async function readOptionalBody(request: ODataRequest): Promise<JsonObject | undefined> {
  if (request.header('content-type') !== undefined) requireJson(request);
  const bytes = await request.body();
  if (bytes.length === 0) return undefined;
  requireJson(request);
  return parseJsonObject(bytes);
}

function requireJson(request: ODataRequest): void {
  const sent = request.header('content-type');
  const { type, parameters } = parseMediaType(sent ?? '');
  const charset = parameters.get('charset') ?? 'utf-8';
  const isJson = type === 'application/json';
  if (!isJson || !/^utf-?8$/.test(charset))
    throw errors.unsupportedMediaType(
      sent === undefined || sent === '' ? 'nothing' : sent.slice(0, 64),
      `application/json${isJson ? ' in UTF-8' : ''}`,
    );
  requireNoEncoding(request);
}

/** The format of numbers in the body of a request. */
export function bodyFormat(request: ODataRequest): JsonFormat {
  const { parameters } = parseMediaType(request.header('content-type') ?? '');
  return { ieee754Compatible: parameters.get('ieee754compatible') === 'true' };
}

/** Rejects an encoded body; the answer lists the supported encodings (RFC 9110, 12.5.3). */
function requireNoEncoding(request: ODataRequest): void {
  const encoding = request.header('content-encoding');
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw errors.unsupportedEncoding(encoding.slice(0, 32)).withHeaders({ 'Accept-Encoding': 'identity' });
}

const mediaType = /^[!#$%&'*+.^`|~\w-]+\/[!#$%&'*+.^`|~\w-]+[ \t]*(;[ -~]*)?$/;
const longest = 255;

/** The media type of a body that becomes a stream, as sent; an unacceptable one is rejected before the body is read. */
export function requireMediaType(request: ODataRequest, { mediaTypes }: Stream): string {
  const sent = request.header('content-type')?.trim() ?? '';
  if (!mediaType.test(sent) || sent.length > longest)
    throw errors.unsupportedMediaType(sent === '' ? 'nothing' : sent.slice(0, 64), 'of a media type, such as image/png');
  const { type } = parseMediaType(sent);
  if (!mediaTypeAccepted(type, mediaTypes)) throw errors.unsupportedMediaType(sent.slice(0, 64), mediaTypes?.join(' or '));
  requireNoEncoding(request);
  return sent;
}

// Media types that a browser displays without running scripts in them.
const shown = /^(image\/(?!svg)|audio\/|video\/|text\/plain$|application\/pdf$)/;

/** The Content-Disposition of a stream: content that might contain a script is saved, not opened. */
export function dispositionOf(sent: string): 'inline' | 'attachment' {
  return shown.test(parseMediaType(sent).type) ? 'inline' : 'attachment';
}
