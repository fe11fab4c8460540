import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { type ODataRequest, type WholeResponse, wholeResponse } from '../../protocol/message.js';
import { answering, errorResponse } from '../../http/respond.js';
import type { Answer, Service } from '../../http/service.js';
import type { BatchPart } from './batch.js';
import { isConditionMet } from './condition.js';
import { hasSucceeded, type Outcome, type Outcomes } from './outcomes.js';
import { partRequest } from './part-request.js';
import { pathOfUrl, type BatchAddress } from './part-url.js';

/** The context of a batch's parts. */
export interface BatchRun {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly address: BatchAddress;
  readonly outcomes: Outcomes;
  /** Answers one request of the batch. */
  readonly answer: Answer;
}

/** Runs one request of a batch on its own; any failure becomes its answer. */
export async function runPart(part: BatchPart, run: BatchRun): Promise<Outcome> {
  return outcomeOf(part, run, (request) => answering(request, run.service, async (...sent) => wholeResponse(await run.answer(...sent))));
}

/**
 * Runs one request within a transaction: only errors of the catalogue become answers, since others may cause a retry.
 */
export async function runPartWithin(part: BatchPart, run: BatchRun): Promise<Outcome> {
  return outcomeOf(part, run, async (request) => {
    try {
      return await wholeResponse(await run.answer(request, run.service));
    } catch (failure) {
      if (failure instanceof ODataError && failure.status !== 503) return errorResponse(failure, request, run.service.container);
      throw failure;
    }
  });
}

/** The answer to a part that was not run because of another one. */
export function failedDependency(part: BatchPart, { request }: BatchRun, why: string): Outcome {
  return { part, response: errorResponse(errors.failedDependency(why), request), path: '' };
}

async function outcomeOf(part: BatchPart, run: BatchRun, carryOut: (request: ODataRequest) => Promise<WholeResponse>): Promise<Outcome> {
  try {
    if (!mayRun(part, run.outcomes)) return failedDependency(part, run, 'a request that it depends on did not have the required result');
    const request = partRequest(part, run.request, run.outcomes, run.address);
    const response = await carryOut(request);
    return { part, response, path: referredPath(response, request, run.address) };
  } catch (failure) {
    if (!(failure instanceof ODataError) || failure.status === 503) throw failure;
    return { part, response: errorResponse(failure, run.request, run.service.container), path: '' };
  }
}

function mayRun({ dependsOn, condition }: BatchPart, outcomes: Outcomes): boolean {
  return condition === undefined ? dependsOn.every((name) => hasSucceeded(outcomes, name)) : isConditionMet(condition, outcomes);
}

// A created entity is referenced by its Location; anything else by the address of the request.
function referredPath({ headers }: WholeResponse, { path }: ODataRequest, address: BatchAddress): string {
  const location = headers['Location'];
  return (location === undefined ? undefined : pathOfUrl(location, address)) ?? path;
}
