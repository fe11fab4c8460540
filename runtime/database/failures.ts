import { ConnectionError } from 'sequelize';
import { own } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { ODataError } from '../errors/odata-error.js';

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
  const unavailable = codeOf(error) === readOnlyState ? errors.databaseReadOnly() : errors.databaseUnavailable();
  return Object.assign(unavailable, { cause: error });
}

const readOnlyState = '25006';

const lostMessages = /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Query read timeout)/;

// Sequelize wraps errors of its own statements (BEGIN, COMMIT); ours are the database's errors.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  if (typeof code === 'string') return code;
  return original === undefined ? '' : codeOf(original);
}

/**
 * The consequence of a database failure: `invalid`, values cannot be stored; `conflict`, a unique value exists; `busy`,
 * retry later; `lost`, likewise, and the connection is unusable; `repeat`, the transaction may succeed immediately;
 * `fault`, an error of the service.
 */
export type FailureKind = 'invalid' | 'conflict' | 'busy' | 'lost' | 'repeat' | 'fault';

/** The consequences of SQLSTATEs (PostgreSQL, appendix A). */
export const sqlStates: { readonly [state: string]: FailureKind } = {
  '08000': 'lost', // connection exception
  '08001': 'lost', // unable to connect
  '08003': 'lost', // connection does not exist
  '08004': 'lost', // connection rejected
  '08006': 'lost', // connection failure
  '08007': 'lost', // transaction resolution unknown
  '08P01': 'lost', // protocol violation
  '0A000': 'fault', // feature not supported
  '22000': 'invalid', // data exception
  '22001': 'invalid', // string too long
  '22003': 'invalid', // number out of range
  '22007': 'invalid', // invalid datetime format
  '22008': 'invalid', // datetime out of range
  '22011': 'invalid', // substring error
  '22012': 'invalid', // division by zero
  '22021': 'invalid', // character not in repertoire
  '2201B': 'invalid', // invalid regular expression
  '2201E': 'invalid', // invalid argument for logarithm
  '22023': 'invalid', // invalid parameter value
  '22P02': 'invalid', // invalid text representation
  '22P05': 'invalid', // untranslatable character
  '23502': 'invalid', // not null
  '23503': 'invalid', // foreign key
  '23505': 'conflict', // unique
  '23514': 'invalid', // check
  '23P01': 'conflict', // exclusion
  [readOnlyState]: 'lost', // read-only transaction: another connection may reach the primary
  '25P02': 'fault', // in failed transaction
  '25P03': 'lost', // idle in transaction for too long
  '28000': 'busy', // invalid authorization
  '28P01': 'busy', // invalid password
  '3D000': 'busy', // no such database: while it is being restored
  '40001': 'repeat', // serialization failure
  '40P01': 'repeat', // deadlock
  '42501': 'fault', // insufficient privilege
  '42601': 'fault', // syntax error
  '42703': 'fault', // no such column
  '42P01': 'fault', // no such table
  '53000': 'busy', // insufficient resources
  '53100': 'busy', // disk full
  '53200': 'busy', // out of memory
  '53300': 'busy', // too many connections
  '54000': 'fault', // program limit exceeded: the service's own limits come first
  '54001': 'fault', // statement too complex
  '55P03': 'busy', // lock not available
  '57014': 'busy', // cancelled, by the statement's timeout
  '57P01': 'lost', // admin shutdown
  '57P02': 'lost', // crash shutdown
  '57P03': 'lost', // cannot connect now
  '58030': 'busy', // input or output error
  XX000: 'fault', // internal error
};

/** The consequences of other states by class; the default is a fault. */
const classes: { readonly [first: string]: FailureKind } = { '08': 'lost', '22': 'invalid', '23': 'invalid', '53': 'busy', '57': 'lost' };

/** The consequence of a SQLSTATE. */
export function kindOfState(state: string): FailureKind {
  return own(sqlStates, state) ?? own(classes, state.slice(0, 2)) ?? 'fault';
}
