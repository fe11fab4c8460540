import type { EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { accessTo } from '../plan/caller.js';
import { planEntity } from '../plan/plan-read.js';
import type { RecordTarget } from '../plan/plan-path.js';
import { planCreate, planUpdate, requireWritable, type WriteContext } from '../plan/plan-write.js';
import { createAliases } from '../plan/scope.js';
import type { ReadPlan } from '../plan/read-plan.js';
import { etagOf } from '../response/record-writer.js';
import { renderEntity, type RenderedEntity } from '../response/render-entity.js';
import type { Connection } from '../sql/statement.js';
import { createRecord, extensionOf } from '../store/create-record.js';
import { deleteRecord } from '../store/delete-record.js';
import type { LockedRecord } from '../store/stored-record.js';
import { lockRecord, updateRecord } from '../store/update-record.js';
import type { WriteScope } from '../store/write-scope.js';
import type { Exchange } from './exchange.js';
import type { ODataResponse } from './message.js';
import { negotiateJson } from './negotiate.js';
import { bodyConditions, conditionsOf, requireMet, type Conditions } from './precondition.js';
import { omissionApplied, preferencesApplied } from './prefer.js';
import { renderFirst } from './read-entity.js';
import { recordFormat } from './record-format.js';
import { bodyFormat, readBody } from './request-body.js';
import { emptyResponse, jsonResponse } from './responses.js';

/** POST to an entity set: 201 with the record as stored. */
export async function createEntity(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'insert', exchange.caller);
  negotiateJson(exchange.request, exchange.options.format);
  const plan = planCreate(target.type, await readBody(exchange.request), writeContext(exchange));
  const written = await exchange.service.store.transaction(async (connection) => {
    const id = await createRecord(plan, connection, writeScope(target, exchange));
    return readBack(target, id, exchange, connection, 201);
  }, exchange.request.recipient);
  return renderWritten(written, exchange, 201);
}

/** PATCH of a record: 200 with the record as stored. */
export async function updateEntity(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'update', exchange.caller);
  negotiateJson(exchange.request, exchange.options.format);
  const body = await readBody(exchange.request);
  const plan = planUpdate(target.type, body, writeContext(exchange));
  const conditions = bodyConditions(exchange.request, body);
  const written = await exchange.service.store.transaction(async (connection) => {
    const locked = await lockTarget(target, conditions, connection);
    const id = await updateRecord(plan, locked, connection, writeScope(target, exchange));
    return readBack(target, id, exchange, connection, 200);
  }, exchange.request.recipient);
  return renderWritten(written, exchange, 200);
}

/** DELETE of a record: 204, and 404 ever after. */
export async function deleteEntity(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'delete', exchange.caller);
  await exchange.service.store.transaction(async (connection) => {
    const locked = await lockTarget(target, conditionsOf(exchange.request), connection);
    await deleteRecord(target.type, locked, connection, writeScope(target, exchange));
  }, exchange.request.recipient);
  return emptyResponse(204, exchange.version);
}

function writeContext({ service, caller, request, preferences }: Exchange): WriteContext {
  return { container: service.container, caller, format: bodyFormat(request), ...(preferences.strict && { strict: true }) };
}

function writeScope({ type }: RecordTarget, { service, caller }: Exchange): WriteScope {
  return { container: service.container, extension: extensionOf(service.extensions, type), member: caller.member };
}

async function lockTarget(target: RecordTarget, conditions: Conditions, connection: Connection): Promise<LockedRecord> {
  if (target.parents.length > 0) throw errors.notImplemented('Writing a record through a navigation path');
  const locked = await lockRecord(target.type, target.key, connection);
  requireMet(conditions, etagOf(locked.version), target.type.etag?.required ?? false);
  return locked;
}

/** A record read back in the transaction that wrote it. */
interface Written extends RenderedEntity {
  readonly readable: boolean;
}

async function readBack(target: RecordTarget, id: string, exchange: Exchange, connection: Connection, status: 200 | 201): Promise<Written> {
  const { type } = target;
  const { options, request } = exchange;
  const readable = accessTo(type, 'read', exchange.caller).allowed;
  const plan = planReadBack(type, id, exchange, readable);
  const format = { ...recordFormat(negotiateJson(request, options.format), exchange), addresses: true };
  // The specification shows this form for a create (section 4.1).
  const context = status === 201 ? `$metadata#${type.entitySet ?? type.name}` : undefined;
  const [rendered] = await renderFirst(plan, connection, (row) => renderEntity(plan, row, format, options.select !== undefined, context));
  if (rendered === undefined) throw new Error(`The ${type.name} ${id} is gone within its own transaction.`);
  return { ...rendered, readable };
}

function planReadBack(type: EntityType, id: string, { context, options: { select, expand, compute } }: Exchange, readable: boolean): ReadPlan {
  const aliases = createAliases();
  const key = [{ column: '#id', sqlType: 'bigint', value: id }];
  const place = { type, alias: aliases.next(), parents: [], key, via: undefined };
  // A writer without a reading scope still gets the record's address, which is read like any other.
  const caller = readable ? context.caller : { ...context.caller, scopes: new Set((type.permissions.read ?? []).map(({ scope }) => scope)) };
  return planEntity(place, { ...(select && { select }), ...(expand && { expand }), ...(compute && { compute }) }, { ...context, aliases, caller });
}

function renderWritten({ body, etag, url, readable }: Written, exchange: Exchange, status: 200 | 201): ODataResponse {
  const format = negotiateJson(exchange.request, exchange.options.format);
  const { preferences } = exchange;
  const isMinimal = preferences.return === 'minimal' || !readable;
  const headers = {
    Location: url,
    ...(etag !== undefined && { ETag: etag }),
    ...preferencesApplied([preferences.return && `return=${preferences.return}`, isMinimal ? undefined : omissionApplied(preferences)]),
  };
  if (isMinimal) return emptyResponse(204, format.version, { ...headers, 'OData-EntityId': url, EntityId: url });
  return jsonResponse(status, body, format, headers);
}
