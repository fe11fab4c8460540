import { errors } from '../errors/catalogue.js';
import { planUpdateGraph } from '../plan/plan-graph.js';
import type { RecordTarget } from '../plan/plan-path.js';
import { requireWritable } from '../plan/plan-write.js';
import type { Connection } from '../sql/statement.js';
import { deleteRecord } from '../store/delete-record.js';
import { findRecord } from '../store/find-record.js';
import { byNumber, memberNumbers } from '../store/locate-record.js';
import type { LockedRecord } from '../store/stored-record.js';
import { updateGraph } from '../store/update-graph.js';
import type { Exchange } from './exchange.js';
import type { ODataResponse } from './message.js';
import { readBody } from './request-body.js';
import { emptyResponse } from './responses.js';
import { writeContext, writeScope } from './write-context.js';

/** PATCH of every member of a collection (protocol 11.4.12): all of them, or none where one is refused. */
export async function updateMembers(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'update', exchange.caller);
  requireNoETags(target);
  const body = await readBody(exchange.request);
  const context = writeContext(exchange);
  const planned = target.type.discriminated ? undefined : planUpdateGraph(target.type, body, context);
  return forEach(target, exchange, async (locked, connection) => {
    const plan = planned ?? planUpdateGraph(locked.type, body, context);
    await updateGraph(plan, locked, connection, writeScope(exchange));
  });
}

/** DELETE of every member of a collection (protocol 11.4.13). */
export async function deleteMembers(target: RecordTarget, exchange: Exchange): Promise<ODataResponse> {
  requireWritable(target.type, 'delete', exchange.caller);
  requireNoETags(target);
  return forEach(target, exchange, (locked, connection) => deleteRecord(locked.type, locked, connection, writeScope(exchange)));
}

async function forEach(target: RecordTarget, { service, request, version }: Exchange, write: (locked: LockedRecord, connection: Connection) => Promise<void>): Promise<ODataResponse> {
  await service.store.transaction(async (connection) => {
    for (const number of await memberNumbers(target, connection)) {
      const locked = await findRecord(target.type, byNumber(number), connection, service.container);
      // One that another request has removed meanwhile is no member any more.
      if (locked) await write(locked, connection);
    }
  }, request.recipient);
  return emptyResponse(204, version);
}

// Many records have many ETags, and a request can send one.
function requireNoETags({ type }: RecordTarget): void {
  if (type.etag?.required) throw errors.preconditionRequired();
}
