import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import type { JsonObject } from '../json/json.js';
import type { ODataRequest } from './message.js';
import { versionOfBody } from './negotiate.js';

/** What a request asks of the state of a record before it is carried out (RFC 9110, 13.1). */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The ETag that the body holds, which counts like If-Match (JSON format 4.01, 4.5.10). */
  readonly inBody?: string;
}

/** The conditions in the headers of a request. */
export function conditionsOf(request: ODataRequest): Conditions {
  return { ifMatch: request.header('if-match'), ifNoneMatch: request.header('if-none-match') };
}

/** The conditions of a request with a body; a body of version 4.0 only repeats what was read. */
export function bodyConditions(request: ODataRequest, body: JsonObject): Conditions {
  return { ...conditionsOf(request), ...nestedConditions(request, body) };
}

/** The conditions of a record within a body: the headers ask nothing of it. */
export function nestedConditions(request: ODataRequest, body: JsonObject): Conditions {
  const inBody = body.members.get('@odata.etag') ?? body.members.get('@etag');
  const counts = typeof inBody === 'string' && versionOfBody(request) !== '4.0';
  return counts ? { inBody } : {};
}

/** Whether a list of ETags, or `*`, names the given one; weak comparison (RFC 9110, 8.8.3.2). */
export function matchesETag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === opaque);
}

// What is no ETag at all was never given; reading again would not help.
function whyUnmet(header: string): string | undefined {
  if (header.includes('"')) return undefined;
  return `'${header.slice(0, 64)}' is no ETag: send it as it was given, quotes included, as in W/"1", or * for any.`;
}

/** Refuses to write a record that does not meet the conditions, or needs one and got none (protocol 8.2.4, 8.2.5 and 11.4.1.1). */
export function requireMet(conditions: Conditions, etag: string, isRequired: boolean): void {
  const refusal = refusalOf(conditions, etag, isRequired);
  if (refusal !== undefined) throw refusal;
}

/** Whether a record meets them. */
export function isMet(conditions: Conditions, etag: string, isRequired: boolean): boolean {
  return refusalOf(conditions, etag, isRequired) === undefined;
}

function refusalOf({ ifMatch, ifNoneMatch, inBody }: Conditions, etag: string, isRequired: boolean): ODataError | undefined {
  const unmet = [ifMatch, inBody].find((one) => one !== undefined && !matchesETag(one, etag));
  if (unmet !== undefined) return errors.preconditionFailed(whyUnmet(unmet));
  // What a request does ask comes before what it leaves out (protocol 8.2.5).
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag))
    return errors.preconditionFailed('There is such a record already, and If-None-Match asks for none.');
  return ifMatch === undefined && inBody === undefined && isRequired ? errors.preconditionRequired() : undefined;
}

/** Refuses a change of many records for which an ETag is needed and none was sent, or one that only a single record can have (protocol 8.2.4). */
export function requireMetByEach({ ifMatch }: Conditions, isRequired: boolean): void {
  if (ifMatch === undefined && isRequired) throw errors.preconditionOfEachRequired();
  if (ifMatch !== undefined && ifMatch.trim() !== '*')
    throw errors.preconditionFailed('Each record has an ETag of its own, so that none stands for all that /$each names; send If-Match: *.');
}

/** Whether a reader has the record already; one that wants another than this is refused. */
export function isKnown({ ifMatch, ifNoneMatch }: Conditions, etag: string): boolean {
  if (ifMatch !== undefined && !matchesETag(ifMatch, etag)) throw errors.preconditionFailed(whyUnmet(ifMatch));
  return ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag);
}

/** Refuses what no answer of this service can promise: that several requests see one state of the data (protocol 8.2.1). */
export function refuseIsolation(request: ODataRequest): void {
  const isolation = request.header('odata-isolation') ?? request.header('isolation');
  if (isolation?.trim().toLowerCase() === 'snapshot')
    throw errors.preconditionFailed('Snapshot isolation is not offered; leave OData-Isolation out.');
}
