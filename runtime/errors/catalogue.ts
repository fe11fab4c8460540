import { displayName } from './suggest.js';
import { type ErrorDetail, ODataError } from './odata-error.js';

/** A row of the catalogue: a function from arguments to the error. */
interface ErrorDefinition<Arguments extends readonly unknown[]> {
  (...values: Arguments): ODataError;
  readonly code: string;
  readonly status: number;
}

function defineError<Arguments extends readonly unknown[]>(
  code: string,
  status: number,
  message: (...values: Arguments) => string,
): ErrorDefinition<Arguments> {
  return Object.assign((...values: Arguments) => new ODataError(code, status, message(...values)), { code, status });
}

function startAgain(option: string): string {
  return option === '$deltatoken'
    ? 'Read the collection again with Prefer: track-changes, or begin now with $deltatoken=latest.'
    : 'Start again from the first page.';
}

// oxfmt-ignore
/** Every error of this service. A code is never reused; a retired one stays here as a comment. */
export const errors = {
  // Authentication.
  unauthenticated: defineError('1000', 401, (why: string) => `The request needs a valid bearer token: ${why}.`),
  tokenExpired: defineError('1020', 401, () => 'The bearer token has expired; request a new one.'),
  badCredentials: defineError('1000', 401, () => 'The client is unknown or revoked, or its secret is wrong.'),
  basicInTheClear: defineError('1000', 401, () => 'A name and a secret are accepted over https only.'),
  basicOfOtherPage: defineError('1015', 403, () => 'A name and a secret are not accepted from pages of other sites; use a bearer token.'),
  scopeMissing: defineError('1013', 403, (what: string, scopes: string) => `${what} requires one of these scopes: ${scopes}.`),
  notPermitted: defineError('1015', 403, (name: string) => `This token does not permit the use of ${name} here.`),
  rowNotPermitted: defineError('1015', 403, (operation: string, name: string) => `With this token you may ${operation} some records of ${name}, and this one is not among them, as it is or as it would become.`),
  recordClosed: defineError('1015', 403, (operation: string, name: string, condition: string) => `This ${name} may not be ${operation}d in its present state: the model requires ${condition}.`),

  // The body as JSON text.
  malformedBody: defineError('1001', 400, (why: string) => `The body is not a JSON object: ${why}.`),
  bodyEndedEarly: defineError('1001', 400, () => 'The body ended prematurely.'),

  malformedBatch: defineError('1002', 400, (why: string) => `The batch cannot be read: ${why}${why.endsWith('?') ? '' : '.'}`),
  badPart: defineError('1002', 400, (why: string) => `This request of the batch cannot be executed: ${why}.`),

  // The URL and its query options.
  syntax: defineError('1040', 400, (option: string, at: number, expected: string) => `Syntax error in ${option} at position ${at + 1}: ${expected}.`),
  unknownName: defineError('1041', 400, (name: string, owner: string, hint: string) => `${owner} has no ${name}.${hint}`),
  typeMismatch: defineError('1042', 400, (why: string) => why),
  badOption: defineError('1043', 400, (why: string) => why),
  limitExceeded: defineError('1044', 400, (why: string) => why),
  badSkiptoken: defineError('1045', 400, (why: string, option: string = '$skiptoken') => `The ${option} is invalid: ${why}. ${startAgain(option)}`),
  staleSkiptoken: defineError('1045', 410, (why: string, option: string = '$skiptoken') => `The ${option} is outdated: ${why}. ${startAgain(option)}`),
  unsupportedVersion: defineError('1046', 400, (version: string) => `OData version ${version} is not supported; this service supports 4.0 and 4.01.`),
  newerVersion: defineError('1047', 400, (what: string) => `${what} requires OData 4.01, but the request has version 4.0; send OData-Version: 4.01.`),

  // The body of a create or an update: 1111 carries the others as details.
  notSaved: defineError('1111', 400, (set: string) => `The ${set} was not saved due to bad data.`),
  missingRequired: defineError('1101', 400, (name: string, why?: string) => why ?? `${name} is required.`),
  notCreated: defineError('1111', 400, (name: string) => `There is no ${name} with that key, and it was not created due to bad data.`),
  unknownBodyProperty: defineError('1102', 400, (name: string, type: string, hint: string) => `${type} has no property ${name}.${hint}`),
  streamInBody: defineError('1103', 400, (name: string) => `${name} is a media stream and cannot be written as JSON; PUT its bytes to the record's address followed by /${name.replace(/\[(\d+)\]/g, '/$1')}.`),
  readOnly: defineError('1103', 400, (name: string, why: string) => `${name} cannot be written: ${why}.`),
  wrongJsonType: defineError('1104', 400, (name: string, expected: string, got: string) => `${name} must be ${expected}, but the body has ${got}.`),
  invalidValue: defineError('1105', 400, (value: string, name: string, rule: string) => `'${value}' is not a valid value for ${name}${rule}.`),
  invalidReference: defineError('1106', 400, (value: string, name: string, target: string, why: string = `there is no ${target} with that key`) => `'${value}' is not a valid value for ${name}: ${why}${why.endsWith('?') ? '' : '.'}`),
  invalidTransition: defineError('1107', 400, (why: string) => why),
  nullNotAllowed: defineError('1108', 400, (name: string) => `${name} must not be null.`),

  // A call of an action or function: 1111 carries the others as details here, too.
  badArguments: defineError('1111', 400, (operation: string) => `${operation} was not called due to bad parameters.`),
  missingParameter: defineError('1101', 400, (name: string, operation: string) => `${operation} requires the parameter ${name}.`),
  unknownParameter: defineError('1102', 400, (name: string, operation: string, hint: string) => `${operation} has no parameter ${name}.${hint}`),
  refused: defineError('1110', 400, (why: string) => why),
  forbidden: defineError('1015', 403, (why: string) => why),
  missing: defineError('1404', 404, (why: string) => why),

  // HTTP.
  malformedRequest: defineError('1400', 400, () => 'This is not a valid HTTP request; in a URL write %20 for a space, and percent-encode all non-ASCII characters.'),
  unknownMethod: defineError('1400', 400, () => 'The request does not begin with a method of HTTP, such as GET, POST, PATCH or DELETE in capital letters.'),
  requestTimeout: defineError('1408', 408, () => 'The request did not arrive in time.'),
  conflict: defineError('1055', 409, (why: string) => why),
  notFound: defineError('1404', 404, (what: string, hint = '') => `There is no ${what}.${hint}`),
  methodNotAllowed: defineError('1405', 405, (method: string, allow: string, hint = '') => `${method} is not supported here; ${allow === '' ? 'no method is' : `the supported methods are: ${allow}`}.${hint}`),
  notAcceptable: defineError('1406', 406, (offered: string, hint = '') => `None of the accepted formats is supported; the supported formats are: ${offered}.${hint}`),
  preconditionFailed: defineError('1412', 412, (why?: string) => why ?? 'The record has changed since its ETag in If-Match was issued; read it again.'),
  bodyTooLarge: defineError('1413', 413, (limit: number, where = '') => `The body is larger than ${limit} bytes${where}.`),
  uriTooLong: defineError('1414', 414, (limit: number, advice = '; shorten the query, or send it as the body of POST .../$query') => `The request line is longer than ${limit} bytes${advice}.`),
  headTooLarge: defineError('1431', 431, (limit: number) => `The request line and the headers together are larger than ${limit} bytes.`),
  tooManyHeaders: defineError('1431', 431, (limit: number) => `The request has more than ${limit} header lines.`),
  unsupportedMediaType: defineError('1415', 415, (sent: string, expected = 'application/json') => `The body must be ${expected}, but Content-Type is ${sent}.`),
  unsupportedEncoding: defineError('1415', 415, (sent: string) => `The body must be sent without Content-Encoding, but has ${sent}.`),
  rangeNotSatisfiable: defineError('1416', 416, (length: number) => `The Range is outside of the stream, which has ${length} bytes.`),
  expectationFailed: defineError('1417', 417, (sent: string) => `Expect: ${sent} is not supported; the only supported expectation is 100-continue.`),
  failedDependency: defineError('1424', 424, (why: string) => `The request was not executed: ${why}.`),
  preconditionRequired: defineError('1428', 428, (how = 'with an If-Match header') => `This record can only be changed ${how}; read its ETag first.`),
  preconditionOfEachRequired: defineError('1428', 428, () => 'Records of this set can only be changed with an If-Match header; for /$each send If-Match: *.'),
  // These two are only logged: the client is gone.
  clientGone: defineError('1499', 499, () => 'The client disconnected before the response.'),
  readerTooSlow: defineError('1498', 499, (milliseconds: number) => `The client read nothing of the response for ${milliseconds} ms and was disconnected.`),
  tooManyRequests: defineError('1550', 429, (limit: number) => `Too many requests: a caller may send ${limit} per minute; wait for the time in Retry-After.`),

  // The service itself.
  internal: defineError('1500', 500, () => 'The service failed; the log has the details for this request id.'),
  notImplemented: defineError('1501', 501, (what: string, instead = '') => `${what} is not supported by this service.${instead && ` ${instead}`}`),
  issuerUnavailable: defineError('1503', 503, () => 'The keys of the token\'s issuer cannot be read at present; try again shortly.'),
  handlerTooSlow: defineError('1504', 503, (name: string, milliseconds: number) => `${name} took longer than ${milliseconds} ms and was aborted; it has changed nothing.`),
  tooManyUploads: defineError('1503', 503, (most: number) => `${most} long media streams are being uploaded, which is the limit; try again shortly.`),
  databaseUnavailable: defineError('1503', 503, () => 'The database is unavailable at present; try again shortly.'),
  databaseReadOnly: defineError('1507', 503, () => 'The database accepts no changes at present: its server is a standby, or set to be read-only.'),
  statementTooSlow: defineError('1508', 503, () => 'The request took the database longer than a statement may run; narrow it ($filter, $top, $select, no $count), or try again shortly if it was fast before.'),
  overloaded: defineError('1506', 503, (limit: number) => `The service is processing ${limit} requests, which is its limit; try again shortly.`),
  largePagesBusy: defineError('1505', 503, (limit: number) => `The service is sending ${limit} large pages, which is its limit; try again shortly, or request smaller pages.`),
} as const;

/** Throws one error with all faults of an entity that is to be saved. */
export function requireNoFaults({ name }: { readonly name: string }, faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw errors.notSaved(displayName(name)).with(faults);
}
