import type { ErrorCode } from './error-codes.js';

/** One fault of a request. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
}

/** The place of an error in an option or the path, in UTF-16 code units of the decoded text; `at` counts from 1. */
export interface ErrorPosition {
  readonly option: string;
  readonly at: number;
  readonly length: number;
  /** The JSON pointer of the value in a body. */
  readonly pointer?: string;
}

/** The error of an OData response (JSON Format 21). */
interface ErrorBody extends ErrorDetail {
  readonly details?: readonly ErrorDetail[];
  readonly innererror?: { readonly requestId?: string; readonly position?: ErrorPosition };
}

/** A response that is an error, and the request that it answers. */
export interface Failure {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** The body, as JSON or text. */
  readonly body: unknown;
  /** The method and the address. */
  readonly request: string;
}

/** An error that the service answered. Lost connections and aborts keep the errors of the platform. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  declare readonly status: number;
  /** A code of the catalogue, or any other service's; `''` without one. */
  declare readonly code: ErrorCode | (string & {});
  /** The property, option or header at fault. */
  declare readonly target: string | undefined;
  declare readonly details: readonly ErrorDetail[];
  /** Where in the request, as far as the service says. */
  declare readonly position: ErrorPosition | undefined;
  declare readonly requestId: string | undefined;
  /** Milliseconds to wait before the next try. */
  declare readonly retryAfter: number | undefined;

  constructor({ status, headers, body, request }: Failure) {
    const error = (body as { readonly error?: Partial<ErrorBody> } | undefined)?.error ?? {};
    // A gateway or a token endpoint has errors of its own form.
    const { message = body ? JSON.stringify(body).slice(0, 200) : '' } = error;
    super(`${request}: ${status} ${message}`);
    Object.assign(this, {
      status,
      code: error.code ?? '',
      target: error.target,
      details: error.details ?? [],
      position: error.innererror?.position,
      requestId: error.innererror?.requestId ?? headers.get('x-request-id') ?? undefined,
      retryAfter: readRetryAfter(headers.get('retry-after')),
    });
  }
}

/** The record has changed since it was read (412). */
export class ConflictError<T = unknown> extends ServiceError {
  override readonly name = 'ConflictError';
  /** The changes that were not made. */
  declare readonly changes: unknown;
  /** Reads the record as it is now. */
  declare readonly current: () => Promise<T>;

  constructor(failure: Failure, changes: unknown, current: () => Promise<T>) {
    super(failure);
    Object.assign(this, { changes, current });
  }
}

/** The state to continue from no longer exists (410): begin anew. */
export class Expired extends ServiceError {
  override readonly name = 'Expired';
}

/** Whether a service answered with the code; narrows `code` to it. */
export function isCode<const Code extends ErrorCode>(error: unknown, code: Code): error is ServiceError & { readonly code: Code } {
  return error instanceof ServiceError && error.code === code;
}

// Seconds or a date (RFC 9110, 10.2.3).
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  return Math.max(0, +value * 1000 || Date.parse(value) - Date.now() || 0);
}
