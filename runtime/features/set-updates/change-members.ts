import { ODataError } from '../../errors/odata-error.js';
import { type JsonObject, jsonObject } from '../../json/json.js';
import type { DeltaOperation } from './plan-delta.js';
import { planUpdateGraph } from '../../plan/write/plan-graph.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { Connection } from '../../sql/statement.js';
import { attempt } from '../../store/savepoint.js';
import { deleteRecord } from '../../store/delete-record.js';
import { byNumber, findRecord, memberNumbers } from '../../store/locate-record.js';
import type { LockedRecord } from '../../store/stored-record.js';
import { updateRecord } from '../../store/update-record.js';
import { deltaAnswer, type AppliedChange } from './delta-answer.js';
import type { Exchange } from '../../http/service.js';
import type { ODataResponse } from '../../protocol/message.js';
import { negotiateJson } from '../../protocol/negotiate.js';
import { conditionsOf, requireMetByEach } from '../../protocol/precondition.js';
import { readBody } from '../../protocol/request-body.js';
import { readMember, showingBody, wantsAnswer } from '../../http/write/write-answer.js';
import { writeContext, writeTransaction } from '../../http/write/write-context.js';

/** PATCH of all members of a collection (protocol 11.4.12): atomic, unless the client prefers to continue on errors. */
export async function updateMembers(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
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
export async function deleteMembers(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
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

interface Change {
  readonly operation: DeltaOperation;
  readonly body: JsonObject;
}

type Write = (locked: LockedRecord, connection: Connection) => Promise<AppliedChange>;

function forEach(
  target: RecordTarget,
  { service, request, preferences }: Exchange,
  { operation, body }: Change,
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
