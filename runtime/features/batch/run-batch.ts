import { type EntityType, own } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { answering, errorResponse, failureResponse } from '../../http/respond.js';
import type { Answer, Service } from '../../http/service.js';
import { type ODataRequest, type WholeResponse } from '../../protocol/message.js';
import { SingleWriteRefused, type Store, storeOn } from '../../store/store.js';
import { groupWrites, type WriteGroup } from '../../store/write-group.js';
import type { Batch, BatchPart, BatchUnit, Outcome, Outcomes, Room } from './batch.js';
import { addOutcomes, batchLimits, hasSucceeded, isSuccess, answerWhole } from './batch.js';
import { isConditionMet } from './condition.js';
import { pathOfUrl, type ServiceAddress } from '../../protocol/own-address.js';
import { partRequest } from './part-request.js';

/** The outcomes of a unit. */
export interface UnitOutcome {
  readonly unit: BatchUnit;
  readonly outcomes: readonly Outcome[];
}

/**
 * Runs a batch: each unit after those that it depends on, independent ones in parallel. After a failure no unit starts,
 * unless the batch continues; such units have no outcome.
 */
export async function runBatch({ units }: Batch, run: BatchRun, continues: boolean): Promise<readonly UnitOutcome[]> {
  const done: UnitOutcome[] = [];
  // Without continue-on-error a parallel unit might run after the failure.
  const slots = createSlots(continues ? batchLimits.parallel : 1);
  const running = new Map<BatchUnit, Promise<void>>();
  let hasFailed = false;
  const carryOut = async (unit: BatchUnit): Promise<void> => {
    await Promise.all(unit.after.map((before) => running.get(before)));
    const release = await slots();
    try {
      if (hasFailed && !continues) return;
      const single = continues ? freeing(run, release) : run;
      const outcomes =
        unit.group === undefined ? await allEnded(unit.parts.map((part) => runPart(part, single))) : await runGroup(unit, run);
      hasFailed ||= !outcomes.every(({ response }) => isSuccess(response));
      addOutcomes(run.outcomes, unit, outcomes);
      done.push({ unit, outcomes });
    } finally {
      release();
    }
  };
  // The units that one depends on come earlier in the list.
  for (const unit of units) running.set(unit, carryOut(unit));
  await allEnded([...running.values()]);
  return done.sort((a, b) => units.indexOf(a.unit) - units.indexOf(b.unit));
}

// A failure ends the batch only when all running units have ended: their writes would continue after the answer.
async function allEnded<Ended>(work: readonly Promise<Ended>[]): Promise<Ended[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

type Release = () => void;

// A read that shares a packet takes no connection of its own, so the next unit begins while it waits.
function freeing(run: BatchRun, release: Release): BatchRun {
  const { store } = run.service;
  const read: Store['read'] = (work, recipient, sharing) => {
    if (sharing !== undefined) release();
    return store.read(work, recipient, sharing);
  };
  return { ...run, service: { ...run.service, store: { ...store, read } } };
}

// Units wait for a slot, so that a batch does not take every connection of the pool.
function createSlots(size: number): () => Promise<Release> {
  let free = size;
  const waiting: (() => void)[] = [];
  const release: Release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };
}

interface BatchRun {
  readonly request: ODataRequest;
  readonly service: Service;
  readonly address: ServiceAddress;
  readonly outcomes: Outcomes;
  readonly answer: Answer;
  readonly room: Room;
}

/** Runs a group in one transaction, which commits only if all its requests succeed. */
async function runGroup(unit: BatchUnit, run: BatchRun): Promise<readonly Outcome[]> {
  const { service, request } = run;
  const { store } = service;
  const together = (): Promise<readonly Outcome[]> =>
    store.transaction((connection) => runTogether(unit, groupWrites(connection, countCreates(unit, service)), run), request.recipient);
  const inSteps = (): Promise<readonly Outcome[]> =>
    store.transaction((connection) => runWithin(unit, { ...run, service: { ...service, store: storeOn(connection) } }), request.recipient);
  try {
    return await (store.singleWrites ? together().catch(unlessRefused(inSteps)) : inSteps());
  } catch (failure) {
    if (failure instanceof GroupFailed)
      return unit.parts.map((part) =>
        part === failure.outcome.part ? failure.outcome : failedDependency(part, run, 'another request of its group failed'),
      );
    const response = failureResponse(failure, run.request, run.service);
    return unit.parts.map((part) => ({ part, response, path: '' }));
  }
}

