import { httpHooks } from '../../http/hooks.js';
import { planHooks } from '../../plan/hooks.js';
import { fromProperty, propertyAt } from './plan/property-path.js';
import { readProperty, isShownAfterWrite, omissionOf, requireVisible } from './read-property.js';
import { errors } from '../../errors/catalogue.js';
import { type Json, type JsonObject, jsonObject, withoutMembers } from '../../json/json.js';
import { propertyPath, type PropertyPath, storedPath, bodyOf } from './stored-path.js';
import type { PropertyTarget } from '../../plan/path/path-target.js';
import { planSettingGraph } from '../../plan/write/plan-graph.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { etagOf } from '../../response/record-format.js';
import { byNumber, findRecord } from '../../store/locate-record.js';
import { updateRecord } from '../../store/update-record.js';
import type { Exchange } from '../../http/service.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { bodyConditions } from '../../protocol/precondition.js';
import { preferencesApplied } from '../../protocol/prefer.js';
import type { Connection } from '../../sql/statement.js';
import { storeOn } from '../../store/store.js';
import { readRaw } from './raw-value.js';
import { readBody } from '../../protocol/request-body.js';
import { wantsAnswer } from '../../http/write/write-answer.js';
import { lockMeeting, writeContext, writeTransaction } from '../../http/write/write-context.js';
import { statedType } from '../../plan/value/control-information.js';

/** Registers requests of properties at their addresses. */
export function registerPropertyAddresses(): void {
  planHooks.register({ propertyAt, fromProperty });
  httpHooks.register({
    propertyOperations: {
      read: readProperty,
      operate: (target, exchange) => {
        const { method } = exchange.request;
        if (method === 'GET' || method === 'HEAD') return readProperty(target, exchange);
        if (method === 'POST') return appendValue(target, exchange);
        return method === 'DELETE' ? clearProperty(target, exchange) : setProperty(target, exchange);
      },
    },
  });
}

/** PUT or PATCH of one property, as JSON or raw `/$value` (protocol 11.4.9). */
async function setProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  if (target.suffix === '$value') return store(target, exchange, { json: await readRaw(target.field, exchange.request), sent: noBody });
  const sent = await readBody(exchange.request);
  return store(target, exchange, { json: valueIn(target, sent), sent });
}

/** POST to a collection of values: adds an item at the end or at `$index` (protocol 11.4.9.4 and 11.4.11). */
async function appendValue(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  const sent = await readBody(exchange.request);
  return store(target, exchange, {
    json: target.field.type === 'Edm.ComplexType' ? itemIn(sent) : requiredValue(sent),
    sent,
    isInsert: true,
  });
}

/** DELETE of one property: a value becomes null, a collection empty. */
async function clearProperty(target: PropertyTarget, exchange: Exchange): Promise<ODataResponse> {
  return store(target, exchange, { json: target.field.collection ? { kind: 'array', items: [] } : null, sent: noBody });
}

const noBody = jsonObject();

function isComplex({ field }: PropertyTarget): boolean {
  return field.type === 'Edm.ComplexType' && !field.collection;
}

// A complex value is the body itself (JSON format 11); null has the form of other values.
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

function withoutControl(body: JsonObject): JsonObject {
  return withoutMembers(body, (name) => /^@(?:odata\.)?(?:context|etag)$/.test(name));
}

interface Setting {
  readonly json: Json;
  /** The body, which may have an ETag. */
  readonly sent: JsonObject;
  /** Whether the value is a new item of the collection. */
  readonly isInsert?: true;
}

async function store(target: PropertyTarget, exchange: Exchange, setting: Setting): Promise<ODataResponse> {
  const { type } = target;
  const { container } = exchange.service;
  requireWritable(type, 'update', exchange.caller);
  const isNewItem = setting.isInsert === true;
  // The index of an item and the position of a fault are reported only to callers who may read the items.
  if (exchange.options.index !== undefined || (isNewItem && target.field.complex !== undefined)) requireVisible(target, exchange);
  const isShown = wantsAnswer(exchange) && isShownAfterWrite(target, exchange);
  const path = propertyPath(target.name);
  // The types of the values on the path, and the number of items, depend on the stored entity.
  const planned = !isNewItem && path.casts.size === 0 ? plan(target, path, exchange, setting) : undefined;
  const conditions = bodyConditions(exchange.request, setting.sent);
  return exchange.service.store.transaction(async (connection) => {
    const locked = await lockMeeting(target, conditions, connection, exchange);
    const planStored = (): WritePlan => {
      const actual = storedPath(path, type, locked.record, container);
      return plan(target, actual, exchange, setting, isNewItem ? actual.count : undefined);
    };
    const id = await updateRecord(planned ?? planStored(), locked, writeTransaction(exchange, connection));
    if (isShown && (setting.json !== null || setting.isInsert)) return show(recordOf(target, id), exchange, connection);
    const version = (await findRecord(type, byNumber(id), { connection, container }))?.version ?? locked.version;
    const etag = type.etag ? { ETag: etagOf(version) } : {};
    return emptyResponse(204, exchange.version, {
      ...etag,
      ...preferencesApplied([exchange.preferences.return === 'minimal' ? 'return=minimal' : undefined]),
    });
  }, exchange.request.recipient);
}

// The entity by its `#id`, even if it is no longer at the path.
function recordOf(target: PropertyTarget, id: string): PropertyTarget {
  const { filter: _, ...unconditional } = target;
  return { ...unconditional, parents: [], key: byNumber(id) };
}

// A new item is placed among the `count` stored items.
function plan(target: PropertyTarget, path: PropertyPath, exchange: Exchange, { json, sent }: Setting, count?: number): WritePlan {
  const isWhole = exchange.request.method === 'PUT' && (target.dynamic !== undefined || isComplex(target));
  const at = path.names.join('/');
  if (count === undefined) {
    const body = bodyOf(path, json, target.dynamic && sent.members.has('value') ? statedType(sent.members) : undefined);
    return planSettingGraph(target.type, body, writeContext(exchange), isWhole ? at : undefined);
  }
  const newItem = { root: path.names[0] ?? '', path: at, place: insertPlace(target.name, exchange.options.index, count) };
  const body = bodyOf(path, { kind: 'array', items: [json] });
  return { ...planSettingGraph(target.type, body, { ...writeContext(exchange), newItem }, undefined), newItem };
}

// Read in the transaction of the write, so that concurrent writes do not show. The conditions apply to the earlier value.
async function show(target: PropertyTarget, exchange: Exchange, connection: Connection): Promise<ODataResponse> {
  const { request, service } = exchange;
  const within = { ...service, store: storeOn(connection) };
  const shown = await readProperty(target, {
    ...exchange,
    service: within,
    request: { ...request, header: (header) => (header.startsWith('if-') ? undefined : request.header(header)) },
  });
  const { preferences } = exchange;
  return {
    ...shown,
    headers: {
      ...shown.headers,
      ...preferencesApplied([
        preferences.return && `return=${preferences.return}`,
        shown.status === 200 ? omissionOf(target, exchange) : undefined,
      ]),
    },
  };
}

// The end, or `$index`; -1 makes a new item the last one (protocol 11.4.11).
function insertPlace(name: string, index: number | undefined, count: number): number {
  const place = index === undefined ? count : index < 0 ? count + 1 + index : index;
  if (place >= 0 && place <= count) return place;
  throw errors
    .badOption(
      `$index=${index} is not a position in ${name}, which has ${count} item${count === 1 ? '' : 's'}: a new item has a position from 0 to ${count}, or -1 for the end.`,
    )
    .at('$index');
}
