import { isPrimitive, primitives, type Field } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Target } from '../plan/plan-path.js';
import { planSetting, planUpdate, requireWritable } from '../plan/plan-write.js';
import { etagOf } from '../response/record-writer.js';
import { findRecord } from '../store/find-record.js';
import { byNumber } from '../store/locate-record.js';
import { updateRecord } from '../store/update-record.js';
import { parseMediaType } from './accept.js';
import type { Exchange } from './exchange.js';
import type { ODataRequest, ODataResponse } from './message.js';
import { bodyConditions } from './precondition.js';
import { preferencesApplied } from './prefer.js';
import { readProperty } from './read-property.js';
import { readBody } from './request-body.js';
import { emptyResponse } from './responses.js';
import { lockMeeting, writeContext, writeScope } from './write-context.js';

export type PropertyTarget = Extract<Target, { kind: 'property' }>;

/** PUT or PATCH of one property, by its JSON or by its `/$value` (protocol 11.4.9). */
export async function setProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.suffix === '$value') return store(target, exchange, await readRaw(target, exchange.request), noBody);
  const sent = await readBody(exchange.request);
  if (isComplex(target)) return store(target, exchange, withoutControl(sent), sent);
  const json = sent.members.get('value');
  if (json === undefined) throw errors.missingRequired('value').at('value');
  return store(target, exchange, json, sent);
}

/** DELETE of one property: it becomes null. */
export async function clearProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  return store(target, exchange, null, noBody);
}

const noBody: JsonObject = { kind: 'object', members: new Map() };

function isComplex({ field }: PropertyTarget): boolean {
  return field.type === 'Edm.ComplexType' && !field.collection;
}

// A complex value is the body itself (JSON format 11).
function withoutControl({ members }: JsonObject): JsonObject {
  return { kind: 'object', members: new Map([...members].filter(([name]) => name !== '@odata.context' && name !== '@context' && name !== '@odata.etag' && name !== '@etag')) };
}

// The value is a body with one member, so that every rule of an update holds.
function bodyOf(name: string, json: Json): JsonObject {
  return name.split('/').reduceRight<Json>((inner, part) => ({ kind: 'object', members: new Map([[part, inner]]) }), json) as JsonObject; // A path has one name at least.
}

async function store(target: PropertyTarget, exchange: Exchange, json: Json, sent: JsonObject): Promise<ODataResponse> {
  const { type, name } = target;
  requireWritable(type, 'update', exchange.caller);
  const isWhole = exchange.request.method === 'PUT' && isComplex(target);
  if (isWhole && name.includes('/')) throw errors.notImplemented('PUT of a complex value within another').at(name);
  const plan = (isWhole ? planSetting : planUpdate)(type, bodyOf(name, json), writeContext(exchange));
  const conditions = bodyConditions(exchange.request, sent);
  const version = await exchange.service.store.transaction(async (connection) => {
    const locked = await lockMeeting(target, conditions, connection, exchange);
    const id = await updateRecord(plan, locked, connection, writeScope(exchange));
    return (await findRecord(type, byNumber(id), connection, exchange.service.container))?.version ?? locked.version;
  }, exchange.request.recipient);
  const wish = exchange.preferences.return;
  const applied = preferencesApplied([wish && `return=${wish}`]);
  const etag = type.etag ? { ETag: etagOf(version) } : {};
  if (wish !== 'representation' || json === null) return emptyResponse(204, exchange.version, { ...etag, ...(wish === 'minimal' && applied) });
  const { request } = exchange;
  const answer = await readProperty(target, { ...exchange, request: { ...request, header: (header) => (header.startsWith('if-') ? undefined : request.header(header)) } });
  return { ...answer, headers: { ...answer.headers, ...applied } };
}

// Protocol 11.4.9.2: a raw value is plain text.
async function readRaw({ field }: PropertyTarget, request: ODataRequest): Promise<Json> {
  const sent = request.header('content-type');
  if (parseMediaType(sent ?? '').type !== 'text/plain') throw errors.unsupportedMediaType(sent?.slice(0, 64) ?? 'nothing', 'text/plain');
  const text = Buffer.from(await request.body()).toString('utf8');
  return jsonOf(field, text);
}

function jsonOf(field: Field, text: string): Json {
  const cell = isPrimitive(field.type) ? primitives[field.type].cell : undefined;
  if (cell === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (cell === 'number' || cell === 'bigNumber' || cell === 'double') && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text);
  return isNumber ? { kind: 'number', text } : text;
}
