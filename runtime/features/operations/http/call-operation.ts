import type { Models, Operation, OperationHandler, OperationKind, OperationParameter, ReadOptions } from '../../../edm/index.js';
import { notImplemented } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt } from '../../../errors/suggest.js';
import { type Exchange, filteredService, unfilteredStore, withViews } from '../../../http/service.js';
import { lockMeeting } from '../../../http/write/write-context.js';
import { requireReadable } from '../../../plan/caller.js';
import type { OperationTarget } from '../../../plan/path/path-target.js';
import { type ODataResponse, wholeResponse } from '../../../protocol/message.js';
import { negotiateJson } from '../../../protocol/negotiate.js';
import { conditionsOf } from '../../../protocol/precondition.js';
import { bodyFormat, readOptionalBody } from '../../../protocol/request-body.js';
import { compileIdleLimit } from '../../../sql/compile-lock.js';
import { failureOf } from '../../../store/journal.js';
import { openTransaction } from '../../../store/savepoint.js';
import { type CallContext, type CalledOperation, planActionCall, planFunctionCall, type PlannedCall } from '../plan/plan-call.js';
import { answerCall } from './answer-call.js';
import { createRecords, readAll, readingOnly } from './handler-records.js';
import type { Ask } from './inner-request.js';
import { inTime } from '../../../errors/in-time.js';

/** Calls an action or function: plans its parameters, calls its handler, renders its answer. */
export async function callOperation(found: OperationTarget, exchange: Exchange): Promise<ODataResponse> {
  const kind = exchange.request.method === 'POST' ? 'Action' : 'Function';
  const target = ofKind(found, kind);
  requireImplemented(target, exchange);
  if (kind === 'Action' && target.binding?.composed)
    throw errors
      .notImplemented(`The action ${excerpt(target.name)} on the result of a function`, "Call it with the record's own address.")
      .at(target.name);
  const isStream = target.overloads.some(({ result }) => result?.type === 'Edm.Stream');
  if (!isStream) negotiateJson(exchange.request, target.rest.length === 0 ? exchange.options.format : undefined);
  return kind === 'Action' ? callAction(target, exchange) : callFunction(target, exchange);
}

function ofKind(target: OperationTarget, kind: OperationKind): OperationTarget {
  return { ...target, overloads: target.overloads.filter((one) => one.kind === kind) };
}

async function callFunction(target: OperationTarget, exchange: Exchange): Promise<ODataResponse> {
  const call = planFunctionCall(target, callContext(exchange));
  const handler = requireHandler(call.operation, target, exchange);
  const bound = target.binding?.target;
  // A function reads its binding value for the caller.
  if (bound && 'type' in bound) requireReadable(bound.type, exchange.caller);
  const answer = await invoke(handler, call, target, exchange);
  return answerCall({ call, target, answer, callBefore: callingBefore(exchange) }, exchange);
}

function callingBefore(exchange: Exchange): CalledOperation['callBefore'] {
  const callBefore: CalledOperation['callBefore'] = async (found) => {
    const target = ofKind(found, 'Function');
    const call = planFunctionCall(target, callContext(exchange));
    const answer = await invoke(requireHandler(call.operation, target, exchange), call, target, exchange);
    return { call, target, answer, callBefore };
  };
  return callBefore;
}

/** Rejects a call without a handler, before its parameters are planned. */
function requireImplemented(target: OperationTarget, exchange: Exchange): void {
  if (!target.overloads.some((operation) => handlerOf(operation, exchange))) throw unimplemented(target);
}

// The bound entity stays locked until the handler's changes are stored and the answer is read.
async function callAction(target: OperationTarget, exchange: Exchange): Promise<ODataResponse> {
  const [first] = target.overloads;
  const handler = requireHandler(first as Operation, target, exchange); // An import has at least one overload.
  const call = planActionCall(target, await readOptionalBody(exchange.request), callContext(exchange));
  const { service, request, caller } = exchange;
  return unfilteredStore(service).transaction(async (connection) => {
    // The session is idle while the handler waits for others, and must not be ended.
    await connection.run(compileIdleLimit(handlerTimeoutOf(service)));
    const open = openTransaction(connection);
    const within: Exchange = {
      ...exchange,
      service: withViews(filteredService({ ...service, store: open, unfiltered: open }, caller), caller),
    };
    try {
      await lockBinding(target, within);
      const answer = await invoke(handler, call, target, within, open.models);
      return await wholeResponse(await answerCall({ call, target, answer, callBefore: callingBefore(within) }, within));
    } finally {
      await open.end();
    }
  }, request.recipient);
}

