import { own } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { nearestOf } from '../errors/suggest.js';
import type { PayloadFormat } from '../response/payload-format.js';
import { remembered } from '../uri/remembered.js';
import { type ODataRequest, splitOnce } from './message.js';
import { memoized } from '../edm/memoized.js';

/** One media range of an Accept header, names and values in lower case. */
interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The ranges of an Accept header, by quality and then specificity (RFC 9110, 12.5.1). Ranges with quality 0 come last. */
export const parseAccept: (header: string) => readonly MediaRange[] = remembered(parseRanges);

function parseRanges(header: string): readonly MediaRange[] {
  const ranges = header
    .split(',')
    .filter((range) => range !== '')
    .map(parseRange)
    .filter(({ type }) => type !== '');
  return ranges.length < 2 ? ranges : ranges.sort((a, b) => b.quality - a.quality || precision(b) - precision(a));
}

/** A Content-Type, or one range of an Accept header. */
export const parseMediaType: (text: string) => MediaRange = remembered(parseRange);

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.filter((part) => part !== '').map(parseParameter));
  const quality = Number(parameters.get('q') ?? '1');
  return { type: type.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 1 };
}

function parseParameter(text: string): [string, string] {
  const [name, value = ''] = splitOnce(text, '=');
  return [name.trim().toLowerCase(), value.trim().toLowerCase().replace(/^"|"$/g, '')];
}

function precision({ type, parameters }: MediaRange): number {
  if (type === '*/*') return 0;
  if (type.endsWith('/*')) return 1;
  return 2 + parameters.size - (parameters.has('q') ? 1 : 0);
}

/** The OData version of the answer (protocol 8.2.7): the highest that the client accepts. */
export function negotiateVersion(request: ODataRequest): '4.0' | '4.01' {
  const accepted = request.header('odata-maxversion') ?? '4.01';
  if (accepted === '4.01' && request.header('odata-version') === undefined) return accepted;
  const sent = versionIn(request, 'odata-version');
  if (sent !== undefined && sent !== '4.0' && sent !== '4.01') throw unsupported(sent);
  const max = versionIn(request, 'odata-maxversion');
  if (max === undefined || max === '4.01') return '4.01';
  if (!(/^\d+\.\d+$/.test(max) && Number(max) >= 4)) throw unsupported(max);
  return max === '4.0' || max === '4.00' ? '4.0' : '4.01';
}

/** Whether a client declares that it accepts 4.01; one that declares nothing may be a client of 4.0. */
export function takes401(request: ODataRequest): boolean {
  return request.header('odata-maxversion') !== undefined && negotiateVersion(request) === '4.01';
}

/** The OData version of a request: its OData-Version, or else the highest that the client accepts (protocol 8.1.5). */
export function versionOfBody(request: ODataRequest): '4.0' | '4.01' {
  const sent = versionIn(request, 'odata-version');
  return sent === undefined ? negotiateVersion(request) : sent === '4.0' ? '4.0' : '4.01';
}

// Older clients of Microsoft append their user agent, as V3 permitted: `4.0;NetFx`.
function versionIn(request: ODataRequest, header: string): string | undefined {
  return request.header(header)?.replace(/;.*/s, '').trim();
}

function unsupported(version: string): Error {
  return errors.unsupportedVersion(version.slice(0, 32));
}

/** Rejects snapshot isolation across requests, which the service cannot promise (protocol 8.2.1). */
export function refuseIsolation(request: ODataRequest): void {
  const isolation = request.header('odata-isolation') ?? request.header('isolation');
  if (isolation?.trim().toLowerCase() === 'snapshot')
    throw errors.preconditionFailed('Snapshot isolation is not supported; omit OData-Isolation.');
}

/** The JSON format of the answer, from `$format` or Accept. */
export function negotiateJson(request: ODataRequest, format: string | undefined): PayloadFormat {
  const ranges = requestedRanges(request, format);
  return chosenJson[negotiateVersion(request)](ranges);
}

