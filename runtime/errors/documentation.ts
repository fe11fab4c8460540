/** What a person should know of a code beside its message. */
export interface ErrorDocumentation {
  readonly meaning: string;
  readonly remedy: string;
}

/** Every code of the catalogue, in the order of the page that is made of it. */
export const documentation: { readonly [code: string]: ErrorDocumentation } = {
  1000: { meaning: 'The request has no bearer token, or one that this service did not issue.', remedy: 'Send `Authorization: Bearer <token>`; for development, `gable token` issues one.' },
  1020: { meaning: 'The token was good once and has expired.', remedy: 'Get a new token and send the request again.' },
  1013: { meaning: 'The token is good, and none of its scopes permits this operation.', remedy: 'Ask for a token with one of the scopes that the message names.' },
  1015: { meaning: 'The token does not permit this property or resource in this place.', remedy: 'Leave the property out, or use a token with a wider scope. In `$filter` and `$select` no error is given: the record or the property drops out.' },
  1001: { meaning: 'The body cannot be read as one JSON object.', remedy: 'Send UTF-8 JSON without duplicate members; the message says where reading stopped.' },
  1002: { meaning: 'A batch, or one request of it, is not of the form that batches have; or the request leaves the service or its token.', remedy: 'The message says what is wrong; see OData JSON Format 19, or Protocol 11.7.7 for multipart.' },
  1040: { meaning: 'A query option or the path does not follow the OData grammar.', remedy: 'The message has the position and what was expected there.' },
  1041: { meaning: 'A property, navigation property, function or type that the model does not have.', remedy: 'See `$metadata`; the message proposes the nearest name.' },
  1042: { meaning: 'The parts of an expression or a key do not fit together.', remedy: 'The message says which types met, and how to write the value.' },
  1043: { meaning: 'An option that is unknown, sent twice, out of place, or whose value cannot be read.', remedy: 'Send each option once, with a value of its form.' },
  1044: { meaning: 'A number is over its limit.', remedy: 'The message has the limit. For more records follow `@odata.nextLink`.' },
  1045: { meaning: 'The `$skiptoken` is not one of this service, belongs to another request (400), or to an older model (410).', remedy: 'Follow `@odata.nextLink` unchanged; else start from the first page.' },
  1046: { meaning: 'An OData version that this service does not speak.', remedy: 'Send `OData-MaxVersion: 4.0` or 4.01, or leave it out.' },
  1111: { meaning: 'A record was not saved; `details` has one entry for each fault, all of them at once.', remedy: 'Mend each detail; `target` names the property.' },
  1101: { meaning: 'A required property is missing from the body.', remedy: 'Send it. Every PATCH of a listing needs `ChangedByMemberKey`.' },
  1102: { meaning: 'The body has a property that the model does not.', remedy: 'Correct the name; nothing is dropped silently.' },
  1103: { meaning: 'The property cannot be written, or not any more.', remedy: 'Leave it out.' },
  1104: { meaning: 'A JSON value of the wrong type.', remedy: 'Send the type that the message names. Numbers as strings need `IEEE754Compatible=true`.' },
  1105: { meaning: 'A value that the property does not allow.', remedy: 'The message has the rule: allowed values, length, range or form.' },
  1106: { meaning: 'A key that leads to no record.', remedy: 'Use the key of an existing record.' },
  1107: { meaning: 'A change of state that the model does not offer.', remedy: 'The message has the states that may follow.' },
  1108: { meaning: 'The property must have a value.', remedy: 'Send a value, or leave the property out.' },
  1400: { meaning: 'What arrived cannot be read as an HTTP request.', remedy: 'Encode the URL: a space is `%20`.' },
  1408: { meaning: 'The request did not arrive within 30 seconds, or its headers within 10.', remedy: 'Send it again.' },
  1055: { meaning: 'The request meets another record or another request.', remedy: 'Read the record again and decide.' },
  1404: { meaning: 'There is nothing at this address, or not any more.', remedy: 'Check the path and the key.' },
  1405: { meaning: 'The resource does not offer this method.', remedy: '`Allow` has those that it offers.' },
  1406: { meaning: 'None of the accepted formats is offered.', remedy: 'Accept one of those that the message names.' },
  1412: { meaning: 'The record is not as the request asks: it has changed since its ETag was read (`If-Match`), it exists (`If-None-Match: *`), or the isolation is not offered.', remedy: 'Read it again, and repeat the change on the new record.' },
  1413: { meaning: 'The body is larger than 256 KiB.', remedy: 'Send less at once.' },
  1414: { meaning: 'The request line is longer than 16 KiB.', remedy: 'Shorten the query, or send it as the body of `POST .../$query`.' },
  1415: { meaning: 'The body is of a type that is not read here.', remedy: 'Send `Content-Type: application/json`; behind `/$query` it is `text/plain`.' },
  1424: { meaning: 'A request of a batch that another one must come before, or that stands in a group with it, and the other one failed.', remedy: 'Mend the other request.' },
  1428: { meaning: 'The model asks for If-Match with this change.', remedy: 'Read the record, and send its ETag.' },
  1498: { meaning: 'A client took nothing of a large answer for as long as `GABLE_READER_TIMEOUT` says; its connection was cut. It is logged only.', remedy: 'Read the answer without long pauses, or ask for smaller pages.' },
  1499: { meaning: 'The client closed its connection before the answer; its statement was cancelled. No client sees it.', remedy: 'Nothing.' },
  1550: { meaning: 'More requests than the service takes from one token.', remedy: 'Wait as long as `Retry-After` says.' },
  1500: { meaning: 'The service failed in a way it did not foresee.', remedy: 'Tell the operator the `requestId`; the log has the rest.' },
  1501: { meaning: 'A part of OData that this service does not have.', remedy: 'Ask in another way.' },
  1503: { meaning: 'The database is away, too busy, or took too long; or the keys of the token\'s issuer cannot be read.', remedy: 'Repeat the request as `Retry-After` says; nothing was half done.' },
};
