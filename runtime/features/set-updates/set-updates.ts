import { httpHooks } from '../../http/hooks.js';
import type { EntityType } from '../../edm/entity-type.js';
import { errors, requireNoFaults } from '../../errors/catalogue.js';
import { ODataError, type ErrorDetail } from '../../errors/odata-error.js';
import { type DeltaChange, type DeltaOperation, deltaValue, planAdded, planDelta, requireOffered } from './plan-delta.js';
import { planRelation, planUpdateGraph } from '../../plan/write/plan-graph.js';
import { beneath, type GraphContext } from '../../plan/write/plan-link.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { Connection } from '../../sql/statement.js';
import { attempt } from '../../store/savepoint.js';
import { createRecord } from '../../store/create-record.js';
import { deleteRecord } from '../../store/delete-record.js';
import { findTarget, byNumber, findRecord, memberNumbers } from '../../store/locate-record.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { updateRecord } from '../../store/update-record.js';
import type { WriteScope } from '../../store/write-scope.js';
import { deltaAnswer, type AppliedChange } from './delta-answer.js';
import type { Exchange } from '../../http/service.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson, versionOfBody } from '../../protocol/negotiate.js';
import { readBody } from '../../protocol/request-body.js';
import type { RecordsTarget } from '../../protocol/routes.js';
import { readMember, showingBody, wantsAnswer } from '../../http/write/write-answer.js';
import type { Addressed } from '../../http/write/kept-read-back.js';
import { lockMeeting, relationOf, writeContext, writeScope, writeTransaction } from '../../http/write/write-context.js';
import { type JsonObject, jsonObject } from '../../json/json.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { conditionsOf, requireMetByEach } from '../../protocol/precondition.js';

/** Registers the writes of several records by one request. */
export function registerSetUpdates(): void {
  httpHooks.register({ updateCollection, updateMembers, deleteMembers });
}

/** PATCH of an entity set with a delta (protocol 11.4.11): added and changed entities are upserted, removed ones deleted. */
async function updateCollection(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  requireDelta(exchange);
  if (target.parents.length > 0) return updateRelated(target, exchange);
  const { type } = target;
  // Before any lookup, so that the rejection does not reveal what exists.
  requireWritable(type, 'update', exchange.caller);
  const context = writeContext(exchange);
  const changes = planDelta(type, await readBody(exchange.request), context);
  const writing: Writing = { type, exchange, context, scope: writeScope(exchange) };
  const applyTo = exchange.preferences.continueOnError ? applySome : applyAll;
  const applied = await exchange.service.store.transaction(
    (connection) => applyTo(changes, writing, connection),
    exchange.request.recipient,
  );
  return deltaAnswer(applied, { type, named: writing.scope.named }, exchange);
}

// Below an entity, a delta is an update of its navigation property.
async function updateRelated(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const { request, service, version } = exchange;
  const { parent, name } = relationOf(target, exchange);
  const delta = deltaValue(await readBody(request));
  const plan = planRelation(parent.type, `${name}@delta`, delta, writeContext(exchange));
  await service.store.transaction(async (connection) => {
    await updateRecord(plan, await lockMeeting(parent, { ifMatch: '*' }, connection, exchange), writeTransaction(exchange, connection));
  }, request.recipient);
  return emptyResponse(204, version);
}

function requireDelta({ request, options }: Exchange): void {
  if (versionOfBody(request) === '4.0') throw errors.newerVersion('Changing a collection with a delta payload');
  negotiateJson(request, options.format);
  if (options.compute) throw errors.badOption('$compute cannot be used with a delta payload.').at('$compute');
}

interface Writing {
  readonly type: EntityType;
  readonly exchange: Exchange;
  readonly context: GraphContext;
  /** One scope for all changes, so that the answer has all names. */
  readonly scope: WriteScope;
}

// Atomic; the faults of all changes are reported together.
async function applyAll(changes: readonly DeltaChange[], writing: Writing, connection: Connection): Promise<readonly AppliedChange[]> {
  const applied = await applySome(changes, writing, connection);
  const faults = applied.flatMap((one): readonly ErrorDetail[] => {
    if (one.kind !== 'failed') return [];
    const { at } = one.change;
    const { refusal } = one;
    if (refusal.code !== errors.notSaved.code) throw refusal.at(at);
    return (refusal.details ?? []).map((fault) => beneath(at, fault));
  });
  requireNoFaults(writing.type, faults);
  return applied;
}

// With continue-on-error (protocol 8.2.8.3) valid changes are applied, and the answer reports the others.
async function applySome(changes: readonly DeltaChange[], writing: Writing, connection: Connection): Promise<readonly AppliedChange[]> {
  const applied: AppliedChange[] = [];
  for (const change of changes) {
    const found = change.place && (await findTarget(change.place, { ...writing.scope, connection }));
    const operation = change.isRemoved ? 'delete' : found ? 'update' : 'insert';
    const outcome = await attempt(async (part) => {
      requireNoFaults(writing.type, change.faults);
      requireOffered(writing.type, operation, writing.context);
      return apply[operation](change, found, writing, part);
    }, connection);
    applied.push(
      outcome instanceof ODataError ? { kind: 'failed', operation, change, refusal: outcome, ...(found && { found }) } : outcome,
    );
  }
  return applied;
}

