import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { withArticle } from '../../errors/suggest.js';
import type { EntityType } from '../../edm/entity-type.js';
import type { JsonObject } from '../../json/json.js';
import { missingRecord } from '../../plan/path/mistaken-segments.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import type { KeyCondition } from '../../plan/typed-expr.js';
import { keyValues } from '../../plan/write/entity-body.js';
import { planCreateGraph, planReplaceGraph, planUpdateGraph } from '../../plan/write/plan-graph.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import { compileLink } from '../../sql/compile-relations.js';
import type { Connection } from '../../sql/statement.js';
import { createRecord } from '../../store/create-record.js';
import { extensionOf } from '../../store/journal.js';
import { deleteRecord } from '../../store/delete-record.js';
import { fromParent, givenByParent, seeRecord } from '../../store/locate-record.js';
import { withReferences } from '../../store/references.js';
import { updateRecord } from '../../store/update-record.js';
import { type Exchange, withViews } from '../service.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson } from '../../protocol/negotiate.js';
import { bodyConditions, type Conditions, conditionsOf, isMet } from '../../protocol/precondition.js';
import { readBody } from '../../protocol/request-body.js';
import { etagOf } from '../../response/record-format.js';
import { changedCells, hasSameCells, type SingleWrite } from '../../sql/compile-single-write.js';
import { copyOf, type KnownRow, newRow, type SeenRecord, withCells } from '../../store/known-records.js';
import { alteration, creation, deletion, isAlone, isPlain, keyOfNew, runSingleWrite } from '../../store/single-write.js';
import type { SingleWrites } from '../../store/store.js';
import { readBack, renderWritten, type Returning, returningOf, showingBody, type Written } from './write-answer.js';
import { findCreated, findMeeting, lockMeeting, writeContext, writeScope, writeTransaction } from './write-context.js';

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
    (await inSteps(exchange, async (connection) => {
      const { values, joined } = await fromParent(target, connection);
      const scope = writeTransaction(exchange, connection);
      const id = await createRecord(plan, scope, values);
      if (joined) await connection.run(compileLink(joined.through, joined.parent, id));
      return readBack({ ...target, named: scope.named }, id, showingBody(exchange, type, body), connection, 201);
    }));
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
    await inSteps(exchange, async (connection) => {
      const locked = await lockMeeting(target, conditions, connection, exchange);
      await deleteRecord(locked.type, locked, writeTransaction(exchange, connection));
    });
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
    (await inSteps(exchange, async (connection) => {
      const checked = planned && withReferences(planned, connection);
      const locked =
        (await findMeeting(target, conditions, connection, exchange)) ??
        (isUpsert ? await findCreated(target, conditions, connection, exchange) : undefined);
      if (locked === undefined && !isUpsert) throw missingRecord(type);
      if (locked === undefined) return createMissing(target, body, conditions, exchange, connection);
      const plan = checked ? await checked() : planChange(locked.type, body, context);
      const scope = writeTransaction(exchange, connection);
      const id = await updateRecord(plan, locked, scope);
      return readBack({ ...target, named: scope.named }, id, showingBody(exchange, type, body), connection, 200);
    }));
  return renderWritten(written, exchange);
}

// Statements of a write in steps may read views; the statement of a single write reads none.
function inSteps<T>({ service, caller, request }: Exchange, work: (connection: Connection) => Promise<T>): Promise<T> {
  return withViews(service, caller).store.transaction(work, request.recipient);
}

// Upsert (protocol 11.4.4): If-Match requires an existing entity, so nothing is created.
async function createMissing(
  target: RecordTarget,
  body: JsonObject,
  conditions: Conditions,
  exchange: Exchange,
  connection: Connection,
): Promise<Written> {
  const { type } = target;
  const wantsExisting = conditions.ifMatch !== undefined || conditions.inBody !== undefined;
  if (wantsExisting) throw errors.preconditionFailed('The record does not exist, but If-Match requires it.');
  requireWritable(type, 'insert', exchange.caller);
  const context = writeContext(exchange, { key: keyValues(type, target), given: givenByParent(target) });
  const scope = writeTransaction(exchange, connection);
  const id = await orMissing(type, async () =>
    createRecord(planCreateGraph(type, body, context), scope, (await fromParent(target, connection)).values),
  );
  return readBack({ ...target, named: scope.named }, id, showingBody(exchange, type, body), connection, 201);
}

// A client that meant an existing entity learns that it is missing, and not only what a new one requires.
async function orMissing<T>({ name, singleton }: EntityType, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ODataError) || error.code !== errors.notSaved.code || singleton !== undefined) throw error;
    throw errors.notCreated(name).with(error.details ?? []);
  }
}

