import { errors } from '../../errors/catalogue.js';
import { withArticle } from '../../errors/display-name.js';
import type { JsonObject } from '../../json/json.js';
import { missingRecord } from '../../plan/missing-record.js';
import { keyValues } from '../../plan/write/plan-delta.js';
import { planCreateGraph, planReplaceGraph, planUpdateGraph } from '../../plan/write/plan-graph.js';
import type { RecordTarget } from '../../plan/path-target.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import { compileJoin } from '../../sql/compile-relations.js';
import type { Connection } from '../../sql/statement.js';
import { createRecord } from '../../store/create-record.js';
import { deleteRecord } from '../../store/delete-record.js';
import { fromParent, givenByParent } from '../../store/locate-record.js';
import { withReferences } from '../../store/references.js';
import { updateGraph } from '../../store/update-graph.js';
import type { Exchange } from '../exchange.js';
import type { ODataResponse } from '../../protocol/message.js';
import { negotiateJson } from '../../protocol/negotiate.js';
import { bodyConditions, conditionsOf, type Conditions } from '../../protocol/precondition.js';
import { readBody } from '../../protocol/request-body.js';
import { emptyResponse } from '../../protocol/responses.js';
import { singleCreate, singleDelete, singleUpdate } from './single-write.js';
import { readBack, renderWritten, showingBody, type Written } from './write-answer.js';
import { findCreated, findMeeting, lockMeeting, writeContext, writeScope } from './write-context.js';

/** POST to an entity set, or to a collection below an entity: 201 with the entity as stored. */
export async function createEntity(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  const { type } = target;
  requireWritable(type, 'insert', exchange.caller);
  const [parent] = target.parents;
  if (parent?.follows)
    throw errors
      .notImplemented(`Creating ${withArticle(type.name)} under the record identified by its ${parent.follows.join(' and ')}`)
      .at(target.via ?? type.name);
  negotiateJson(exchange.request, exchange.options.format);
  const body = await readBody(exchange.request);
  const plan = planCreateGraph(type, body, writeContext(exchange, { given: givenByParent(target) }));
  const written =
    (await singleCreate(plan, target, exchange)) ??
    (await exchange.service.store.transaction(async (connection) => {
      const { values, joined } = await fromParent(target, connection);
      const scope = writeScope(exchange);
      const id = await createRecord(plan, connection, scope, values);
      if (joined) await connection.run(compileJoin(joined.through, joined.parent, id));
      return readBack({ ...target, named: scope.named }, id, showingBody(exchange, type, body), connection, 201);
    }, exchange.request.recipient));
  return renderWritten(written, exchange);
}

/** PATCH of an entity: 200 with the entity as stored. */
export function updateEntity(target: RecordTarget, exchange: Exchange, isUpsert: boolean): Promise<ODataResponse> {
  return change(target, exchange, isUpsert, planUpdateGraph);
}

/** PUT of an entity: omitted properties get their defaults (protocol 11.4.3). */
export function replaceEntity(target: RecordTarget, exchange: Exchange, isUpsert: boolean): Promise<ODataResponse> {
  return change(target, exchange, isUpsert, planReplaceGraph);
}

/** DELETE of an entity: 204, and 404 from then on. */
export async function deleteEntity(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'delete', exchange.caller);
  const conditions = conditionsOf(exchange.request);
  if (!(await singleDelete(target, conditions, exchange))) {
    await exchange.service.store.transaction(async (connection) => {
      const locked = await lockMeeting(target, conditions, connection, exchange);
      await deleteRecord(locked.type, locked, connection, writeScope(exchange));
    }, exchange.request.recipient);
  }
  return emptyResponse(204, exchange.version);
}

async function change(
  target: RecordTarget,
  exchange: Exchange,
  isUpsert: boolean,
  planChange: typeof planUpdateGraph,
): Promise<ODataResponse> {
  const { type } = target;
  requireWritable(type, 'update', exchange.caller);
  negotiateJson(exchange.request, exchange.options.format);
  const body = await readBody(exchange.request);
  const conditions = bodyConditions(exchange.request, body);
  const context = writeContext(exchange);
  // The properties of an entity are known beforehand, unless it may have several types.
  const planned = type.discriminated ? undefined : planChange(type, body, context);
  const written =
    (await singleUpdate(planned, target, conditions, exchange)) ??
    (await exchange.service.store.transaction(async (connection) => {
      const checked = planned && withReferences(planned, connection);
      const locked =
        (await findMeeting(target, conditions, connection, exchange)) ??
        (isUpsert ? await findCreated(target, conditions, connection, exchange) : undefined);
      if (locked === undefined) return createMissing({ target, body, conditions, isUpsert }, exchange, connection);
      const plan = checked ? await checked() : planChange(locked.type, body, context);
      const scope = writeScope(exchange);
      const id = await updateGraph(plan, locked, connection, scope);
      return readBack({ ...target, named: scope.named }, id, showingBody(exchange, type, body), connection, 200);
    }, exchange.request.recipient));
  return renderWritten(written, exchange);
}

interface Missing {
  readonly target: RecordTarget;
  readonly body: JsonObject;
  readonly conditions: Conditions;
  readonly isUpsert: boolean;
}

// Upsert (protocol 11.4.4): If-Match requires an existing entity, so nothing is created.
async function createMissing(
  { target, body, conditions, isUpsert }: Missing,
  exchange: Exchange,
  connection: Connection,
): Promise<Written> {
  const { type } = target;
  const wantsExisting = conditions.ifMatch !== undefined || conditions.inBody !== undefined;
  if (isUpsert && wantsExisting) throw errors.preconditionFailed('The record does not exist, but If-Match requires it.');
  if (!isUpsert) throw missingRecord(type);
  requireWritable(type, 'insert', exchange.caller);
  const plan = planCreateGraph(type, body, writeContext(exchange, { key: keyValues(type, target), given: givenByParent(target) }));
  const scope = writeScope(exchange);
  const id = await createRecord(plan, connection, scope, (await fromParent(target, connection)).values);
  return readBack({ ...target, named: scope.named }, id, showingBody(exchange, type, body), connection, 201);
}
