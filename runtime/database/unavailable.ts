import { ConnectionError } from 'sequelize';
import { errors } from '../errors/catalogue.js';
import { ODataError } from '../errors/odata-error.js';
import { kindOfState, type FailureKind } from './sqlstates.js';

/** The consequence of a database failure; undefined for another error. */
export function kindOfFailure(error: unknown): FailureKind | undefined {
  if (error instanceof ODataError) return undefined;
  // Connecting involves nothing of the request, so the request cannot be wrong.
  if (error instanceof ConnectionError) return 'busy';
  const code = codeOf(error);
  // System codes such as ECONNRESET, and messages of the client library without a code.
  if (/^E[A-Z]+$/.test(code) || lostMessages.test(error instanceof Error ? error.message : '')) return 'lost';
  return /^[0-9A-Z]{5}$/.test(code) ? kindOfState(code) : undefined;
}

/** Whether the transaction may be retried: a serialization failure or a deadlock. */
export function isRepeatable(error: unknown): boolean {
  return kindOfFailure(error) === 'repeat';
}

/** Whether the connection is lost, and must not return to the pool. */
export function isConnectionLost(error: unknown): boolean {
  return kindOfFailure(error) === 'lost';
}

/** The error to throw: 503 when the database is unavailable, otherwise the original one. */
export function asUnavailable(error: unknown): unknown {
  const kind = kindOfFailure(error);
  if (kind !== 'busy' && kind !== 'lost' && kind !== 'repeat') return error;
  return Object.assign(errors.databaseUnavailable(), { cause: error });
}

const lostMessages = /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Query read timeout)/;

// Sequelize wraps errors of its own statements (BEGIN, COMMIT); ours are the database's errors.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  if (typeof code === 'string') return code;
  return original === undefined ? '' : codeOf(original);
}
