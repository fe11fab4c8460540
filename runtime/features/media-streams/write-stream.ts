import { mediaStream, type StoredRecord, type Stream, type EntityType, type Field, primitives } from '../../edm/index.js';
import { errors, requireNoFaults } from '../../errors/catalogue.js';
import { planCreateGraph } from '../../plan/write/plan-graph.js';
import type { RecordTarget, StreamTarget } from '../../plan/path/path-target.js';
import { noSuchStream, requireReadableStream } from './plan-stream.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { compileLink } from '../../sql/compile-relations.js';
import { compileIdleLimit } from '../../sql/compile-lock.js';
import type { Connection } from '../../sql/statement.js';
import { createRecord } from '../../store/create-record.js';
import { deleteRecord } from '../../store/delete-record.js';
import { findTarget, fromParent, givenByParent } from '../../store/locate-record.js';
import { findStream, ownChunks, setStream, storeChunks, storedStream, streamValues, type StreamHead } from './stream-store.js';
import type { LockedRecord } from '../../store/stored-record.js';
import type { Exchange } from '../../http/service.js';
import { requireMediaType } from '../../protocol/request-body.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { negotiateJson } from '../../protocol/negotiate.js';
import { conditionsOf, requireMet } from '../../protocol/precondition.js';
import { preferencesApplied } from '../../protocol/prefer.js';
import { showStream, streamETag } from './read-stream.js';
import { routesOf } from '../../protocol/routes.js';
import { withUpload, type Upload } from './upload.js';
import { readBack, renderWritten, type Written } from '../../http/write/write-answer.js';
import { writeContext, writeTransaction } from '../../http/write/write-context.js';
import { keyValues } from '../../plan/write/entity-body.js';
import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, jsonObject } from '../../json/json.js';
import { accessTo, type Caller, rootOf } from '../../plan/caller.js';
import { storedJson } from '../../plan/value/value-text.js';

/** PUT of a media stream: the body is its content (protocol 11.4.7.2 and 11.4.8.1). */
export async function putStream(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { service, request, caller } = exchange;
  requireWritableStream(target, caller);
  const type = requireMediaType(request, target.stream);
  await requireWelcome(target, exchange);
  return withUpload(exchange, target.stream, (upload) =>
    service.store.transaction(async (connection) => {
      const stored = await receive(type, upload, connection, exchange);
      const locked = await findLocked(target, connection, exchange);
      if (locked === undefined) return renderWritten(await createAt(target, stored, connection, exchange), exchange);
      const head = (await setStream(locked, target.stream, stored, writeTransaction(exchange, connection))) ?? stored;
      return answerPut(target, head, locked.id, exchange, connection);
    }, request.recipient),
  );
}

/** DELETE of a stream property, which becomes null (protocol 11.4.8.2), or of a media entity by its stream (11.4.7.3). */
export async function deleteStream(target: StreamTarget, exchange: Exchange): Promise<ODataResponse> {
  const { service, request, caller } = exchange;
  if (target.name === mediaStream) requireWritable(target.type, 'delete', caller);
  else requireWritableStream(target, caller);
  await service.store.transaction(async (connection) => {
    const locked = await findLocked(target, connection, exchange);
    if (locked === undefined) throw noSuchStream(target);
    if (target.name === mediaStream) await deleteRecord(locked.type, locked, writeTransaction(exchange, connection));
    else await setStream(locked, target.stream, null, writeTransaction(exchange, connection));
  }, request.recipient);
  return emptyResponse(204, exchange.version);
}

/** POST of a media stream to a set of media entities: the service creates the entity (protocol 11.4.7.1). */
export async function createMedia(target: RecordTarget, stream: Stream, exchange: Exchange): Promise<ODataResponse> {
  const { service, request, caller, options } = exchange;
  requireWritable(target.type, 'insert', caller);
  negotiateJson(request, options.format);
  const mediaType = requireMediaType(request, stream);
  const given = givenByParent(target);
  const plan = planCreateGraph(target.type, mediaBody(target.type, given), writeContext(exchange, { given }));
  // Faults are reported before the bytes are read.
  requireNoFaults(plan.type, plan.faults);
  const written = await withUpload(exchange, stream, (upload) =>
    service.store.transaction(async (connection) => {
      const head = await receive(mediaType, upload, connection, exchange);
      const { values, joined } = await fromParent(target, connection);
      const id = await createWith(plan, head, new Map([...values, ...streamValues(stream, head)]), connection, exchange);
      if (joined) await connection.run(compileLink(joined.through, joined.parent, id));
      return readBack({ ...target, type: plan.type }, id, exchange, connection, 201);
    }, request.recipient),
  );
  return renderWritten(written, exchange);
}

async function createWith(
  plan: WritePlan,
  head: StreamHead,
  given: StoredRecord,
  connection: Connection,
  exchange: Exchange,
): Promise<string> {
  const id = await createRecord(plan, writeTransaction(exchange, connection), given);
  await ownChunks(plan.type, id, head, connection);
  return id;
}

