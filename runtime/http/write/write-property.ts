import { errors } from '../../errors/catalogue.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { DynamicChange } from '../../plan/write/dynamic-change.js';
import type { PropertyTarget } from '../../plan/path-target.js';
import { planSettingGraph } from '../../plan/write/plan-graph.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { etagOf } from '../../response/record-writer.js';
import { findRecord } from '../../store/find-record.js';
import { byNumber } from '../../store/locate-record.js';
import { updateGraph } from '../../store/update-graph.js';
import { dynamicSetting, needsStored } from './dynamic-setting.js';
import type { Exchange } from '../exchange.js';
import type { ODataResponse } from '../../protocol/message.js';
import { bodyConditions } from '../../protocol/precondition.js';
import { preferencesApplied, type Preferences } from '../../protocol/prefer.js';
import { bodyOf, propertyPath, storedCasts, type PropertyPath } from '../../protocol/property-body.js';
import type { Connection } from '../../sql/statement.js';
import { storeOn } from '../../store/store.js';
import { readRaw } from '../../protocol/raw-value.js';
import { isShownAfterWrite, omissionOf, readProperty } from '../read/read-property.js';
import { readBody } from '../../protocol/request-body.js';
import { emptyResponse } from '../../protocol/responses.js';
import { lockMeeting, writeContext, writeScope } from './write-context.js';

/** PUT or PATCH of one property, by its JSON or by its `/$value` (protocol 11.4.9). */
export async function setProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.suffix === '$value') return store(target, exchange, { json: await readRaw(target.field, exchange.request), sent: noBody });
  const sent = await readBody(exchange.request);
  return store(target, exchange, { json: valueIn(target, sent), sent });
}

/** POST to a collection of values: one more item at its end (protocol 11.4.9.4). */
export async function appendValue(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  const sent = await readBody(exchange.request);
  const item = target.dynamic ? valueIn(target, sent) : target.field.type === 'Edm.ComplexType' ? itemIn(sent) : requiredValue(sent);
  return store(target, exchange, { json: { kind: 'array', items: [item] }, sent, appends: true });
}

/** DELETE of one property: it becomes null, and a collection empty. */
export async function clearProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  return store(target, exchange, { json: target.field.collection ? { kind: 'array', items: [] } : null, sent: noBody });
}

const noBody: JsonObject = { kind: 'object', members: new Map() };

function isComplex({ field }: PropertyTarget): boolean {
  return field.type === 'Edm.ComplexType' && !field.collection;
}

// A complex value is the body itself (JSON format 11); what is null has no other form than that of the others.
function valueIn(target: PropertyTarget, sent: JsonObject): Json {
  const value = sent.members.get('value');
  const bare = withoutControl(sent);
  const isObject = target.dynamic ? value === undefined : isComplex(target) && !isNull(bare);
  return isObject ? bare : requiredValue(sent);
}

function itemIn(sent: JsonObject): Json {
  const bare = withoutControl(sent);
  return isNull(bare) ? null : bare;
}

function isNull({ members }: JsonObject): boolean {
  return members.size === 1 && members.get('value') === null;
}

function requiredValue({ members }: JsonObject): Json {
  const json = members.get('value');
  if (json === undefined) throw errors.missingRequired('value').at('value');
  return json;
}

function withoutControl({ members }: JsonObject): JsonObject {
  return { kind: 'object', members: new Map([...members].filter(([name]) => name !== '@odata.context' && name !== '@context' && name !== '@odata.etag' && name !== '@etag')) };
}

/** What a property is to hold. */
interface Setting {
  readonly json: Json;
  /** The body, with the ETag that it may have. */
  readonly sent: JsonObject;
  /** The value is an item that a collection gets beside the others. */
  readonly appends?: true;
}

async function store(target: PropertyTarget, exchange: Exchange, setting: Setting): Promise<ODataResponse> {
  const { type } = target;
  const { container } = exchange.service;
  requireWritable(type, 'update', exchange.caller);
  const isShown = wishOf(exchange) === 'representation' && isShownAfterWrite(target, exchange);
  const path = propertyPath(target.name);
  const change = changeOf(target, exchange, setting);
  // Which types the values in the path are of, and what a dynamic value holds, only the record tells.
  const planned = path.casts.size === 0 && !needsStored(target, change) ? plan(target, path, exchange, setting) : undefined;
  const conditions = bodyConditions(exchange.request, setting.sent);
  return exchange.service.store.transaction(async (connection) => {
    const locked = await lockMeeting(target, conditions, connection, exchange);
    const planStored = (): WritePlan => {
      const actual = storedCasts(path, type, locked, container);
      if (!needsStored(target, change)) return plan(target, actual, exchange, setting);
      const whole = dynamicSetting(target, actual, change, locked.record, writeContext(exchange));
      return planSettingGraph(type, bodyOf(whole.path, whole.json, whole.said), writeContext(exchange));
    };
    const id = await updateGraph(planned ?? planStored(), locked, connection, writeScope(exchange));
    if (isShown && setting.json !== null) return show(recordOf(target, id), exchange, connection);
    const version = (await findRecord(type, byNumber(id), connection, container))?.version ?? locked.version;
    const etag = type.etag ? { ETag: etagOf(version) } : {};
    return emptyResponse(204, exchange.version, { ...etag, ...preferencesApplied([wishOf(exchange) === 'minimal' ? 'return=minimal' : undefined]) });
  }, exchange.request.recipient);
}

// The record itself, whatever way has led to it and whether or not that still does.
function recordOf(target: PropertyTarget, id: string): PropertyTarget {
  const { filter: _, ...unconditional } = target;
  return { ...unconditional, parents: [], key: byNumber(id) };
}

// A PATCH merges what is an object with one that is there (protocol 11.4.9.3).
function changeOf(target: PropertyTarget, { request }: Exchange, { json, sent, appends }: Setting): DynamicChange {
  const said = saidOf(target, sent);
  return { kind: appends ? 'append' : request.method === 'PATCH' ? 'merge' : 'set', json, ...(said !== undefined && { said }) };
}

function saidOf({ dynamic }: PropertyTarget, { members }: JsonObject): Json | undefined {
  return dynamic && members.has('value') ? (members.get('@odata.type') ?? members.get('@type')) : undefined;
}

function plan(target: PropertyTarget, path: PropertyPath, exchange: Exchange, { json, sent, appends }: Setting): WritePlan {
  const name = path.names.join('/');
  const isWhole = exchange.request.method === 'PUT' && isComplex(target) && target.dynamic === undefined;
  const planned = planSettingGraph(target.type, bodyOf(path, json, saidOf(target, sent)), writeContext(exchange), isWhole ? name : undefined);
  return appends ? { ...planned, appends: name } : planned;
}

// What is to be seen of the answer says that one is wanted (protocol 11.4.1.5).
function wishOf({ preferences, options }: Exchange): Preferences['return'] {
  return preferences.return ?? (options.select || options.expand ? 'representation' : undefined);
}

// Read in the transaction that wrote it: what others write is no answer to this request. The conditions are about the value before.
async function show(target: PropertyTarget, exchange: Exchange, connection: Connection): Promise<ODataResponse> {
  const { request, service } = exchange;
  const within = { ...service, store: storeOn(connection) };
  const shown = await readProperty(target, { ...exchange, service: within, request: { ...request, header: (header) => (header.startsWith('if-') ? undefined : request.header(header)) } });
  const { preferences } = exchange;
  return { ...shown, headers: { ...shown.headers, ...preferencesApplied([preferences.return && `return=${preferences.return}`, shown.status === 200 ? omissionOf(target, exchange) : undefined]) } };
}
