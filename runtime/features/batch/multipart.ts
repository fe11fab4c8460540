import { errors } from '../../errors/catalogue.js';

/** A part of a MIME message: its headers by lower-case name, and its body. */
export interface MimePart {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The boundary of a Content-Type (RFC 2046, 5.1.1). */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > 70) throw malformed('Content-Type has no boundary of 1 to 70 characters');
  return boundary;
}

/** Splits a multipart body into its parts; the preamble and the epilogue are ignored. */
export function parseMultipart(bytes: Buffer, boundary: string, most: number): readonly MimePart[] {
  const lines = boundaryLines(bytes, boundary, most);
  const end = lines.findIndex(({ closes }) => closes);
  if (lines.length === 0) throw malformed('its boundary does not occur in the body');
  if (lines.length > most + 1) throw errors.limitExceeded(`A batch may have at most ${most} requests; this one has more.`);
  if (end < 0) throw malformed('its closing boundary is missing');
  return lines.slice(0, end).map((line, index) => parseMimePart(bytes.subarray(line.end, lines[index + 1]?.start)));
}

/** Splits a MIME part or an HTTP message into headers and body; either line end is accepted. */
export function parseMimePart(bytes: Buffer): MimePart {
  const { head, body } = splitHead(bytes);
  const headers = new Map<string, string>();
  for (const line of head.split(/\r?\n(?![ \t])/).filter((text) => text.trim() !== '')) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformed(`'${line.slice(0, 40)}' is not a header line`);
    headers.set(name.toLowerCase(), value.replace(/\r?\n[ \t]+/g, ' ').trim());
  }
  return { headers, body };
}

/** The error for a malformed batch. */
export function malformed(why: string): Error {
  return errors.malformedBatch(why);
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

function boundaryAt(bytes: Buffer, at: number, behind: number): BoundaryLine | undefined {
  if (at > 0 && bytes[at - 1] !== lineFeed) return undefined;
  const newline = bytes.indexOf(lineFeed, behind);
  const rest = bytes.toString('latin1', behind, newline < 0 ? bytes.length : newline);
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
