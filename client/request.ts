import type { Failure, ServiceError } from './errors.js';
import type { RequestOptions } from './options.js';
import type { Received } from './receive.js';
import { execute, type Connection } from './send.js';

/** A request, alone or as a part of a batch, and how its response is read. */
export interface Plan<R = unknown> extends RequestOptions {
  readonly method: string;
  /** Relative to the service root, or a link of the service. */
  readonly address: string;
  /** A JSON value. */
  readonly body?: unknown;
  /** A body that is no JSON. */
  readonly bytes?: RequestInit['body'];
  /** Headers of this kind of request; those of the options come later. */
  readonly own?: Readonly<Record<string, string | undefined>>;
  readonly read: (received: Received) => R | Promise<R>;
  /** Whether a further request with the same headers has no further effect; by default that of reads, PUT and DELETE. */
  readonly isRepeatable?: boolean;
  /** Tries after the first one; by default those of the client. */
  readonly retries?: number | undefined;
  /** The error of a failure of this request. */
  readonly errorOf?: (failure: Failure) => ServiceError | undefined;
}

/** A plan whose request a promise or a list of records sends. */
export interface Pending {
  readonly plan: Plan;
  /** The result as a part of a batch. */
  claimed?: Promise<unknown>;
  /** Its name there. */
  id?: string;
}

/** The plans of lists of records, and of promises whose request is not sent yet, for a batch. */
export const pending = new WeakMap<object, Pending>();

/** Sends the request once the calling code has run, unless a batch has claimed it by then. */
export function request<R>(connection: Connection, plan: Plan<R>): Promise<R> {
  const own: Pending = { plan: repeatable(connection, plan) as Plan };
  const promise = Promise.resolve().then(() => {
    pending.delete(promise);
    return (own.claimed as Promise<R> | undefined) ?? execute(connection, own.plan as Plan<R>);
  });
  pending.set(promise, own);
  return promise;
}

// The same with the id under which a service executes it only once (Repeatable Requests 1.0), where that is allowed.
function repeatable<R>({ options }: Connection, plan: Plan<R>): Plan<R> {
  if (!options.repeatable || !/^P[OA]/.test(plan.method)) return plan;
  const id = { 'repeatability-request-id': crypto.randomUUID(), 'repeatability-first-sent': new Date().toUTCString() };
  return { ...plan, own: { ...plan.own, ...id }, isRepeatable: true };
}