async function lockBinding({ binding }: OperationTarget, exchange: Exchange): Promise<void> {
  const { service, request } = exchange;
  const place = binding?.target;
  if (place?.kind === 'entity')
    await service.store.read((connection) => lockMeeting(place, conditionsOf(request), connection, exchange), request.recipient);
}

async function invoke(
  handler: OperationHandler,
  { operation, values }: PlannedCall,
  target: OperationTarget,
  exchange: Exchange,
  models: Models = {},
): Promise<unknown> {
  const { caller } = exchange;
  const { records, elevated, own, within } = createRecords(exchange, target.binding?.parts);
  const { binding, kind } = operation;
  const allowed = kind === 'Action' ? { records, elevated, models } : { records: readingOnly(records), elevated: readingOnly(elevated) };
  // A composed function is called with the caller's permissions, on the answer that the caller would get.
  const bound =
    binding && target.binding
      ? { [binding.name]: await bindingValue(binding, target.binding, target.binding.composed ? own : within) }
      : {};
  try {
    // The registry is typed by the model; at run time the values have been checked against it.
    const answered = async (): Promise<unknown> =>
      (handler as (call: object, context: object) => unknown)({ ...bound, ...values }, { caller, ...allowed });
    const longest = handlerTimeoutOf(exchange.service);
    // A handler cannot be stopped; after the timeout its transaction has ended.
    return await inTime(answered(), longest, () => errors.handlerTooSlow(operation.name, longest));
  } catch (failure) {
    throw failureOf(failure);
  }
}

function handlerTimeoutOf({ handlerTimeout = 30_000 }: Exchange['service']): number {
  return handlerTimeout;
}

function callContext({ service, request, raw, parameters }: Exchange): CallContext {
  return { container: service.container, aliases: parameters ?? new Map(), raw, format: bodyFormat(request) };
}

function handlerOf({ handler }: Operation, { service }: Exchange): OperationHandler | undefined {
  const found = service.operations?.[handler];
  return found === notImplemented ? undefined : found;
}

function requireHandler(operation: Operation, target: OperationTarget, exchange: Exchange): OperationHandler {
  const handler = handlerOf(operation, exchange);
  if (handler === undefined) throw unimplemented(target);
  const { permissions } = operation;
  if (permissions && !permissions.some(({ scope }) => exchange.caller.scopes.has(scope)))
    throw errors.scopeMissing(`Calling ${operation.name}`, permissions.map(({ scope }) => scope).join(', '));
  return handler;
}

function unimplemented({ overloads, name }: OperationTarget): Error {
  const kind = overloads.some((one) => one.kind === 'Action') ? 'action' : 'function';
  // The name is in the model, so its length is bounded.
  return errors.notImplemented(`The ${kind} ${name}, whose handler is not written yet,`).at(name);
}

async function bindingValue(
  binding: OperationParameter,
  { target, parts }: NonNullable<OperationTarget['binding']>,
  ask: Ask,
): Promise<unknown> {
  if (target.kind === 'collection') return { read: (options: ReadOptions = {}) => readAll(ask, parts, options) };
  const type = binding.field?.type;
  const isExact = type === 'Edm.Int64' || type === 'Edm.Decimal';
  const found = await ask({ method: 'GET', parts, ...(isExact && { exact: true as const }) });
  if (target.kind === 'entity' && found === undefined) throw errors.notFound(`${target.type.name} there`);
  if (target.kind !== 'property' || (binding.field?.complex !== undefined && !binding.collection)) return found ?? null;
  return found === undefined ? null : (found as { readonly value: unknown }).value;
}
