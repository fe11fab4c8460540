import { entityTypeNamed, entityTypeOfSet, isTypeOrBase, own, type EntityType, type OperationValue } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { planFilter, both } from '../plan/plan-filter.js';
import { maxTop } from '../plan/limits.js';
import { continuePath, planPath, type Target } from '../plan/plan-path.js';
import { createAliases, rootScope } from '../plan/scope.js';
import { findTarget } from '../store/locate-record.js';
import { parseFilter } from '../expression/parser.js';
import { parseQueryOptions } from '../uri/parse-query-options.js';
import type { KeyLiteral, PathPart } from '../uri/resource-path.js';
import type { CalledOperation } from './answer-call.js';
import { answerMadeRecords } from './answer-made-records.js';
import type { CarryOut } from './call-operation.js';
import type { Exchange } from './exchange.js';
import { elevatedCaller, keyedPart, keyLiteral } from './handler-records.js';
import type { ODataResponse } from './message.js';
import { readCollection } from './read-collection.js';
import { readEntity } from './read-entity.js';
import { readBack, renderWritten } from './write-answer.js';

/** What a handler may answer with where its result is a record or several. */
interface Answered {
  readonly from?: string;
  readonly key?: unknown;
  readonly keys?: readonly unknown[];
  readonly filter?: string;
  readonly orderby?: string;
  readonly created?: true;
  readonly value?: object;
  readonly values?: readonly object[];
}

/** An answer of records: those of a set are read as a GET would read them, with all its options. */
export async function answerRecords(called: CalledOperation, result: OperationValue, exchange: Exchange, carryOut: CarryOut): Promise<ODataResponse> {
  const answer = called.answer as Answered; // What the types of the registry permit; anything else has no `from`.
  const { handler, name } = called.call.operation;
  if (answer.from === undefined) return answerMadeRecords(called, result, answer, exchange);
  const type = resultType(answer.from, result, exchange);
  if (type === undefined) throw new Error(`The handler ${handler} answered with records of ${answer.from}, and ${name} is to answer with ${result.type}.`);
  if (answer.created) return answerCreated(answer.from, answer.key, type, exchange);
  const [target, reading] = result.collection ? collectionAnswer(answer, type, exchange) : recordAnswer(answer, type, exchange);
  const { part, rest } = called.target;
  if (rest.length === 0 && part.resultKey === undefined) return serve(target, reading, called.call.operation.kind === 'Action');
  const { orderby: _, ...options } = reading.options;
  // The order that the handler wishes is of the collection, and not of what lies behind it.
  const further = { ...reading, options: exchange.options.orderby ? reading.options : options };
  return carryOut(continuePath(target, { name: answer.from, ...(part.resultKey && { key: part.resultKey }) }, rest, contextOf(reading)), further);
}

function serve(target: Target, exchange: Exchange, isAction: boolean): Promise<ODataResponse> {
  if (target.kind === 'entity') return readEntity(target, exchange);
  if (target.kind !== 'collection') throw new Error('An answer of records leads to records.');
  return readCollection(target, isAction ? wholeAnswer(target.type, exchange) : exchange);
}

// There is no next page of what an action answers, so that the first one is all of it.
function wholeAnswer(type: EntityType, exchange: Exchange): Exchange {
  const { options, context } = exchange;
  const top = options.top ?? maxTop(type, options);
  return { ...exchange, options: { ...options, top }, context: { ...context, settings: { ...context.settings, topMeaning: 'pageSize' } } };
}

// The type of the records that are shown: the result's own within a set of a base type.
function resultType(set: string, { type: name }: OperationValue, { service: { container } }: Exchange): EntityType | undefined {
  const declared = entityTypeOfSet(container, set);
  if (declared === undefined || isTypeOrBase(declared, name)) return declared;
  const derived = entityTypeNamed(container, name);
  return derived && isTypeOrBase(derived, declared.qualifiedName) ? derived : undefined;
}

