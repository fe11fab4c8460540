import type { EntityContainer } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { ODataError } from '../errors/odata-error.js';
import { renderError } from '../errors/render-error.js';
import type { ODataRequest, ODataResponse, WholeResponse } from '../protocol/message.js';
import { negotiateVersion } from '../protocol/negotiate.js';
import { answerRequest } from './request-kinds.js';
import { sampleNames } from './sample-names.js';
import type { Service } from './service.js';

/** Answers a request in every case. */
export function respond(request: ODataRequest, service: Service): Promise<ODataResponse> {
  return answering(request, service, answerRequest);
}

/**
 * The answer of `make`, or of its failure: an error of the catalogue as it is, anything else as a bare 500 with a log
 * line.
 */
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

interface FailureParts {
  readonly logFailure: Service['logFailure'];
  /** The model whose names the examples in a message use. */
  readonly container?: EntityContainer;
}

/** The answer to a failure. Internal failures and the reasons of an unavailable database are logged. */
export function failureResponse(failure: unknown, request: ODataRequest, { logFailure, container }: FailureParts): WholeResponse {
  const known = failure instanceof ODataError;
  if (!known || failure.cause !== undefined) logFailure(failure, request.id);
  return errorResponse(known ? failure : errors.internal(), request, container);
}

/** An error as a response. */
export function errorResponse(error: ODataError, request: ODataRequest, container?: EntityContainer): WholeResponse {
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
    body: renderError(error, request.id, container && (() => sampleNames(container, request.path))),
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
