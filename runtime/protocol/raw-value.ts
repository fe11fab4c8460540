import { isPrimitive, primitives, type Field } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { excerpt } from '../expression/quote.js';
import type { Json } from '../json/json.js';
import { plainText } from '../response/plain-text.js';
import { parseMediaType } from './accept.js';
import { dispositionOf } from './media-type.js';
import type { ODataRequest, ODataResponse } from './message.js';
import { textResponse } from './responses.js';

/** The media type of a property's raw value: what Core.MediaType says, bytes for binary values, text for all others (protocol 11.2.4.2). */
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

function rawText(field: Field, cell: string): string {
  if (!isPoint(field)) return plainText(field, cell);
  // `(x,y)` of the database, as well-known text (ABNF rule fullPointLiteral).
  return `SRID=${field.srid ?? 0};Point(${cell.slice(1, -1).replace(',', ' ')})`;
}

/** The value that a raw body stands for; its form is checked with every other value. */
export async function readRaw(field: Field, request: ODataRequest): Promise<Json> {
  const sent = request.header('content-type');
  const accepted = rawMediaType(field);
  if (parseMediaType(sent ?? '').type !== parseMediaType(accepted).type) throw errors.unsupportedMediaType(sent?.slice(0, 64) ?? 'nothing', accepted);
  const body = Buffer.from(await request.body());
  return field.type === 'Edm.Binary' ? body.toString('base64url') : jsonOf(field, body.toString('utf8'));
}

function jsonOf(field: Field, text: string): Json {
  if (isPoint(field)) return pointOf(field, text);
  const cell = isPrimitive(field.type) ? primitives[field.type].cell : undefined;
  if (cell === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (cell === 'number' || cell === 'bigNumber' || cell === 'double') && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text);
  return isNumber ? { kind: 'number', text } : text;
}

function isPoint({ type }: Field): boolean {
  return isPrimitive(type) && primitives[type].cell === 'point';
}

const number = String.raw`([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)`;
const wellKnownPoint = new RegExp(String.raw`^(?:SRID=(\d{1,6});)?\s*Point\s*\(\s*${number}\s+${number}\s*\)$`, 'i');

function pointOf({ srid = 0 }: Field, text: string): Json {
  const [, said, x, y] = wellKnownPoint.exec(text.trim()) ?? [];
  if (x === undefined || y === undefined || (said !== undefined && Number(said) !== srid)) throw errors.invalidValue(excerpt(text), '/$value', `: write SRID=${srid};Point(-79.38 43.65)`);
  const items = [x, y].map((one): Json => ({ kind: 'number', text: one.replace(/^\+/, '') }));
  return { kind: 'object', members: new Map<string, Json>([['type', 'Point'], ['coordinates', { kind: 'array', items }]]) };
}