// A write of one entity in one statement, which includes its assumptions: that the entity is unchanged, and that
// references exist. Undefined where that is not possible or an assumption failed: the write is then repeated in steps,
// under locks, which determine the error.

async function singleCreate(plan: WritePlan, target: RecordTarget, exchange: Exchange): Promise<Written | undefined> {
  const { store } = exchange.service;
  const singleWrites = singleWritesOf(target, exchange);
  if (singleWrites === undefined || target.parents.length > 0 || !isAlone(plan)) return undefined;
  const returning = returningOf(target, exchange, 201);
  if (returning === undefined) return undefined;
  const id = await singleWrites.numbers.next(plan.type);
  const write = creation(plan, { id, now: await singleWrites.clock.now() }, writeScope(exchange));
  const keyed = { write, key: keyOfNew(write), known: newRow(returning.selection, returning.returned.cells.length + 1) };
  return store.transaction((connection) => carryOut(keyed, returning, singleWrites, connection), exchange.request.recipient);
}

/** Changes an entity in one statement, after a read unless this process has just written it. */
async function singleUpdate(
  plan: WritePlan | undefined,
  target: RecordTarget,
  conditions: Conditions,
  exchange: Exchange,
): Promise<Written | undefined> {
  const { store } = exchange.service;
  const singleWrites = singleWritesOf(target, exchange);
  if (singleWrites === undefined || plan === undefined || !isTable(target) || !isAlone(plan)) return undefined;
  const returning = returningOf(target, exchange, 200);
  if (returning === undefined) return undefined;
  const known = await knownRecord(target, singleWrites);
  return store.transaction(async (connection) => {
    const seen = known ?? (await seeRecord(target.type, target.key, connection));
    const write = seen && meets(seen, conditions) ? alteration(plan, seen, writeScope(exchange)) : undefined;
    return write && carryOut({ write, key: target.key, known }, returning, singleWrites, connection);
  }, exchange.request.recipient);
}

/** Deletes an entity in one statement; returns whether it did. */
async function singleDelete(target: RecordTarget, conditions: Conditions, exchange: Exchange): Promise<boolean> {
  const { store } = exchange.service;
  const singleWrites = singleWritesOf(target, exchange);
  if (singleWrites === undefined || !isTable(target) || !isPlain(target.type)) return false;
  const known = await knownRecord(target, singleWrites);
  return store.transaction(async (connection) => {
    const seen = known ?? (await seeRecord(target.type, target.key, connection));
    const write = seen && meets(seen, conditions) ? deletion(target.type, seen, writeScope(exchange)) : undefined;
    singleWrites.known.forget(target.type, target.key);
    return write !== undefined && runSingleWrite(write, nothingReturned, connection, () => undefined);
  }, exchange.request.recipient);
}

// An extension that follows a change needs the transaction open.
function singleWritesOf({ type }: RecordTarget, { service: { extensions, store } }: Exchange): SingleWrites | undefined {
  return extensionOf(extensions, type)?.follow === undefined ? store.singleWrites : undefined;
}

const nothingReturned = { alias: 't0', cells: ['1'] };

// Addressed by its key alone.
function isTable({ parents, filter, key }: RecordTarget): boolean {
  return parents.length === 0 && filter === undefined && key.length > 0;
}

// The clock is read before a connection is acquired: a request that waits must hold no connection.
async function knownRecord({ type, key }: RecordTarget, { known, clock }: SingleWrites): Promise<(SeenRecord & KnownRow) | undefined> {
  const found = known.find(type, key);
  if (found === undefined) return undefined;
  const { type: own, id, version, state, record, row, selection } = found;
  return { type: own, id, version, state, record, row, selection, now: await clock.now() };
}

function meets({ type, version }: SeenRecord, conditions: Conditions): boolean {
  return isMet(conditions, etagOf(version), type.etag?.required ?? false);
}

interface Keyed {
  readonly write: SingleWrite;
  readonly key: readonly KeyCondition[];
  /** The row before the write, where it is known. */
  readonly known?: KnownRow | undefined;
}

async function carryOut(
  { write, key, known: before }: Keyed,
  { returned, selection, written }: Returning,
  { known }: SingleWrites,
  connection: Connection,
): Promise<Written | undefined> {
  let answer: Written | undefined;
  known.forget(write.type, key);
  // The state has not changed, so neither have the cells that the write does not set.
  const changed = before !== undefined && hasSameCells(before.selection, selection) ? changedCells(write, returned) : undefined;
  await runSingleWrite(write, changed?.returned ?? returned, connection, (bytes) => {
    const row = before && changed ? withCells(before.row, changed.places, bytes) : copyOf(bytes);
    answer = written(row);
    known.note(key, write.id, { row, selection });
  });
  return answer;
}