// The creates of a type that a group has, by the last segments of their addresses.
function countCreates({ parts }: BatchUnit, { container }: Service): (type: EntityType) => number {
  const creates = parts.filter(({ method }) => method === 'POST').map(({ url }) => /[^/?]*(?=\?|$)/.exec(url)?.[0] ?? '');
  return (type) => Math.max(1, creates.filter((name) => own(container.entitySets, name) === type.name).length);
}

/** Carries the answer of the failed request out of the rolled-back transaction. */
class GroupFailed extends Error {
  constructor(readonly outcome: Outcome) {
    super('A request of an atomicity group failed.');
  }
}

// The transaction may be retried, so outcomes of the first attempt must not be visible to the second.
async function runWithin({ parts }: BatchUnit, run: BatchRun): Promise<readonly Outcome[]> {
  const outcomes: Outcomes = { parts: new Map(run.outcomes.parts), groups: run.outcomes.groups };
  const ended: Outcome[] = [];
  for (const part of parts) ended.push(await runMember(part, { ...run, outcomes }));
  return ended;
}

/** Runs the requests of a group in order, and goes on to the next when all that is left of one is a write that others can join. */
async function runTogether({ parts }: BatchUnit, { store, queued, send }: WriteGroup, run: BatchRun): Promise<readonly Outcome[]> {
  const outcomes: Outcomes = { parts: new Map(run.outcomes.parts), groups: run.outcomes.groups };
  const within: BatchRun = { ...run, service: { ...run.service, store }, outcomes };
  const started: Promise<Outcome>[] = [];
  let hasFailed = false;
  for (const part of parts) {
    if (mayRefer(part)) await send().then(() => Promise.allSettled(started));
    const waits = queued();
    const outcome = runMember(part, within);
    started.push(outcome);
    await Promise.race([outcome.catch(() => (hasFailed = true)), waits]);
    if (hasFailed) break;
  }
  await send();
  return allEnded(started);
}

// Bodies refer by `"$1"`, addresses by `$1/Media`, headers by `$1`.
function mayRefer({ url, headers, body, dependsOn, condition }: BatchPart): boolean {
  if (dependsOn.length > 0 || condition !== undefined || /^[^?]*(\$|%24)/.test(url)) return true;
  if ([...headers.values()].some((value) => value.startsWith('$'))) return true;
  return body !== undefined && /"(\$|\\u0024)/.test(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'));
}

// The failure of one request is that of its group.
async function runMember(part: BatchPart, run: BatchRun): Promise<Outcome> {
  const outcome = await runPartWithin(part, run);
  if (!isSuccess(outcome.response)) throw new GroupFailed(outcome);
  run.outcomes.parts.set(part.id, outcome);
  return outcome;
}

// The steps determine the error, and not all that a statement cannot do is one.
function unlessRefused<T>(again: () => Promise<T>): (failure: unknown) => Promise<T> {
  return (failure) => {
    if (failure instanceof SingleWriteRefused) return again();
    throw failure;
  };
}

/** Runs one request of a batch on its own; any failure becomes its answer. */
async function runPart(part: BatchPart, run: BatchRun): Promise<Outcome> {
  return outcomeOf(part, run, (request) => answering(request, run.service, (...sent) => answerWhole(...sent, run)));
}

/** Runs one request within a transaction: only errors of the catalogue become answers, since others may cause a retry. */
async function runPartWithin(part: BatchPart, run: BatchRun): Promise<Outcome> {
  return outcomeOf(part, run, async (request) => {
    try {
      return await answerWhole(request, run.service, run);
    } catch (failure) {
      if (failure instanceof ODataError && failure.status !== 503) return errorResponse(failure, request, run.service);
      throw failure;
    }
  });
}

/** The answer to a part that was not run because of another one. */
function failedDependency(part: BatchPart, { request }: BatchRun, why: string): Outcome {
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
    return { part, response: errorResponse(failure, run.request, run.service), path: '' };
  }
}

function mayRun({ dependsOn, condition }: BatchPart, outcomes: Outcomes): boolean {
  return condition === undefined ? dependsOn.every((name) => hasSucceeded(outcomes, name)) : isConditionMet(condition, outcomes);
}

// A created entity is referenced by its Location; anything else by the address of the request.
function referredPath({ headers }: WholeResponse, { path }: ODataRequest, address: ServiceAddress): string {
  const location = headers['Location'];
  return (location === undefined ? undefined : pathOfUrl(location, address)) ?? path;
}
