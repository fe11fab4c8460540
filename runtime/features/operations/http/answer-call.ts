import { errors } from '../../../errors/catalogue.js';
import type { PlannedCall } from '../plan/plan-call.js';
import { answerRecords } from './answer-records.js';
import { answerStream } from './answer-stream.js';
import { answerValue } from './answer-value.js';
import type { CarryOut, Exchange } from '../../../http/service.js';
import type { ODataResponse } from '../../../protocol/message.js';
import { preferencesApplied } from '../../../protocol/prefer.js';
import { emptyResponse } from '../../../protocol/responses.js';
import type { OperationTarget } from '../../../plan/path-target.js';

/** An executed call, and the answer of its handler. */
export interface CalledOperation {
  readonly call: PlannedCall;
  readonly target: OperationTarget;
  readonly answer: unknown;
  /** Calls the function whose answer this one is bound to. */
  readonly callBefore: (target: OperationTarget) => Promise<CalledOperation>;
}

/** Renders the answer of an operation; that of a composable function may have further path segments. */
export async function answerCall(called: CalledOperation, exchange: Exchange, carryOut: CarryOut): Promise<ODataResponse> {
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
  return result.field === undefined ? answerRecords(called, result, exchange, carryOut) : answerValue(called, result.field, exchange);
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
