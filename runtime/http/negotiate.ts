import { own } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { PayloadFormat } from '../response/payload-format.js';
import { parseAccept, type MediaRange } from './accept.js';
import type { ODataRequest } from './message.js';

/** The OData version of the answer (protocol 8.2.7): the highest that the client takes. */
export function negotiateVersion(request: ODataRequest): '4.0' | '4.01' {
  requireKnownVersion(request.header('odata-version'));
  const max = request.header('odata-maxversion');
  requireKnownVersion(max === undefined || Number.parseFloat(max) < 4 ? max : undefined);
  return max?.trim() === '4.0' ? '4.0' : '4.01';
}

function requireKnownVersion(version: string | undefined): void {
  if (version === undefined || /^\s*4\.0?1?\s*$/.test(version)) return;
  throw errors.unsupportedVersion(version.slice(0, 32));
}

/** How JSON data is written, from `$format` or Accept. */
export function negotiateJson(request: ODataRequest, format: string | undefined): PayloadFormat {
  const range = requestedRanges(request, format).find(({ type }) => acceptsJson(type));
  if (range === undefined) throw errors.notAcceptable('application/json');
  return {
    metadata: metadataLevel(range),
    ieee754Compatible: range.parameters.get('ieee754compatible') === 'true',
    streaming: parameter(range, 'streaming') === 'true',
    version: negotiateVersion(request),
  };
}

const offeredJson: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

function acceptsJson(type: string): boolean {
  return offeredJson.has(type);
}

/** Whether `$metadata` is wanted as XML, which is also the answer to a client that takes anything. */
export function negotiateMetadata(request: ODataRequest, format: string | undefined): 'xml' | 'json' {
  for (const { type } of requestedRanges(request, format)) {
    if (type === 'application/json') return 'json';
    if (type === 'application/xml' || type === 'text/xml' || type === '*/*' || type === 'application/*') return 'xml';
  }
  throw errors.notAcceptable('application/xml, application/json');
}

/** Whether plain text is acceptable, as `/$count` and `/$value` give it. */
export function requirePlainText(request: ODataRequest, format: string | undefined): void {
  const wanted = requestedRanges(request, format);
  if (wanted.some(({ type }) => type === 'text/plain' || type === 'text/*' || type === '*/*' || acceptsJson(type))) return;
  throw errors.notAcceptable('text/plain');
}

const shortForms: { readonly [name: string]: string } = { json: 'application/json', xml: 'application/xml' };

// `$format` wins over Accept (URL conventions 5.1.3).
function requestedRanges(request: ODataRequest, format: string | undefined): readonly MediaRange[] {
  if (format !== undefined) return parseAccept(own(shortForms, format.toLowerCase()) ?? format);
  return parseAccept(request.header('accept') ?? '*/*');
}

function metadataLevel(range: MediaRange): PayloadFormat['metadata'] {
  const level = parameter(range, 'metadata');
  return level === 'none' || level === 'full' ? level : 'minimal';
}

function parameter({ parameters }: MediaRange, name: string): string | undefined {
  return parameters.get(`odata.${name}`) ?? parameters.get(name);
}
