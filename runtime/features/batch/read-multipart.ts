import { errors } from '../../errors/catalogue.js';
import { type Batch, batchLimits, type BatchPart, type BatchUnit, unnamed } from './batch.js';

/** A part of a MIME message: its headers by lower-case name, and its body. */
interface MimePart {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The boundary of a Content-Type (RFC 2046, 5.1.1). */
function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > 70) throw errors.malformedBatch('Content-Type has no boundary of 1 to 70 characters');
  return boundary;
}

/** Splits a multipart body into its parts; the preamble and the epilogue are ignored. */
export function parseMultipart(bytes: Buffer, boundary: string, most: number): readonly MimePart[] {
  const lines = boundaryLines(bytes, boundary, most);
  const end = lines.findIndex(({ closes }) => closes);
  if (lines.length === 0) throw errors.malformedBatch('its boundary does not occur in the body');
  if (lines.length > most + 1) throw errors.limitExceeded(`A batch may have at most ${most} requests; this one has more.`);
  if (end < 0) throw errors.malformedBatch('its closing boundary is missing');
  return lines.slice(0, end).map((line, index) => parseMimePart(bytes.subarray(line.end, lines[index + 1]?.start)));
}

/** Splits a MIME part or an HTTP message into headers and body; either line end is accepted. */
function parseMimePart(bytes: Buffer): MimePart {
  const { head, body } = splitHead(bytes);
  const headers = new Map<string, string>();
  for (const line of head.split(/\r?\n(?![ \t])/).filter((text) => text.trim() !== '')) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw errors.malformedBatch(`'${line.slice(0, 40)}' is not a header line`);
    headers.set(name.toLowerCase(), value.replace(/\r?\n[ \t]+/g, ' ').trim());
  }
  return { headers, body };
}

interface BoundaryLine {
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
}

// A boundary begins a line, and the line end before it belongs to it. Stops at one more than the limit.
function boundaryLines(bytes: Buffer, boundary: string, most: number): readonly BoundaryLine[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const lines: BoundaryLine[] = [];
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    const line = boundaryAt(bytes, at, at + delimiter.length);
    if (line !== undefined) lines.push(line);
    if (line?.closes || lines.length > most + 1) break;
  }
  return lines;
}

function boundaryAt(bytes: Buffer, at: number, next: number): BoundaryLine | undefined {
  if (at > 0 && bytes[at - 1] !== lineFeed) return undefined;
  const newline = bytes.indexOf(lineFeed, next);
  const rest = bytes.toString('latin1', next, newline < 0 ? bytes.length : newline);
  const [, dashes] = /^(--)?[ \t]*\r?$/.exec(rest) ?? ['', undefined];
  if (!/^(--)?[ \t]*\r?$/.test(rest) || (dashes === undefined && newline < 0)) return undefined;
  const before = at - (at > 0 ? 1 : 0) - (at > 1 && bytes[at - 2] === carriageReturn ? 1 : 0);
  return { start: before, end: newline < 0 ? bytes.length : newline + 1, closes: dashes !== undefined };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function splitHead(bytes: Buffer): { readonly head: string; readonly body: Buffer } {
  const at = emptyLine(bytes);
  return { head: bytes.toString('utf8', 0, at.start), body: bytes.subarray(at.end) };
}

// Without an empty line there is no body.
function emptyLine(bytes: Buffer): { readonly start: number; readonly end: number } {
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf(lineFeed, at);
    if (newline < 0) break;
    if (newline === at || (newline === at + 1 && bytes[at] === carriageReturn)) return { start: at, end: newline + 1 };
    at = newline + 1;
  }
  return { start: bytes.length, end: bytes.length };
}

/** Reads a batch in multipart/mixed (protocol 11.7.7): single requests and change sets, in their order. */
export function readMultipartBatch(bytes: Buffer, contentType: string): Batch {
  const units: BatchUnit[] = [];
  const count = { parts: 0 };
  for (const mime of parseMultipart(bytes, boundaryOf(contentType), batchLimits.parts)) {
    const previous = units.at(-1);
    units.push({ ...readUnit(mime, units.length, count), after: previous === undefined ? [] : [previous] });
  }
  requireDistinct(units);
  return { units, continues: false };
}

interface Count {
  parts: number;
}

function readUnit(mime: MimePart, index: number, count: Count): Pick<BatchUnit, 'group' | 'parts'> {
  const type = mime.headers.get('content-type') ?? '';
  if (!/^multipart\/mixed\b/i.test(type)) return { parts: [readPart(mime, count)] };
  const parts = parseMultipart(mime.body, boundaryOf(type), batchLimits.parts).map((each) => readPart(each, count));
  const reading = parts.find(({ method }) => method === 'GET' || method === 'HEAD');
  if (reading)
    throw errors.malformedBatch(
      `a change set may contain only requests that change data, but has ${reading.method} ${reading.url.slice(0, 64)}`,
    );
  return { group: `changeset_${index + 1}`, parts };
}

function readPart({ headers, body }: MimePart, count: Count): BatchPart {
  count.parts += 1;
  if (count.parts > batchLimits.parts)
    throw errors.limitExceeded(`A batch may have at most ${batchLimits.parts} requests; this one has more.`);
  const type = headers.get('content-type') ?? '';
  if (!/^application\/http\b/i.test(type))
    throw errors.malformedBatch(
      `a part must be application/http or multipart/mixed, but one is ${type === '' ? 'neither' : type.slice(0, 64)}`,
    );
  const transfer = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(binary|8bit|7bit)$/i.test(transfer))
    throw errors.malformedBatch(`Content-Transfer-Encoding must be binary, not ${transfer.slice(0, 32)}`);
  const request = readHttpRequest(body);
  // Olingo's client for JavaScript and Syncfusion's write the id into the request, as in OData 3.
  const id = headers.get('content-id') ?? request.headers.get('content-id');
  return { id: id ?? unnamed(count.parts), named: id !== undefined, dependsOn: [], ...request };
}

/** An HTTP request as the body of a part (RFC 9112, 2.1). */
function readHttpRequest(bytes: Buffer): Pick<BatchPart, 'method' | 'url' | 'headers' | 'body'> {
  const start = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  const newline = bytes.indexOf(0x0a, Math.max(start, 0));
  const line = bytes.toString('utf8', Math.max(start, 0), newline < 0 ? bytes.length : newline).trimEnd();
  const [, method, url] = /^([A-Za-z]+) (\S.*?)(?: HTTP\/\d\.\d)?$/.exec(line) ?? [];
  if (method === undefined || url === undefined) throw errors.malformedBatch(`'${line.slice(0, 64)}' is not a request line`);
  const { headers, body } = parseMimePart(newline < 0 ? Buffer.alloc(0) : bytes.subarray(newline + 1));
  const length = Number(headers.get('content-length') ?? body.length);
  const sent = Number.isSafeInteger(length) && length >= 0 ? body.subarray(0, length) : body;
  return { method: method.toUpperCase(), url, headers, ...(sent.length > 0 && { body: sent }) };
}

// Within the requests, clients may number those of each change set anew, as in OData 3: the last one is referred to.
function requireDistinct(units: readonly BatchUnit[]): void {
  const ids = units.flatMap(({ parts }) => parts.filter(({ headers }) => !headers.has('content-id')).map(({ id }) => id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw errors.malformedBatch(`the Content-ID ${twice.slice(0, 64)} is repeated`);
}
