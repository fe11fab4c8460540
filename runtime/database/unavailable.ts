import { ConnectionError } from 'sequelize';
import { errors } from '../errors/catalogue.js';
import { ODataError } from '../errors/odata-error.js';
import { kindOfState, type FailureKind } from './sqlstates.js';

/** What a failure of the database means; undefined for what is none. */
export function kindOfFailure(error: unknown): FailureKind | undefined {
  if (error instanceof ODataError) return undefined;
  // Nothing of a request takes part in the making of a connection, so that nothing of it can be wrong.
  if (error instanceof ConnectionError) return 'busy';
  const code = codeOf(error);
  // Codes of the system, ECONNRESET and its like, and messages that the client library gives no code.
  if (/^E[A-Z]+$/.test(code) || lostMessages.test(error instanceof Error ? error.message : '')) return 'lost';
  return /^[0-9A-Z]{5}$/.test(code) ? kindOfState(code) : undefined;
}

/** Whether the same transaction may succeed when it is run again: a serialization failure or a deadlock. */
export function isRepeatable(error: unknown): boolean {
  return kindOfFailure(error) === 'repeat';
}

/** Whether the connection itself is gone, so that it must not go back to the pool. */
export function isConnectionLost(error: unknown): boolean {
  return kindOfFailure(error) === 'lost';
}

/** The error to throw: 503 when the database cannot answer now, and what it was otherwise. */
export function asUnavailable(error: unknown): unknown {
  const kind = kindOfFailure(error);
  if (kind !== 'busy' && kind !== 'lost' && kind !== 'repeat') return error;
  return Object.assign(errors.databaseUnavailable(), { cause: error });
}

const lostMessages = /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Query read timeout)/;

// Sequelize wraps what its own statements (BEGIN, COMMIT) throw; ours throw the database's error itself.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  if (typeof code === 'string') return code;
  return original === undefined ? '' : codeOf(original);
}
