import type { EntityContainer } from '../edm/entity-container.js';
import { errors } from '../errors/catalogue.js';
import { ODataError, renderError } from '../errors/odata-error.js';
import type { ODataRequest, ODataResponse, WholeResponse } from '../protocol/message.js';
import { negotiateVersion } from '../protocol/negotiate.js';
import { answer } from './dispatch.js';
import { sampleNames } from '../errors/sample-names.js';
import type { Answer, Service } from './service.js';

/** Answers a request in every case. */
export function respond(request: ODataRequest, service: Service): Promise<ODataResponse> {
  return answering(request, service, answerRequest);
}

/** The answer of `make`, or of its failure: an error of the catalogue as it is, anything else as a bare 500 with a log line. */
export async function answering<Response extends ODataResponse>(
  request: ODataRequest,
  service: Service,
  make: (request: ODataRequest, service: Service) => Promise<Response>,
): Promise<Response | WholeResponse> {
  try {
    return await make(request, service);
  } catch (failure) {
    return failureResponse(failure, request, service);
  }
}

/** The parts of an error response in addition to the error; all are optional. */
interface ErrorContext {
  /** The model whose names the examples in a message use. */
  readonly container?: EntityContainer;
  readonly helpFor?: Service['helpFor'];
}

interface FailureParts extends ErrorContext {
  readonly logFailure: Service['logFailure'];
}

/** The answer to a failure. Internal failures and the reasons of an unavailable database are logged. */
export function failureResponse(failure: unknown, request: ODataRequest, parts: FailureParts): WholeResponse {
  const known = failure instanceof ODataError;
  if (!known || failure.cause !== undefined) parts.logFailure(failure, request.id);
  return errorResponse(known ? failure : errors.internal(), request, parts);
}

/** An error as a response. */
export function errorResponse(error: ODataError, request: ODataRequest, { container, helpFor }: ErrorContext = {}): WholeResponse {
  const retry = error.status === 503 ? { 'Retry-After': '1' } : {};
  return {
    status: error.status,
    headers: {
      'Content-Type': 'application/json;odata.metadata=minimal',
      'Content-Language': 'en',
      'OData-Version': versionOf(request),
      ...retry,
      ...error.headers,
    },
    body: renderError(error, {
      requestId: request.id,
      names: container && (() => sampleNames(container, request.path)),
      help: helpFor?.(error.code),
    }),
  };
}

// The version header may itself be invalid; the answer then has the version that every client supports.
function versionOf(request: ODataRequest): string {
  try {
    return negotiateVersion(request);
  } catch (failure) {
    if (failure instanceof ODataError) return '4.0';
    throw failure;
  }
}

/** A kind of request that a feature answers in place of the dispatcher; its path, a header or a format identifies it. */
export interface RequestKind {
  readonly path?: RegExp;
  /** The resource with the path, which a model may switch off. */
  readonly resource?: string;
  /** Name of the header, in lower case. */
  readonly header?: string;
  /** Names of formats, of which Accept or the query string has one. */
  readonly formats?: RegExp;
  /** The methods that the header or the format has a meaning for; all when absent. */
  readonly methods?: ReadonlySet<string>;
  /** Answers the request; `next` answers it, or the requests that it consists of, without this kind. */
  readonly answer: (request: ODataRequest, service: Service, next: Answer) => Promise<ODataResponse>;
}

const kinds: RequestKind[] = [];

/** Adds a kind of request. Kinds with a path come first: a batch is none of the requests that it consists of. */
export function registerRequestKind(kind: RequestKind): void {
  if (kinds.includes(kind)) return;
  if (kind.path === undefined) kinds.push(kind);
  else kinds.unshift(kind);
}

/** Answers a request by the first kind that it is of, or else by the dispatcher. */
function answerRequest(request: ODataRequest, service: Service, first = 0): Promise<ODataResponse> {
  for (let at = first; at < kinds.length; at += 1) {
    const kind = kinds[at];
    if (kind !== undefined && isOf(kind, request, service.container))
      return kind.answer(request, service, (inner, innerService) => answerRequest(inner, innerService, at + 1));
  }
  return answer(request, service);
}

function isOf({ path, resource, header, formats, methods }: RequestKind, request: ODataRequest, { unsupported }: EntityContainer): boolean {
  if (path !== undefined) return path.test(request.path) && !(resource !== undefined && unsupported?.includes(resource));
  if (methods?.has(request.method) === false) return false;
  if (header !== undefined) return request.header(header) !== undefined;
  return formats !== undefined && (formats.test(request.query) || formats.test(request.header('accept') ?? ''));
}

/**
 * Limits concurrent requests and rejects the rest without queueing: an overloaded queue only grows. An answer that is
 * being sent no longer counts; slow clients have separate limits.
 */
export function limitUnderWay(answer: Answer, limit: number): Answer {
  let underWay = 0;
  return async (request, service) => {
    if (underWay >= limit) return errorResponse(errors.overloaded(limit), request);
    underWay += 1;
    try {
      return await answer(request, service);
    } finally {
      underWay -= 1;
    }
  };
}
