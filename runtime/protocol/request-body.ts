import { errors } from '../errors/catalogue.js';
import type { JsonObject } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import type { JsonFormat } from '../plan/value/plan-value.js';
import { parseMediaType } from './accept.js';
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
  if (type !== 'application/json' || !/^utf-?8$/.test(charset)) throw errors.unsupportedMediaType(sent?.slice(0, 64) ?? 'nothing');
  requireNoEncoding(request);
}

/** The format of numbers in the body of a request. */
export function bodyFormat(request: ODataRequest): JsonFormat {
  const { parameters } = parseMediaType(request.header('content-type') ?? '');
  return { ieee754Compatible: parameters.get('ieee754compatible') === 'true' };
}

/** Rejects an encoded body; the answer lists the supported encodings (RFC 9110, 12.5.3). */
export function requireNoEncoding(request: ODataRequest): void {
  const encoding = request.header('content-encoding');
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw errors.unsupportedEncoding(encoding.slice(0, 32)).withHeaders({ 'Accept-Encoding': 'identity' });
}
