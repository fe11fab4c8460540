import type { Stream } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { mediaTypeAccepted } from '../plan/plan-stream.js';
import { parseMediaType } from './accept.js';
import type { ODataRequest } from './message.js';
import { requireNoEncoding } from './request-body.js';

const mediaType = /^[!#$%&'*+.^`|~\w-]+\/[!#$%&'*+.^`|~\w-]+[ \t]*(;[ -~]*)?$/;
const longest = 255;

/** The media type of a body that becomes a stream, as sent; an unacceptable one is rejected before the body is read. */
export function requireMediaType(request: ODataRequest, { mediaTypes }: Stream): string {
  const sent = request.header('content-type')?.trim() ?? '';
  if (!mediaType.test(sent) || sent.length > longest)
    throw errors.unsupportedMediaType(sent === '' ? 'nothing' : sent.slice(0, 64), 'of a media type, such as image/png');
  const { type } = parseMediaType(sent);
  if (!mediaTypeAccepted(type, mediaTypes)) throw errors.unsupportedMediaType(sent.slice(0, 64), mediaTypes?.join(' or '));
  requireNoEncoding(request);
  return sent;
}

// Media types that a browser displays without running scripts in them.
const shown = /^(image\/(?!svg)|audio\/|video\/|text\/plain$|application\/pdf$)/;

/** The Content-Disposition of a stream: content that might contain a script is saved, not opened. */
export function dispositionOf(sent: string): 'inline' | 'attachment' {
  return shown.test(parseMediaType(sent).type) ? 'inline' : 'attachment';
}
