import type { Field, StreamAnswer } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { httpHooks } from '../../../http/hooks.js';
import type { Exchange } from '../../../http/service.js';
import { emptyResponse, type ODataResponse } from '../../../protocol/message.js';
import { requireMediaAccepted } from '../../../protocol/negotiate.js';
import { preferencesApplied } from '../../../protocol/prefer.js';
import { dispositionOf } from '../../../protocol/request-body.js';
import { planField } from '../../../plan/value/plan-complex.js';
import { jsonOf } from '../plan/handler-value.js';
import type { CalledOperation } from '../plan/plan-call.js';
import { transientValue, valueTarget } from '../plan/transient-type.js';
import { answerRecords } from './answer-records.js';
import { readTransient } from './answer-transient.js';
import { contextOf } from './inner-request.js';
import { jsonObject } from '../../../json/json.js';

/** Renders the answer of an operation; that of a composable function may have further path segments. */
export async function answerCall(called: CalledOperation, exchange: Exchange): Promise<ODataResponse> {
  const { operation } = called.call;
  const { rest, part, name } = called.target;
  const { result } = operation;
  const isComposed = rest.length > 0 || part.resultKey !== undefined;
  if (isComposed && !operation.composable)
    throw errors.notFound(`resource ${rest[0]?.name ?? `${name}(...)(...)`} after ${operation.name}, which is not composable`);
  if (result === undefined) return emptyResponse(204, exchange.version);
  if (called.answer == null) return answerNothing(called, isComposed, exchange);
  // A created entity is answered by its address, like every create.
  const isMinimal = operation.kind === 'Action' && exchange.preferences.return === 'minimal' && !isCreated(called.answer);
  if (isMinimal) return emptyResponse(204, exchange.version, preferencesApplied(['return=minimal']));
  if (result.type === 'Edm.Stream') return answerStream(called, exchange);
  return result.field === undefined ? answerRecords(called, result, exchange) : answerValue(called, result.field, exchange);
}

// A missing single value is 204, and has nothing nested (protocol 11.5.4.1).
function answerNothing({ call: { operation }, target }: CalledOperation, isComposed: boolean, { version }: Exchange): ODataResponse {
  if (!operation.result?.nullable)
    throw new Error(`The handler ${operation.handler} returned nothing, but the result of ${operation.name} is not nullable.`);
  if (isComposed) throw errors.notFound(`${target.rest[0]?.name ?? 'record'} after ${operation.name}, which found nothing`);
  return emptyResponse(204, version);
}

function isCreated(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'created' in answer && answer.created === true;
}

/** An answer of the type Edm.Stream: its bytes, with the handler's media type (protocol 4.01, 11.5.4.1). */
function answerStream({ call: { operation }, target, answer }: CalledOperation, { request, options, version }: Exchange): ODataResponse {
  const [next] = target.rest;
  if (next) throw errors.notFound(`${next.name} after ${operation.name}, which returns a stream`);
  const { contentType, bytes } = answer as StreamAnswer;
  if (typeof contentType !== 'string' || !(bytes instanceof Uint8Array))
    throw new Error(`The handler ${operation.handler} did not return { contentType, bytes }.`);
  requireMediaAccepted(request, options.format, contentType);
  const { headers } = emptyResponse(200, version);
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': contentType, 'Content-Disposition': dispositionOf(contentType) },
    body: bytes,
  };
}

/**
 * An answer that is a value or a collection of values: checked like a body, and read as a property of a transient row
 * that is bound to the statement.
 */
async function answerValue(
  { call: { operation }, target: { part, rest }, answer }: CalledOperation,
  field: Field,
  exchange: Exchange,
): Promise<ODataResponse> {
  if (part.resultKey)
    throw errors
      .typeMismatch(`${operation.name} returns values, which have no keys; write /$filter($this eq ...) after its call.`)
      .at(operation.name);
  const { container } = exchange.service;
  const { json, faults } = planField('answer', field, jsonOf(answer), { container, format: { ieee754Compatible: true }, partial: false });
  if (faults.length > 0)
    throw new Error(
      `The handler ${operation.handler} returned an invalid result for ${operation.name}: ${faults.map(({ message }) => message).join(' ')}`,
    );
  const place = transientValue(container, operation.name, field);
  const reading = readTransient(exchange, place, [jsonObject([['value', json]])]);
  return httpHooks.get('propertyOperations').read(valueTarget(place, rest, contextOf(reading)), reading);
}
