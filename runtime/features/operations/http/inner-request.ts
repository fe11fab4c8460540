import { Readable } from 'node:stream';
import { errors } from '../../../errors/catalogue.js';
import { ODataError } from '../../../errors/odata-error.js';
import { planPath } from '../../../plan/plan-path.js';
import type { Caller } from '../../../plan/caller.js';
import { createAliases } from '../../../plan/scope.js';
import { parseQueryOptions } from '../../../uri/parse-query-options.js';
import { bindAliases } from '../../../uri/bind-aliases.js';
import type { PathPart } from '../../../uri/resource-path.js';
import type { CarryOut, Exchange } from '../../../http/service.js';
import { type ODataRequest, wholeResponse } from '../../../protocol/message.js';

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
export function askWithin(exchange: Exchange, caller: Caller, carryOut: CarryOut): Ask {
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
    const response = await carryOut(target, {
      request,
      service,
      caller,
      options: bindAliases(options),
      context,
      preferences,
      version: '4.01',
      raw,
    })
      .then(wholeResponse)
      .catch((failure: unknown) => missingRecord(failure, inner));
    const body = String(response.body ?? '');
    return body === '' ? undefined : (JSON.parse(body) as unknown);
  };
}

// With If-Match: * only a missing entity fails the condition, unless the handler has sent its own ETags.
function missingRecord(failure: unknown, { body }: InnerRequest): never {
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
