import { type Field, isGeo, isPrimitive, primitives } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { Json } from '../../json/json.js';
import { parseJsonObject } from '../../json/parse-json.js';
import { requireShapes } from '../../plan/value/hooks.js';
import { plainText } from '../../response/cell.js';
import { parseMediaType } from '../../protocol/negotiate.js';
import { dispositionOf } from '../../protocol/request-body.js';
import { type ODataRequest, type ODataResponse, textResponse } from '../../protocol/message.js';

/** The media type of a property's raw value: that of Core.MediaType, bytes for binary values, otherwise text (protocol 11.2.4.2). */
export function rawMediaType({ type, mediaType }: Field): string {
  return mediaType ?? (type === 'Edm.Binary' ? 'application/octet-stream' : 'text/plain');
}

/** A property's raw value. */
export function rawResponse(field: Field, cell: string, version: string, headers: Readonly<Record<string, string>>): ODataResponse {
  const type = rawMediaType(field);
  const own = type === 'text/plain' ? {} : { 'Content-Type': type, 'Content-Disposition': dispositionOf(type) };
  const answer = textResponse(rawText(field, cell), version, { ...headers, ...own });
  return field.type === 'Edm.Binary' ? { ...answer, body: Buffer.from(cell.slice(2), 'hex') } : answer;
}

// Points are well-known text (ABNF rule fullPointLiteral); the database gives `(x,y)`.
function rawText(field: Field, cell: string): string {
  if (!isGeo(field.type)) return plainText(field, cell);
  return requireShapes('/$value').printRaw(field, parseJsonObject(Buffer.from(plainText(field, cell))));
}

/** Reads a raw body as a JSON value, which is checked like any other value. */
export async function readRaw(field: Field, request: ODataRequest): Promise<Json> {
  const sent = request.header('content-type');
  const accepted = rawMediaType(field);
  if (parseMediaType(sent ?? '').type !== parseMediaType(accepted).type)
    throw errors.unsupportedMediaType(sent?.slice(0, 64) ?? 'nothing', accepted);
  const body = Buffer.from(await request.body());
  return field.type === 'Edm.Binary' ? body.toString('base64url') : jsonOf(field, body.toString('utf8'));
}

function jsonOf(field: Field, text: string): Json {
  if (isGeo(field.type)) return requireShapes('/$value').readRaw(field, text);
  const cell = isPrimitive(field.type) ? primitives[field.type].cell : undefined;
  // ABNF rule booleanValue: case-insensitive.
  if (cell === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isNumber = (cell === 'number' || cell === 'bigNumber' || cell === 'double') && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text);
  return isNumber ? { kind: 'number', text } : text;
}
