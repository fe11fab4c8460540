import { own } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { PayloadFormat } from '../response/payload-format.js';
import { parseAccept, type MediaRange } from './accept.js';
import type { ODataRequest } from './message.js';

/** The OData version of the answer (protocol 8.2.7): the highest that the client takes. */
export function negotiateVersion(request: ODataRequest): '4.0' | '4.01' {
  const sent = request.header('odata-version')?.trim();
  if (sent !== undefined && sent !== '4.0' && sent !== '4.01') throw unsupported(sent);
  const max = request.header('odata-maxversion')?.trim();
  if (max === undefined || max === '4.01') return '4.01';
  if (!(/^\d+\.\d+$/.test(max) && Number(max) >= 4)) throw unsupported(max);
  return max === '4.0' || max === '4.00' ? '4.0' : '4.01';
}

/** Whether a client says that it takes 4.01; one that says nothing may be a client of 4.0. */
export function takes401(request: ODataRequest): boolean {
  return request.header('odata-maxversion') !== undefined && negotiateVersion(request) === '4.01';
}

/** The OData version of a request: what it says, or else the highest that its sender takes (protocol 8.1.5). */
export function versionOfBody(request: ODataRequest): '4.0' | '4.01' {
  const sent = request.header('odata-version')?.trim();
  return sent === undefined ? negotiateVersion(request) : sent === '4.0' ? '4.0' : '4.01';
}

function unsupported(version: string): Error {
  return errors.unsupportedVersion(version.slice(0, 32));
}

/** How JSON data is written, from `$format` or Accept. */
export function negotiateJson(request: ODataRequest, format: string | undefined): PayloadFormat {
  const ranges = requestedRanges(request, format);
  const version = negotiateVersion(request);
  const known = negotiated[version].get(ranges);
  if (known !== undefined) return known;
  const made = chooseJson(ranges, version);
  negotiated[version].set(ranges, made);
  return made;
}

// The ranges are the same object for the same header, so a format is one too, and what is made for it is found by it.
const negotiated = {
  '4.0': new WeakMap<readonly MediaRange[], PayloadFormat>(),
  '4.01': new WeakMap<readonly MediaRange[], PayloadFormat>(),
};

function chooseJson(ranges: readonly MediaRange[], version: PayloadFormat['version']): PayloadFormat {
  const range = ranges.find(isOfferedJson);
  if (range === undefined || isExcluded(range, ranges))
    throw errors.notAcceptable(
      'application/json, with the parameters odata.metadata, odata.streaming, IEEE754Compatible and charset=utf-8',
    );
  return {
    metadata: metadataLevel(range) ?? 'minimal',
    ieee754Compatible: range.parameters.get('ieee754compatible') === 'true',
    streaming: parameter(range, 'streaming') === 'true',
    ...(range.parameters.has('charset') && { charset: true }),
    version,
  };
}

const offeredJson: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

// Format parameters that are unknown or not supported must not be passed over (JSON format 3).
function isOfferedJson(range: MediaRange): boolean {
  if (range.quality === 0 || !offeredJson.has(range.type)) return false;
  for (const [name, value] of range.parameters) if (!isKnown(name, value)) return false;
  return true;
}

/** The values of each format parameter; the names are known with `odata.` and, since 4.01, without it. */
const formatParameters: { readonly [name: string]: readonly string[] | undefined } = {
  metadata: ['none', 'minimal', 'full'],
  streaming: ['true', 'false'],
  ieee754compatible: ['true', 'false'],
  exponentialdecimals: ['true', 'false'],
  charset: ['utf-8', 'utf8'],
};

function isKnown(name: string, value: string): boolean {
  return name === 'q' || (own(formatParameters, name.replace(/^odata\./, ''))?.includes(value) ?? false);
}

// `application/json;q=0, */*` takes anything but JSON, which is all there is.
function isExcluded({ type }: MediaRange, ranges: readonly MediaRange[]): boolean {
  return type !== 'application/json' && ranges.some((range) => range.quality === 0 && range.type === 'application/json');
}

/** Whether `$metadata` is wanted as XML, which is also the answer to a client that takes anything. */
export function negotiateMetadata(request: ODataRequest, format: string | undefined): 'xml' | 'json' {
  for (const { type, quality } of requestedRanges(request, format)) {
    if (quality === 0) break;
    if (type === 'application/json') return 'json';
    if (type === 'application/xml' || type === 'text/xml' || type === '*/*' || type === 'application/*') return 'xml';
  }
  throw errors.notAcceptable('application/xml, application/json');
}

/** Whether plain text is acceptable, as `/$count` and `/$value` give it. */
export function requirePlainText(request: ODataRequest, format: string | undefined): void {
  requireMediaAccepted(request, format, 'text/plain');
}

/** Whether the only media type that there is can be accepted; a client that asks for JSON by habit gets it too. */
export function requireMediaAccepted(request: ODataRequest, format: string | undefined, offered: string): void {
  const [plain = ''] = offered.toLowerCase().split(';');
  const ranges = new Set([...offeredJson, plain, plain.replace(/\/.*/, '/*')]);
  const wanted = requestedRanges(request, format).filter(({ quality }) => quality > 0);
  if (!wanted.some(({ type }) => ranges.has(type))) throw errors.notAcceptable(offered);
}

const shortForms: { readonly [name: string]: string } = { json: 'application/json', xml: 'application/xml' };

// `$format` wins over Accept (URL conventions 5.1.3).
function requestedRanges(request: ODataRequest, format: string | undefined): readonly MediaRange[] {
  if (format !== undefined) return parseAccept(own(shortForms, format.toLowerCase()) ?? format);
  const accept = request.header('accept')?.trim() ?? '';
  return parseAccept(accept === '' ? '*/*' : accept);
}

function metadataLevel(range: MediaRange): PayloadFormat['metadata'] | undefined {
  const level = parameter(range, 'metadata');
  return level === 'none' || level === 'full' ? level : undefined;
}

function parameter({ parameters }: MediaRange, name: string): string | undefined {
  return parameters.get(`odata.${name}`) ?? parameters.get(name);
}
