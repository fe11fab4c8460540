import { errors } from './catalogue.js';
import type { ODataError } from './odata-error.js';

interface ErrorDocumentation {
  readonly meaning: string;
  readonly remedy: string;
  /** An error with the code; ‹marks› stand for names of a model (`sample-names.ts`). */
  readonly example: ODataError;
}

// oxfmt-ignore
/** Every code of the catalogue. */
export const documentation: { readonly [code: string]: ErrorDocumentation } = {
  1000: { meaning: 'The request has no bearer token, or a token that this service does not accept; or the name and secret of a client, sent by Basic, are wrong or came without https.', remedy: 'Send `Authorization: Bearer <token>`; for development, `gable token` issues one.', example: errors.unauthenticated('the Authorization header is missing') },
  1020: { meaning: 'The token has expired.', remedy: 'Get a new token and repeat the request.', example: errors.tokenExpired() },
  1013: { meaning: 'The token is valid, but none of its scopes permits this operation.', remedy: 'Request a token with one of the scopes in the message.', example: errors.scopeMissing('Reading ‹set›', 'read.all') },
  1015: { meaning: 'The token is valid, but does not permit this: the property or resource is hidden; the record fails the caller\'s row filter, before or after the change; or a handler rejected the caller.', remedy: 'Omit the property, use a token with a wider scope, or change only records that the token may change. In `$filter` and `$select`, hidden properties cause no error: the record or the property is omitted.', example: errors.notPermitted('‹text›') },
  1001: { meaning: 'The body is not a JSON object.', remedy: 'Send UTF-8 JSON without duplicate members; the message has the position.', example: errors.malformedBody('it is an array') },
  1002: { meaning: 'A batch or one of its requests is malformed, or the request addresses another service or uses another token.', remedy: 'See the message, and OData JSON Format 19, or Protocol 11.7.7 for multipart.', example: errors.malformedBatch('the id 1 is repeated') },
  1040: { meaning: 'A query option or the path violates the OData grammar.', remedy: 'The message has the position and the expected syntax.', example: errors.syntax('$filter', 7, 'a value is missing after eq').at('$filter') },
  1041: { meaning: 'The model has no property, navigation property, function or type with this name.', remedy: 'See `$metadata`; the message suggests the nearest name.', example: errors.unknownName('Nmae', '‹set›', ' Did you mean Name?').at('Nmae') },
  1042: { meaning: 'The types of an expression or a key do not match.', remedy: 'The message names the types and the correct form of the value.', example: errors.typeMismatch('div by zero, at position 14.').at('$filter') },
  1043: { meaning: 'A query option is unknown, repeated or misplaced, or its value is invalid.', remedy: 'Send each option once, with a valid value.', example: errors.badOption('$top must be a whole number of 0 or more, not \'ten\'.').at('$top') },
  1044: { meaning: 'A number exceeds its limit.', remedy: 'The message has the limit. For more records follow `@odata.nextLink`.', example: errors.limitExceeded('$top is 20000, but the largest value is 10000; follow @odata.nextLink for more.').at('$top') },
  1045: { meaning: 'The `$skiptoken` or `$deltatoken` is invalid or belongs to another request (400), or it is outdated (410).', remedy: 'Follow `@odata.nextLink` and `@odata.deltaLink` unchanged; otherwise start from the first page, or with `$deltatoken=latest`.', example: errors.badSkiptoken('it belongs to another request').at('$skiptoken') },
  1046: { meaning: 'The service does not support this OData version.', remedy: 'Send `OData-MaxVersion: 4.0` or 4.01, or omit the header.', example: errors.unsupportedVersion('3.0') },
  1047: { meaning: 'A request with version 4.0 uses a feature of 4.01.', remedy: 'Send `OData-Version: 4.01`, or split the request into several.', example: errors.newerVersion('Changing a collection with a delta payload') },
  1111: { meaning: 'A record was not saved; `details` has one entry for each fault.', remedy: 'Correct every detail; `target` names the property.', example: errors.notSaved('record').with([errors.missingRequired('‹text›').at('‹text›').asDetail()]) },
  1101: { meaning: 'A required property, or a required parameter of an action or function, is missing.', remedy: 'Send the property in `target`. A model can also require properties in every update, such as the author of the change.', example: errors.missingRequired('‹text›').at('‹text›') },
  1102: { meaning: 'The body has a property that the model does not have.', remedy: 'Correct the name; unknown properties are never ignored.', example: errors.unknownBodyProperty('Nmae', '‹set›', ' Did you mean Name?').at('Nmae') },
  1103: { meaning: 'The property is read-only, or can be set only on creation.', remedy: 'Omit the property.', example: errors.readOnly('‹text›', 'it can be set only on creation').at('‹text›') },
  1104: { meaning: 'A JSON value has the wrong type.', remedy: 'Send the type in the message. Numbers as strings need `IEEE754Compatible=true`.', example: errors.wrongJsonType('‹number›', 'a number', 'a string').at('‹number›') },
  1105: { meaning: 'The property does not allow this value.', remedy: 'The message has the rule: allowed values, length, range or pattern.', example: errors.invalidValue('x', '‹text›', ': the values are A, B').at('‹text›') },
  1106: { meaning: 'No record has this key.', remedy: 'Use the key of an existing record.', example: errors.invalidReference('9', '‹reference›', 'record').at('‹reference›') },
  1107: { meaning: 'The model does not allow this state transition.', remedy: 'The message lists the allowed states.', example: errors.invalidTransition('State cannot change from \'Sold\' to \'Active\': it is final.').at('State') },
  1108: { meaning: 'The property must not be null.', remedy: 'Send a value, or omit the property.', example: errors.nullNotAllowed('‹text›').at('‹text›') },
  1110: { meaning: 'The handler of an action or function, or an extension, rejected the request.', remedy: 'The message has the reason; `target` names the parameter or property.', example: errors.refused('The order is closed.') },
  1400: { meaning: 'The request is not valid HTTP.', remedy: 'Encode the URL: a space is `%20`.', example: errors.malformedRequest() },
  1408: { meaning: 'The request did not arrive within `GABLE_REQUEST_TIMEOUT`, its headers within `GABLE_HEADERS_TIMEOUT`, or an upload stalled for `GABLE_READER_TIMEOUT`.', remedy: 'Send it again.', example: errors.requestTimeout() },
  1055: { meaning: 'The request conflicts with another record or a concurrent request.', remedy: 'Read the record again and decide.', example: errors.conflict('There is already a record with that key.') },
  1404: { meaning: 'The address has no resource: the set, operation or type does not exist; no visible record has the key; a navigation property in the path is null; `$schemaversion` names an unknown version; or a handler found nothing.', remedy: 'Compare the names with `$metadata`; the message suggests the nearest one. Look for the key in the set. A hidden record is answered like a missing one.', example: errors.notFound('record with that key') },
  1405: { meaning: 'The resource does not support this method.', remedy: 'The `Allow` header lists the supported methods.', example: errors.methodNotAllowed('PUT', 'GET, HEAD') },
  1406: { meaning: 'The service offers none of the accepted formats.', remedy: 'Accept one of the formats in the message.', example: errors.notAcceptable('application/json') },
  1412: { meaning: 'A precondition failed: the record has changed since its ETag was read (`If-Match`), it exists (`If-None-Match: *`), or the isolation level is not supported.', remedy: 'Read the record again, and repeat the change on its new state.', example: errors.preconditionFailed() },
  1413: { meaning: 'The body exceeds 256 KiB (this includes a media stream with Repeatability-Request-ID), a batch exceeds 4 MiB, or a media stream exceeds `GABLE_MAX_STREAM` or the model\'s limit.', remedy: 'Send less per request. Send a long media stream without Repeatability-Request-ID; its PUT can be repeated.', example: errors.bodyTooLarge(262_144) },
  1414: { meaning: 'The request line exceeds 16 KiB, or the query of a request in a batch 256 KiB.', remedy: 'Shorten the query, or send it as the body of `POST .../$query`.', example: errors.uriTooLong(16_384) },
  1415: { meaning: 'The Content-Type of the body is not supported here.', remedy: 'Send `Content-Type: application/json`; for `/$query` send `text/plain`, for a media stream a type that the model accepts.', example: errors.unsupportedMediaType('text/plain') },
  1416: { meaning: 'The Range starts after the last byte of the media stream.', remedy: 'Read the stream without Range; `Content-Range` has its length.', example: errors.rangeNotSatisfiable(2_048) },
  1417: { meaning: 'The `Expect` header has another value than `100-continue`.', remedy: 'Omit the header, or send `Expect: 100-continue`.', example: errors.expectationFailed('200-ok') },
  1424: { meaning: 'A request of a batch was skipped, because a request that it depends on, or another one of its group, failed.', remedy: 'Correct the other request.', example: errors.failedDependency('another request of its group failed') },
  1428: { meaning: 'The model requires If-Match for this change.', remedy: 'Read the record, and send its ETag.', example: errors.preconditionRequired() },
  1431: { meaning: 'The request line and the headers together exceed 32 KiB, or there are more than 1000 header lines.', remedy: 'Send fewer or shorter headers; cookies are not used.', example: errors.tooManyHeaders(1_000) },
  1498: { meaning: 'The client read nothing of a large response for `GABLE_READER_TIMEOUT`, and was disconnected. Logged only.', remedy: 'Read the response without long pauses, or request smaller pages.', example: errors.readerTooSlow(30_000) },
  1499: { meaning: 'The client closed its connection before the response; its statement was cancelled. Logged only.', remedy: 'None.', example: errors.clientGone() },
  1550: { meaning: 'The caller sent more requests per minute than `GABLE_REQUESTS_PER_MINUTE` allows.', remedy: 'Wait for the time in `Retry-After`.', example: errors.tooManyRequests(600) },
  1500: { meaning: 'The service failed unexpectedly.', remedy: 'Report the `requestId` to the operator; the log has the details.', example: errors.internal() },
  1501: { meaning: 'The service does not support this part of OData.', remedy: 'Use the alternative in the message, if it has one.', example: errors.notImplemented('rolluprecursive') },
  1503: { meaning: 'A resource is unavailable for the moment: the database is down or busy; the keys of the token\'s issuer cannot be read; or too many long media streams are being uploaded.', remedy: 'Repeat the request after the time in `Retry-After`; nothing was changed. The token remains valid. Upload long streams one at a time.', example: errors.databaseUnavailable() },
  1504: { meaning: 'The handler of an action or function exceeded `GABLE_HANDLER_TIMEOUT`; its transaction was rolled back.', remedy: 'Repeat the request later, and report it to the operator: a handler should not wait long for other systems.', example: errors.handlerTooSlow('CloseOrder', 30_000) },
  1507: { meaning: 'The server of the database accepts no changes: it is a standby, or set to be read-only. Reads work.', remedy: 'Repeat the request later; nothing was changed. If it lasts, the operator points the service to the primary server.', example: errors.databaseReadOnly() },
  1508: { meaning: 'The database did not finish a statement of the request within `GABLE_STATEMENT_TIMEOUT`.', remedy: 'Request less: a narrower `$filter`, fewer records (`$top`) and properties (`$select`), no `$count`. If the request was fast before, the database is busy; repeat it after the time in `Retry-After`. Nothing was changed.', example: errors.statementTooSlow() },
  1506: { meaning: 'The service already processes `GABLE_MAX_REQUESTS` requests.', remedy: 'Repeat the request after the time in `Retry-After`.', example: errors.overloaded(1_000) },
  1505: { meaning: 'The service already sends `GABLE_LARGE_PAGES` large pages, and none ended while the request waited.', remedy: 'Repeat the request after the time in `Retry-After`, read faster, or request smaller pages.', example: errors.largePagesBusy(4) },
};

/** An error code with all that is known of it. */
export interface DocumentedError extends ErrorDocumentation {
  readonly code: string;
  readonly statuses: readonly number[];
}

/** Every code with its HTTP statuses, by status and code. */
export const documentedErrors: readonly DocumentedError[] = Object.entries(documentation)
  .map(([code, row]) => {
    const statuses = Object.values(errors).flatMap((error) => (error.code === code ? [error.status] : []));
    return { code, statuses: [...new Set(statuses)], ...row };
  })
  .sort((one, other) => `${one.statuses.join(', ')} ${one.code}`.localeCompare(`${other.statuses.join(', ')} ${other.code}`, 'en'));