// Equal headers share their parsed ranges and thus their format, by which derived data is cached.
const chosenJson = {
  '4.0': memoized((ranges: readonly MediaRange[]) => chooseJson(ranges, '4.0')),
  '4.01': memoized((ranges: readonly MediaRange[]) => chooseJson(ranges, '4.01')),
};

/** A hint at the format that the first range may mean: one of the same kind, `text/csv` for `text/cvs`. */
export function formatHint([first]: readonly MediaRange[], names: readonly string[]): string {
  const { type = '' } = first ?? {};
  const kind = type.slice(0, type.indexOf('/') + 1);
  const ofKind = names.filter((name) => name.slice(0, name.indexOf('/') + 1) === kind).map((name) => name.slice(kind.length));
  const meant = names.includes(type) ? undefined : nearestOf(type.slice(kind.length), ofKind);
  return meant === undefined ? '' : ` Did you mean ${kind}${meant}?`;
}

/** The formats that each resource has in JSON. */
export const jsonFormats = 'application/json, with the parameters odata.metadata, odata.streaming, IEEE754Compatible and charset=utf-8';

function chooseJson(ranges: readonly MediaRange[], version: PayloadFormat['version']): PayloadFormat {
  const range = ranges.find(isOfferedJson);
  if (range === undefined || isExcluded(range, ranges))
    throw errors.notAcceptable(jsonFormats, formatHint(ranges, ['json', 'application/json']));
  return {
    metadata: metadataLevel(range) ?? 'minimal',
    ieee754Compatible: range.parameters.get('ieee754compatible') === 'true',
    streaming: parameter(range, 'streaming') === 'true',
    ...(range.parameters.has('charset') && { charset: true }),
    version,
  };
}

const offeredJson: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

// Unknown and unsupported format parameters must not be ignored (JSON format 3).
function isOfferedJson(range: MediaRange): boolean {
  if (range.quality === 0 || !offeredJson.has(range.type)) return false;
  for (const [name, value] of range.parameters) if (!isKnown(name, value)) return false;
  return true;
}

/** The values of each format parameter; names may have the prefix `odata.`, which is optional since 4.01. */
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

// `application/json;q=0, */*` excludes JSON, the only format.
function isExcluded({ type }: MediaRange, ranges: readonly MediaRange[]): boolean {
  return type !== 'application/json' && ranges.some((range) => range.quality === 0 && range.type === 'application/json');
}

const xmlRanges: ReadonlySet<string> = new Set(['application/xml', 'text/xml', '*/*', 'application/*']);

/**
 * Whether `$metadata` is requested as XML, which is also the answer to a client that accepts anything, and to one of
 * 4.0 that accepts both, because CSDL JSON came with 4.01.
 */
export function negotiateMetadata(request: ODataRequest, format: string | undefined): 'xml' | 'json' {
  const ranges = requestedRanges(request, format);
  const accepted = ranges.filter(({ quality }) => quality > 0);
  if (negotiateVersion(request) === '4.0' && accepted.some(({ type }) => xmlRanges.has(type))) return 'xml';
  for (const { type } of accepted) {
    if (type === 'application/json') return 'json';
    if (xmlRanges.has(type)) return 'xml';
  }
  throw errors.notAcceptable(metadataFormats.join(', '), formatHint(ranges, ['xml', 'json', ...metadataFormats]));
}

const metadataFormats = ['application/xml', 'application/json'];

/** Rejects a request that does not accept the only media type offered; asking for JSON is tolerated. */
export function requireMediaAccepted(request: ODataRequest, format: string | undefined, offered: string): void {
  const [plain = ''] = offered.toLowerCase().split(';');
  const ranges = new Set([...offeredJson, plain, plain.replace(/\/.*/, '/*')]);
  const wanted = requestedRanges(request, format).filter(({ quality }) => quality > 0);
  if (!wanted.some(({ type }) => ranges.has(type))) throw errors.notAcceptable(offered);
}

const shortForms: { readonly [name: string]: string } = { json: 'application/json', xml: 'application/xml' };

// `$format` takes precedence over Accept (URL conventions 5.1.3).
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
