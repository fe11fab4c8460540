import { errors as joseErrors } from 'jose';
import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';

/** The token of an Authorization header (RFC 6750, 2.1). */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw challenge(errors.unauthenticated('the Authorization header is missing'));
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization) ?? [];
  if (token === undefined) throw challenge(errors.unauthenticated('write Authorization: Bearer <token>'), 'invalid_request');
  return token;
}

/** The error for a token of no known issuer; it does not say which part was wrong. */
export function notOurs(): ODataError {
  return challenge(errors.unauthenticated('this service does not accept it'), 'invalid_token');
}

/** Turns the library's failure of a token into 401; rethrows anything else. */
export function refuseToken(failure: unknown): never {
  if (failure instanceof joseErrors.JWTExpired) throw challenge(errors.tokenExpired(), 'invalid_token');
  if (failure instanceof joseErrors.JOSEError) throw notOurs();
  throw failure;
}

// RFC 6750, 3: the challenge gives the reason, except when no token was sent.
function challenge(error: ODataError, reason?: string): ODataError {
  const text = reason === undefined ? 'Bearer realm="gable"' : `Bearer realm="gable", error="${reason}"`;
  return error.withHeaders({ 'WWW-Authenticate': text });
}
