import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { JsonObject } from '../json/json.js';
import type { ODataRequest } from './message.js';
import { versionOfBody } from './negotiate.js';

/** The preconditions of a request (RFC 9110, 13.1). */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The ETag in the body, which counts like If-Match (JSON format 4.01, 4.5.10). */
  readonly inBody?: string;
}

/** The conditions in the headers of a request. */
export function conditionsOf(request: ODataRequest): Conditions {
  return { ifMatch: request.header('if-match'), ifNoneMatch: request.header('if-none-match') };
}

/** The conditions of a request with a body; the ETag in a 4.0 body is not a condition. */
export function bodyConditions(request: ODataRequest, body: JsonObject): Conditions {
  return { ...conditionsOf(request), ...nestedConditions(request, body) };
}

/** The conditions of an entity nested in a body: headers do not apply to it. */
export function nestedConditions(request: ODataRequest, body: JsonObject): Conditions {
  const inBody = body.members.get('@odata.etag') ?? body.members.get('@etag');
  const counts = typeof inBody === 'string' && versionOfBody(request) !== '4.0';
  return counts ? { inBody } : {};
}

/** Whether a list of ETags, or `*`, matches the ETag; weak comparison (RFC 9110, 8.8.3.2). */
export function matchesETag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === opaque);
}

// A header without any valid ETag was never given by the service; reading again would not help.
function whyUnmet(header: string): string | undefined {
  if (header.includes('"')) return undefined;
  return `'${header.slice(0, 64)}' is not an ETag: send it as received, including quotes, as in W/"1", or * for any.`;
}

function whyMatched(header: string): string {
  if (header.trim() === '*') return 'The record exists, but If-None-Match requires that it does not.';
  return 'The record still has the ETag in If-None-Match, which requires that it has another one.';
}

/** Rejects a write whose conditions are not met, or that lacks a required one (protocol 8.2.4, 8.2.5 and 11.4.1.1). */
export function requireMet(conditions: Conditions, etag: string, isRequired: boolean): void {
  const refusal = refusalOf(conditions, etag, isRequired);
  if (refusal !== undefined) throw refusal;
}

/** Whether an entity meets the conditions. */
export function isMet(conditions: Conditions, etag: string, isRequired: boolean): boolean {
  return refusalOf(conditions, etag, isRequired) === undefined;
}

function refusalOf({ ifMatch, ifNoneMatch, inBody }: Conditions, etag: string, isRequired: boolean): ODataError | undefined {
  const unmet = [ifMatch, inBody].find((one) => one !== undefined && !matchesETag(one, etag));
  if (unmet !== undefined) return errors.preconditionFailed(whyUnmet(unmet));
  // A failed condition takes precedence over a missing one (protocol 8.2.5).
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) return errors.preconditionFailed(whyMatched(ifNoneMatch));
  return ifMatch === undefined && inBody === undefined && isRequired ? errors.preconditionRequired() : undefined;
}

/** Rejects a change of many entities that requires an ETag, or has one, which only a single entity can match (protocol 8.2.4). */
export function requireMetByEach({ ifMatch }: Conditions, isRequired: boolean): void {
  if (ifMatch === undefined && isRequired) throw errors.preconditionOfEachRequired();
  if (ifMatch !== undefined && ifMatch.trim() !== '*')
    throw errors.preconditionFailed('Each record has its own ETag, so no ETag applies to /$each; send If-Match: *.');
}

/** Whether the client's copy is current; rejects If-Match with another ETag. */
export function isKnown({ ifMatch, ifNoneMatch }: Conditions, etag: string): boolean {
  if (ifMatch !== undefined && !matchesETag(ifMatch, etag)) throw errors.preconditionFailed(whyUnmet(ifMatch));
  return ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag);
}