// The session belongs to the client while it sends; pauses that are too long are detected before the server's limit.
async function receive(type: string, upload: Upload, connection: Connection, { service }: Exchange): Promise<StreamHead> {
  await connection.run(compileIdleLimit(2 * service.readerTimeout));
  return storeChunks(type, upload.take(), connection);
}

// Conditions are checked before the bytes are read, and again under the lock.
async function requireWelcome(target: StreamTarget, exchange: Exchange): Promise<void> {
  const head = await exchange.service.store.read((connection) => findStream(target, target.stream, connection), exchange.request.recipient);
  if (head === undefined) {
    const { type, faults } = planMissing(target, exchange);
    return requireNoFaults(type, faults);
  }
  requireStreamMet(target, head, exchange);
}

async function findLocked(target: StreamTarget, connection: Connection, exchange: Exchange): Promise<LockedRecord | undefined> {
  const locked = await findTarget(target, { connection, container: exchange.service.container });
  if (locked) requireStreamMet(target, await storedStream(locked, target.stream, connection), exchange);
  return locked;
}

// A missing media entity is created at the address of its stream, where clients choose the key (protocol 11.4.7.2).
function planMissing(target: StreamTarget, exchange: Exchange): WritePlan {
  const isUpsert = target.name === mediaStream && routesOf({ ...target, kind: 'entity', suffix: '' }).some(({ upsert }) => upsert);
  if (!isUpsert) throw noSuchStream(target);
  requireStreamMet(target, null, exchange);
  requireWritable(target.type, 'insert', exchange.caller);
  const key = keyValues(target.type, target);
  return planCreateGraph(
    target.type,
    mediaBody(target.type, new Set(key.keys())),
    writeContext(exchange, { key, given: givenByParent(target) }),
  );
}

async function createAt(target: StreamTarget, head: StreamHead, connection: Connection, exchange: Exchange): Promise<Written> {
  const { values } = await fromParent(target, connection);
  const id = await createWith(
    planMissing(target, exchange),
    head,
    new Map([...values, ...streamValues(target.stream, head)]),
    connection,
    exchange,
  );
  return readBack(target, id, exchange, connection, 201);
}

// The ETag is that of the stream; without a stream, none matches.
function requireStreamMet({ type }: StreamTarget, head: StreamHead | null, { request }: Exchange): void {
  const conditions = conditionsOf(request);
  if (head) requireMet(conditions, streamETag(head), type.etag?.required ?? false);
  else if (conditions.ifMatch !== undefined) throw errors.preconditionFailed('The stream does not exist, but If-Match requires it.');
}

// With return=representation a stream property returns its bytes, and a media entity the entity, both read in the transaction of the write.
async function answerPut(
  target: StreamTarget,
  head: StreamHead,
  id: string,
  exchange: Exchange,
  connection: Connection,
): Promise<ODataResponse> {
  const wish = exchange.preferences.return;
  const applied = preferencesApplied([wish && `return=${wish}`]);
  if (wish !== 'representation') return emptyResponse(204, exchange.version, { ETag: streamETag(head), ...applied });
  if (target.name === mediaStream) return renderWritten(await readBack(target, id, exchange, connection, 200), exchange);
  requireReadableStream(target, exchange.options, exchange.caller);
  const answer = await showStream(head, exchange, connection);
  return { ...answer, headers: { ...answer.headers, ...applied } };
}

/**
 * The properties that the service sets in a media entity created by its bytes: clients can send no properties with them
 * (protocol 11.4.7.1). A key is generated where it can be unique; states, references and patterns are omitted, and so
 * rejected if required.
 */
function mediaBody({ key, fields, rules, transitions }: EntityType, given: ReadonlySet<string>): JsonObject {
  const chosen = new Set([...given, ...Object.keys(rules.references), transitions?.property]);
  const members = rules.requiredOnCreate.flatMap((name): readonly (readonly [string, Json])[] => {
    const field = fields[name];
    const value = chosen.has(name) || field === undefined ? undefined : key.includes(name) ? keyValue(field) : nothing(field);
    return value === undefined ? [] : [[name, value]];
  });
  return jsonObject(members);
}

function keyValue({ type, maxLength = 36 }: Field): Json | undefined {
  return type === 'Edm.Guid' || (type === 'Edm.String' && maxLength >= 36) ? randomUUID() : undefined;
}

function nothing({ type, enumeration, allowedValues, pattern, lookup }: Field): Json | undefined {
  const value = enumeration || allowedValues || pattern || lookup ? undefined : primitives[type].nothing;
  if (value?.kind === 'constant') return storedJson({ type }, value.value);
  return value && (type === 'Edm.Date' ? nowText().slice(0, 10) : nowText());
}

function nowText(): string {
  return new Date().toISOString().replace(/\.\d+/, '');
}

/** Refuses to change a stream that none of the caller's scopes lets change. */
function requireWritableStream({ type, name }: StreamTarget, caller: Caller): void {
  requireWritable(type, 'update', caller);
  const access = accessTo(type, 'update', caller);
  if (access.allowed && access.restricted.has(rootOf(name))) throw errors.notPermitted(name).at(name);
}
