import { Readable } from 'node:stream';
import { noteSource } from '../../../database/failures.js';
import type { EntityType } from '../../../edm/entity-type.js';
import { errors } from '../../../errors/catalogue.js';
import { ODataError } from '../../../errors/odata-error.js';
import { readCollection } from '../../../http/read/read-collection.js';
import { readEntity } from '../../../http/read/read-entity.js';
import type { Exchange } from '../../../http/service.js';
import { execute } from '../../../http/execute.js';
import type { Caller } from '../../../plan/caller.js';
import { maxTop } from '../../../plan/limits.js';
import type { Target } from '../../../plan/path/path-target.js';
import { planPath } from '../../../plan/read/plan-path.js';
import { createAliases } from '../../../plan/scope.js';
import { type ODataRequest, type ODataResponse, wholeResponse } from '../../../protocol/message.js';
import { bindAliases } from '../../../uri/bind-aliases.js';
import { parseQueryOptions } from '../../../uri/parse-query-options.js';
import type { PathPart } from '../../../uri/resource-path.js';

/** A request of a handler to the service. */
interface InnerRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly parts: readonly PathPart[];
  readonly query?: string;
  readonly body?: object;
  /** The page size; pages may be smaller. */
  readonly pageSize?: number;
  /** Whether Int64 and Decimal are strings. */
  readonly exact?: true;
}

/** Sends requests for a handler through all stages, with the permissions of the given caller; throws their errors. */
export type Ask = (request: InnerRequest) => Promise<unknown>;

/** Sends requests within an exchange, in its transaction. */
export function askWithin(exchange: Exchange, caller: Caller): Ask {
  return async (inner) => {
    const request = innerRequest(inner, exchange);
    const { options, raw } = parseQueryOptions(request.query);
    const { settings } = exchange.context;
    const context = { container: exchange.service.container, caller, aliases: createAliases(), settings };
    const target = planPath({ parts: inner.parts }, { ...context, ...(exchange.parameters && { parameters: exchange.parameters }) });
    const preferences = {
      return: 'representation',
      maxPageSize: { size: Math.min(inner.pageSize ?? largestPage, largestPage), name: 'maxpagesize' },
    } as const;
    const { service } = exchange;
    const asked: Exchange = { request, service, caller, options: bindAliases(options), context, preferences, version: '4.01', raw };
    const response = await execute(target, asked)
      .then(wholeResponse)
      .catch((failure: unknown) => throwFailure(failure, inner));
    const body = String(response.body ?? '');
    return body === '' ? undefined : (JSON.parse(body) as unknown);
  };
}

/** Throws the failure of an inner request. Unless the handler sent ETags, only a missing entity fails If-Match: *. */
export function throwFailure(failure: unknown, { body }: Pick<InnerRequest, 'body'>): never {
  noteSource(failure, 'service');
  const asksForState = body !== undefined && /"@(?:odata\.)?etag":/.test(JSON.stringify(body));
  throw failure instanceof ODataError && failure.status === 412 && !asksForState ? errors.notFound('record with that key') : failure;
}

const largestPage = 1_000;

function innerRequest({ method, query = '', body, exact }: InnerRequest, { request }: Exchange): ODataRequest {
  const headers: Readonly<Record<string, string>> = {
    accept: `application/json;odata.metadata=none${exact ? ';IEEE754Compatible=true' : ''}`,
    'content-type': 'application/json',
    // A handler has locked the entity that it changes, or does not depend on its state.
    ...((method === 'PATCH' || method === 'DELETE') && { 'if-match': '*' }),
  };
  const bytes = Buffer.from(JSON.stringify(body ?? {}));
  const { id, recipient } = request;
  return {
    method,
    path: '/inner',
    query,
    header: (name) => headers[name],
    body: () => Promise.resolve(bytes),
    chunks: () => Readable.from([bytes]),
    id,
    recipient,
  };
}

/** Reads the entities of an answer, like a GET of them. */
export function readAnswer(target: Target, exchange: Exchange, isAction: boolean): Promise<ODataResponse> {
  if (target.kind === 'entity') return readEntity(target, exchange);
  if (target.kind !== 'collection') throw new Error('The result of an operation is a set of records.');
  return readCollection(target, isAction ? wholeAnswer(target.type, exchange) : exchange);
}

// The result of an action has no next page, so the first page is complete.
function wholeAnswer(type: EntityType, exchange: Exchange): Exchange {
  const { options } = exchange;
  const { maxPageSize: _, ...preferences } = exchange.preferences;
  return { ...exchange, options: { ...options, top: options.top ?? maxTop(type, options) }, preferences };
}

/** The exchange for the answer alone: conditions in the headers apply to the binding value. */
export function asReading(exchange: Exchange): Exchange {
  const { request } = exchange;
  const header = (name: string): string | undefined => (name === 'if-match' || name === 'if-none-match' ? undefined : request.header(name));
  const { keeping: _, ...others } = exchange;
  return { ...others, request: { ...request, header }, context: { ...exchange.context, aliases: createAliases() } };
}

/** The context for paths after an answer. */
export function contextOf({ context, parameters }: Exchange): Exchange['context'] & Pick<Exchange, 'parameters'> {
  return { ...context, ...(parameters && { parameters }) };
}