function recordAnswer({ from = '', key }: Answered, type: EntityType, exchange: Exchange): readonly [Target, Exchange] {
  const reading = asReading(exchange);
  return [planPath({ parts: [keyedPart(exchange.service.container, from, key), ...castTo(from, type, exchange)] }, contextOf(reading)), reading];
}

function collectionAnswer({ from = '', keys, filter, orderby }: Answered, type: EntityType, exchange: Exchange): readonly [Target, Exchange] {
  const { container } = exchange.service;
  const sorted = orderby === undefined || exchange.options.orderby ? {} : parseQueryOptions(`$orderby=${encodeURIComponent(orderby)}`).options;
  const reading = asReading({ ...exchange, options: { ...exchange.options, ...sorted } });
  const target = planPath({ parts: [{ name: from }, ...castTo(from, type, exchange)] }, contextOf(reading));
  const condition = keys === undefined ? filter : keysCondition(type, keys);
  if (condition === undefined || target.kind !== 'collection') return [target, reading];
  // The condition is the handler's, who may look at what the caller may not see.
  const scope = rootScope(target, { ...reading.context, container, caller: elevatedCaller(exchange.caller, container) });
  const filtered = both(target.filter, planFilter(parseFilter(condition, 'answer'), scope, 'answer'));
  return [{ ...target, ...(filtered && { filter: filtered }) }, reading];
}

function castTo(set: string, type: EntityType, { service: { container } }: Exchange): readonly PathPart[] {
  return own(container.entitySets, set) === `${type.name}${type.place ?? ''}` ? [] : [{ name: type.qualifiedName }];
}

// The conditions in the header are on what an operation is bound to, not on its answer.
function asReading(exchange: Exchange): Exchange {
  const { request } = exchange;
  const header = (name: string): string | undefined => (name === 'if-match' || name === 'if-none-match' ? undefined : request.header(name));
  const { keeping: _, ...others } = exchange;
  return { ...others, request: { ...request, header }, context: { ...exchange.context, aliases: createAliases() } };
}

function contextOf({ context, parameters }: Exchange): Exchange['context'] & { readonly parameters?: NonNullable<Exchange['parameters']> } {
  return { ...context, ...(parameters && { parameters }) };
}

/** How many keys an answer may have; more are told by a condition. */
const mostKeys = 1_000;

function keysCondition(type: EntityType, keys: readonly unknown[]): string {
  if (keys.length > mostKeys) throw new Error(`A handler answered with ${keys.length} keys; ${mostKeys} are the most, and a filter can tell more.`);
  const [only = '', ...others] = type.key;
  if (keys.length === 0) return 'false';
  if (others.length === 0) return `${only} in (${keys.map((key) => literalText(keyLiteral(type, only, key))).join(',')})`;
  const one = (key: object): string => type.key.map((name) => `${name} eq ${literalText(keyLiteral(type, name, own(key as { readonly [name: string]: unknown }, name)))}`).join(' and ');
  return keys.map((key) => `(${one(key as object)})`).join(' or ');
}

function literalText({ text, quoted, prefix = '' }: KeyLiteral): string {
  return quoted ? `${prefix}'${text.replaceAll("'", "''")}'` : text;
}

// Protocol 4.01, 11.5.5.1: an action that creates the record which it answers with is answered like a create.
async function answerCreated(set: string, key: unknown, type: EntityType, exchange: Exchange): Promise<ODataResponse> {
  const { service } = exchange;
  const place = planPath({ parts: [keyedPart(service.container, set, key)] }, exchange.context);
  if (place.kind !== 'entity') throw new Error('A key leads to a record.');
  const written = await service.store.transaction(async (connection) => {
    const found = await findTarget(place, connection, service.container);
    if (found === undefined) throw errors.notFound(`${type.name} with that key`);
    return readBack({ ...place, type: found.type }, found.id, exchange, connection, 201);
  }, exchange.request.recipient);
  return renderWritten(written, exchange);
}
