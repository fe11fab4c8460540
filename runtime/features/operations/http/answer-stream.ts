import type { StreamAnswer } from '../../../edm/handler.js';
import { errors } from '../../../errors/catalogue.js';
import { dispositionOf } from '../../../protocol/request-body.js';
import type { ODataResponse } from '../../../protocol/message.js';
import { requireMediaAccepted } from '../../../protocol/negotiate.js';
import { emptyResponse } from '../../../protocol/responses.js';
import type { Exchange } from '../../../http/service.js';
import type { CalledOperation } from './answer-call.js';

/** An answer of the type Edm.Stream: its bytes, with the handler's media type (protocol 4.01, 11.5.4.1). */
export function answerStream(
  { call: { operation }, target, answer }: CalledOperation,
  { request, options, version }: Exchange,
): ODataResponse {
  const [next] = target.rest;
  if (next) throw errors.notFound(`${next.name} after ${operation.name}, which returns a stream`);
  const { contentType, bytes } = answer as StreamAnswer;
  if (typeof contentType !== 'string' || !(bytes instanceof Uint8Array))
    throw new Error(`The handler ${operation.handler} did not return { contentType, bytes }.`);
  requireMediaAccepted(request, options.format, contentType);
  const { headers } = emptyResponse(200, version);
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': contentType, 'Content-Disposition': dispositionOf(contentType) },
    body: bytes,
  };
}
