import { type Field, type StreamAnswer, type EntityType, type OperationValue, own } from '../../../edm/index.js';
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
import { readTransient, answerTransient } from './answer-transient.js';
import { contextOf, asReading, readAnswer } from './inner-request.js';
import { jsonObject } from '../../../json/json.js';
import { isTypeOrBase } from '../../../plan/path/derivation.js';
import { planFilter, rootScope } from '../../../plan/options/plan-filter.js';
import { continueCall, typeText } from '../plan/find-call.js';
import { planPath } from '../../../plan/read/plan-path.js';
import type { Target } from '../../../plan/path/path-target.js';
import type { RecordsTarget } from '../../../protocol/routes.js';
import { findTarget } from '../../../store/locate-record.js';
import { parseFilter } from '../../../expression/parser.js';
import { parseResourcePath } from '../../../uri/parse-resource-path.js';
import { parseQueryOptions } from '../../../uri/parse-query-options.js';
import { type PathPart, printKeyLiteral } from '../../../uri/resource-path.js';
import { execute } from '../../../http/execute.js';
import { elevatedCaller, keyedPart, keyLiteral } from './handler-records.js';
import { readBack, renderWritten } from '../../../http/write/write-answer.js';
import { both } from '../../../plan/expr-facts.js';

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

/** An answer that is a value or values: checked like a body, and read as a property of a transient row bound to the statement. */
async function answerValue(called: CalledOperation, field: Field, exchange: Exchange): Promise<ODataResponse> {
  const {
    call: { operation },
    target: { part, rest },
    answer,
  } = called;
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

/** The possible answers of a handler whose result is an entity or a collection. */
interface Answered {
  readonly from?: string;
  readonly path?: string;
  readonly bound?: true;
  readonly key?: unknown;
  readonly keys?: readonly unknown[];
  readonly filter?: string;
  readonly orderby?: string;
  readonly created?: true;
  readonly value?: object;
  readonly values?: readonly object[];
}

/** An answer of entities: those of a set are read like a GET, with all options. */
async function answerRecords(called: CalledOperation, result: OperationValue, exchange: Exchange): Promise<ODataResponse> {
  const answer = called.answer as Answered; // The registry's types permit only these; anything else lacks `from`.
  const reading = asReading(orderedBy(answer, exchange));
  const target = await placeOfAnswer(called, result, reading);
  if (target === undefined) return answerTransient(called, result, answer, exchange);
  if (answer.created) return answerCreated(target, exchange);
  const { part, rest } = called.target;
  if (rest.length === 0 && part.resultKey === undefined) return readAnswer(target, reading, called.call.operation.kind === 'Action');
  const { orderby: _, ...options } = reading.options;
  // The handler's order applies to the collection, not to a path after it.
  const further = { ...reading, options: exchange.options.orderby ? reading.options : options };
  return execute(continueCall(target, called.target, contextOf(reading)), further);
}

// The source of the answer's entities, as the handler chooses it; undefined for transient ones.
async function placeOfAnswer(called: CalledOperation, result: OperationValue, reading: Exchange): Promise<RecordsTarget | undefined> {
  const answer = called.answer as Answered;
  const { binding } = called.target;
  const parts = answer.bound ? binding?.parts : partsOf(answer, result, reading);
  if (parts === undefined) return undefined;
  const place =
    answer.bound && binding?.composed ? asPlace(await placeBefore(called, parts, reading), result) : placeAt(parts, result, reading);
  const { handler, name } = called.call.operation;
  if (place === undefined)
    throw new Error(
      `The handler ${handler} returned the path ${parts.map((part) => part.name).join('/')}, but the result of ${name} is ${typeText(result)}.`,
    );
  return place.kind === 'entity' ? place : chosenOf(place, answer, reading);
}

// The binding value may be the answer of another function.
async function placeBefore(called: CalledOperation, parts: readonly PathPart[], reading: Exchange): Promise<Target> {
  const {
    call: { operation },
    callBefore,
  } = called;
  const before = planPath({ parts }, contextOf(reading));
  const inner = before.kind === 'operation' ? await callBefore(before) : undefined;
  const result = inner?.call.operation.result;
  if (inner === undefined || result === undefined) throw new Error(`The binding type of ${operation.name} is the result of no function.`);
  if (inner.answer == null) throw errors.notFound(`${operation.name} after ${inner.call.operation.name}, which found nothing`);
  const place = await placeOfAnswer(inner, result, reading);
  if (place === undefined)
    throw errors
      .notImplemented(`Applying ${operation.name} to transient records of ${inner.call.operation.name}`, 'Use $filter.')
      .at(operation.name);
  return continueCall(place, inner.target, contextOf(reading));
}

// The source of a handler's entities; a derived result type is reached by a type cast.
function placeAt(parts: readonly PathPart[], result: OperationValue, exchange: Exchange): RecordsTarget | undefined {
  const target = planPath({ parts }, contextOf(exchange));
  const place = asPlace(target, result);
  if (place || !('type' in target)) return place;
  return target.type.derivedTypes?.includes(result.type) ? placeAt([...parts, { name: result.type }], result, exchange) : undefined;
}

function asPlace(target: Target, { type: name, collection }: OperationValue): RecordsTarget | undefined {
  if (target.kind !== 'collection' && target.kind !== 'entity') return undefined;
  const isAlike = (target.kind === 'collection') === (collection ?? false) && target.suffix === '';
  return isAlike && isTypeOrBase(target.type, name) ? target : undefined;
}

function partsOf({ from, path, key }: Answered, { collection }: OperationValue, exchange: Exchange): readonly PathPart[] | undefined {
  const {
    service: { container },
  } = exchange;
  if (path !== undefined) return parseResourcePath(path).parts;
  if (from === undefined) return undefined;
  return [collection ? { name: from } : keyedPart(container, from, key)];
}

function orderedBy({ orderby }: Answered, exchange: Exchange): Exchange {
  if (orderby === undefined || exchange.options.orderby) return exchange;
  const sorted = parseQueryOptions(`$orderby=${encodeURIComponent(orderby)}`).options;
  return { ...exchange, options: { ...exchange.options, ...sorted } };
}

// The condition is the handler's, who may use data that is hidden from the caller.
function chosenOf<Chosen extends RecordsTarget>(place: Chosen, { keys, filter }: Answered, exchange: Exchange): Chosen {
  const {
    context,
    caller,
    service: { container },
  } = exchange;
  const condition = keys === undefined ? filter : keysCondition(place.type, keys);
  if (condition === undefined) return place;
  const scope = rootScope(place, { ...context, caller: elevatedCaller(caller, container) });
  const filtered = both(place.filter, planFilter(parseFilter(condition, 'answer'), scope, 'answer'));
  return { ...place, ...(filtered && { filter: filtered }) };
}

/** The most keys of an answer; more need a condition. */
const mostKeys = 1_000;

function keysCondition(type: EntityType, keys: readonly unknown[]): string {
  if (keys.length > mostKeys) throw new Error(`A handler returned ${keys.length} keys; the limit is ${mostKeys}. Return a filter instead.`);
  const [only = '', ...others] = type.key;
  if (keys.length === 0) return 'false';
  if (others.length === 0)
    return `${keyPath(type, only)} in (${keys.map((key) => printKeyLiteral(keyLiteral(type, only, key))).join(',')})`;
  const part = (key: unknown, name: string): string =>
    printKeyLiteral(keyLiteral(type, name, own(key as Readonly<Record<string, unknown>>, name)));
  return keys.map((key) => `(${type.key.map((name) => `${keyPath(type, name)} eq ${part(key, name)}`).join(' and ')})`).join(' or ');
}

// A key property may be nested in a complex value.
function keyPath({ keyFields = {} }: EntityType, name: string): string {
  return own(keyFields, name)?.path ?? name;
}

// Protocol 4.01, 11.5.5.1: an action that creates the entity in its result is answered like a create.
async function answerCreated(place: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const { service, request } = exchange;
  const written = await service.store.transaction(async (connection) => {
    const found = await findTarget(place, { connection, container: service.container });
    if (found === undefined) throw errors.notFound(`${place.type.name} with that key`);
    return readBack({ ...place, type: found.type }, found.id, exchange, connection, 201);
  }, request.recipient);
  return renderWritten(written, exchange);
}