type Apply = (change: DeltaChange, found: LockedRecord | undefined, writing: Writing, connection: Connection) => Promise<AppliedChange>;

const apply: { readonly [Operation in DeltaOperation]: Apply } = {
  insert: async (change, _, { type, exchange, context, scope }, connection) => {
    context.requireCurrent(change.body, { type, version: undefined, at: change.at });
    const id = await createRecord(planAdded(type, change, context), { ...scope, connection });
    return written(change, id, { type, named: scope.named }, exchange, connection);
  },
  update: async (change, found, { type, exchange, context, scope }, connection) => {
    if (found === undefined) throw new Error('The record of a change was not found.');
    context.requireCurrent(change.body, { type, version: found.version, at: change.at });
    const id = await updateRecord(planUpdateGraph(found.type, change.body, context), found, { ...scope, connection });
    return written(change, id, { type, named: scope.named }, exchange, connection);
  },
  delete: async (change, found, { type, context, scope }, connection) => {
    if (found === undefined) throw errors.notFound(`${type.name} with that key`);
    context.requireCurrent(change.body, { type, version: found.version, at: change.at });
    await deleteRecord(found.type, found, { ...scope, connection });
    return { kind: 'removed', change, found };
  },
};

async function written(
  change: DeltaChange,
  id: string,
  target: Addressed,
  exchange: Exchange,
  connection: Connection,
): Promise<AppliedChange> {
  if (!wantsAnswer(exchange)) return { kind: 'written', change };
  const { body, readable } = await readMember(target, id, showingBody(exchange, target.type, change.body), connection);
  return { kind: 'written', change, ...(readable && { body }) };
}

/** PATCH of all members of a collection (protocol 11.4.12): atomic, unless the client prefers to continue on errors. */
async function updateMembers(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  const { type } = target;
  requireWritable(type, 'update', exchange.caller);
  requireMetByEach(conditionsOf(exchange.request), type.etag?.required ?? false);
  negotiateJson(exchange.request, exchange.options.format);
  const body = await readBody(exchange.request);
  const context = writeContext(exchange);
  const planned = type.discriminated ? undefined : planUpdateGraph(type, body, context);
  const applied = await forEach(target, exchange, { operation: 'update', body }, async (locked, connection) => {
    const plan = planned ?? planUpdateGraph(locked.type, body, context);
    const id = await updateRecord(plan, locked, writeTransaction(exchange, connection));
    if (!wantsAnswer(exchange)) return { kind: 'written', change: changeOf(body) };
    const { body: shown, readable } = await readMember(target, id, showingBody(exchange, type, body), connection);
    return { kind: 'written', change: changeOf(body), ...(readable && { body: shown }) };
  });
  return deltaAnswer(applied, target, exchange, '');
}

/** DELETE of all members of a collection (protocol 11.4.13). */
async function deleteMembers(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'delete', exchange.caller);
  requireMetByEach(conditionsOf(exchange.request), target.type.etag?.required ?? false);
  negotiateJson(exchange.request, exchange.options.format);
  const applied = await forEach(target, exchange, { operation: 'delete', body: noBody }, async (locked, connection) => {
    await deleteRecord(locked.type, locked, writeTransaction(exchange, connection));
    return { kind: 'removed', change: changeOf(noBody), found: locked };
  });
  return deltaAnswer(applied, target, exchange);
}

const noBody = jsonObject();

// The request does not name the members, so changes refer to the entities found.
function changeOf(body: JsonObject): AppliedChange['change'] {
  return { at: '', body, place: undefined, isRemoved: false, faults: [] };
}

type Write = (locked: LockedRecord, connection: Connection) => Promise<AppliedChange>;

function forEach(
  target: RecordTarget,
  { service, request, preferences }: Exchange,
  { operation, body }: { readonly operation: DeltaOperation; readonly body: JsonObject },
  write: Write,
): Promise<readonly AppliedChange[]> {
  return service.store.transaction(async (connection) => {
    const applied: AppliedChange[] = [];
    for (const number of await memberNumbers(target, connection)) {
      const found = await findRecord(target.type, byNumber(number), { connection, container: service.container });
      // A member that another request has removed meanwhile is skipped.
      if (found === undefined) continue;
      const outcome = await attempt((part) => write(found, part), connection);
      if (!(outcome instanceof ODataError)) applied.push(outcome);
      else if (preferences.continueOnError) applied.push({ kind: 'failed', operation, change: changeOf(body), refusal: outcome, found });
      else throw outcome;
    }
    return applied;
  }, request.recipient);
}
