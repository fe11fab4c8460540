import { ConnectionError } from 'sequelize';
import { errors } from '../errors/catalogue.js';
import { ODataError } from '../errors/odata-error.js';

/** Whether the same transaction may succeed when it is run again: a serialization failure or a deadlock. */
export function isRepeatable(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** Whether the connection itself is gone, so that it must not go back to the pool. */
export function isConnectionLost(error: unknown): boolean {
  return lostCodes.test(codeOf(error)) || lostMessages.test(error instanceof Error ? error.message : '');
}

/** The error to throw: 503 when the database cannot answer now, and what it was otherwise. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ODataError || !isUnavailable(error)) return error;
  return Object.assign(errors.databaseUnavailable(), { cause: error });
}

// SQLSTATE classes (PostgreSQL, appendix A): 08 connection, 53 resources, 57P shutdown and start-up; 55P03 lock
// not available, 57014 statement timeout, 25006 read-only server, 25P03 idle in a transaction for too long.
const busyCodes = /^(08|53|57P|55P03$|57014$|25006$|25P03$)/;
const lostCodes = /^(08|57P|25P03$|E[A-Z]+$)/;
// The client library gives these no code.
const lostMessages = /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Query read timeout)/;

function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectionError || isRepeatable(error) || busyCodes.test(codeOf(error)) || isConnectionLost(error);
}

// Sequelize wraps what its own statements (BEGIN, COMMIT) throw; ours throw the database's error itself.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  if (typeof code === 'string') return code;
  return original === undefined ? '' : codeOf(original);
}
