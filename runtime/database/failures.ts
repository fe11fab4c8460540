import { own } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { ODataError } from '../errors/odata-error.js';

/** No connection could be made or was free; the original error has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(readonly original: Error) {
    super(original.message, { cause: original });
  }
}

/** The consequence of a database failure; undefined for another error. */
export function kindOfFailure(error: unknown): FailureKind | undefined {
  if (error instanceof ODataError) return undefined;
  // Connecting involves nothing of the request, so the request cannot be wrong.
  if (error instanceof ConnectionError) return 'busy';
  if (isOutdated(error)) return 'repeat';
  const code = codeOf(error);
  // System codes such as ECONNRESET, and messages of the client library without a code.
  if (/^E[A-Z]+$/.test(code) || lostMessages.test(error instanceof Error ? error.message : '')) return 'lost';
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined;
  return sourceOf(error) === 'own' && isFaultOfHandler(code) ? 'fault' : kindOfState(code);
}

// Values of a client can violate foreign keys, checks and unique constraints; other values are the handler's.
function isFaultOfHandler(state: string): boolean {
  return kindOfState(state) === 'invalid' && state !== '23503' && state !== '23514';
}

/** A failure of a handler or hook that is not one of the service's database, though it has a code like those. */
class HandlerError extends Error {
  override readonly name = 'HandlerError';
}

/** The error to throw for a failure of a handler or hook. */
export function asHandlerFailure(failure: unknown): unknown {
  if (kindOfFailure(failure) === undefined || sourceOf(failure) !== undefined) return failure;
  return new HandlerError(failure instanceof Error ? failure.message : String(failure), { cause: failure });
}

/** Whether the transaction may be retried: a serialization failure or a deadlock. */
export function isRepeatable(error: unknown): boolean {
  return kindOfFailure(error) === 'repeat';
}

/**
 * Whether a prepared statement failed because a migration has changed the type of a column in its result. PostgreSQL
 * has no state of its own for that, and its messages are translated.
 */
export function isOutdated(error: unknown): boolean {
  const { routine, cause } = (error ?? {}) as { readonly routine?: unknown; readonly cause?: unknown }; // As of the driver.
  return routine === 'RevalidateCachedQuery' || (error instanceof ODataError && isOutdated(cause));
}

/** Whether the connection is lost, and must not return to the pool. */
export function isConnectionLost(error: unknown): boolean {
  return kindOfFailure(error) === 'lost';
}

/** Whether the role lacks a right in the database. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** Whether a table does not exist. */
export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** Whether the server, the database or the role has no connection left. */
export function isServerFull(error: unknown): boolean {
  return codeOf(error) === '53300';
}

/** The error to throw: 503 when the database is unavailable, otherwise the original one. */
export function asUnavailable(error: unknown): unknown {
  const kind = kindOfFailure(error);
  if (kind !== 'busy' && kind !== 'lost' && kind !== 'repeat') return error;
  const unavailable = own(unavailableStates, codeOf(error)) ?? errors.databaseUnavailable;
  return Object.assign(unavailable(), { cause: error });
}

const readOnlyState = '25006';
const cancelledState = '57014';

/** The errors of SQLSTATEs for which there is more to advise than to try again. */
const unavailableStates: { readonly [state: string]: () => ODataError } = {
  [readOnlyState]: errors.databaseReadOnly,
  [cancelledState]: errors.statementTooSlow,
};

const lostMessages = /^(Connection terminated|Client (has encountered|was closed)|timeout expired|Query read timeout)/;

/** The SQLSTATE or the system's code of a failure, or of the driver's or the database's that it wraps; empty without one. */
export function codeOf(error: unknown): string {
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

/** The consequences of SQLSTATEs (PostgreSQL, appendix A) by class, and of those that differ; others are faults. */
const sqlStates: { readonly [stateOrClass: string]: FailureKind } = {
  '08': 'lost', // connection exception
  '22': 'invalid', // data exception
  '23': 'invalid', // integrity constraint violation
  '23505': 'conflict', // unique
  '23P01': 'conflict', // exclusion
  [readOnlyState]: 'lost', // read-only transaction: another connection may reach the primary
  '25P03': 'lost', // idle in transaction for too long
  '28000': 'busy', // invalid authorization
  '28P01': 'busy', // invalid password
  '3D000': 'busy', // no such database: while it is being restored
  '40001': 'repeat', // serialization failure
  '40P01': 'repeat', // deadlock
  '53': 'busy', // insufficient resources
  '55P03': 'busy', // lock not available
  '57': 'lost', // operator intervention
  [cancelledState]: 'busy', // cancelled, by the statement's timeout
  '58030': 'busy', // input or output error
};

/** The consequence of a SQLSTATE. */
export function kindOfState(state: string): FailureKind {
  return own(sqlStates, state) ?? own(sqlStates, state.slice(0, 2)) ?? 'fault';
}

/** The source of a failed statement that handlers and hooks can see: `own`, which they sent through the models, or `service`. */
type FailureSource = 'own' | 'service';

const sources = new WeakMap<object, FailureSource>();

/** Records the source of a failure, unless it has one. */
export function noteSource(failure: unknown, source: FailureSource): void {
  if (typeof failure === 'object' && failure !== null && !sources.has(failure)) sources.set(failure, source);
}

/** The source of a failure, or of the one that Sequelize wraps in it; undefined if no statement of the service has it. */
function sourceOf(failure: unknown): FailureSource | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined;
  return sources.get(failure) ?? sourceOf((failure as { readonly original?: unknown }).original);
}
