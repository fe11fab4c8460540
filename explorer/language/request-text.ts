import type { ErrorPosition } from '../../runtime/errors/odata-error.js';
import type { ReadRequest } from './check.js';

/** A line of the query text: an option with its value, and the place of the value in the whole text. */
export interface TextOption {
  readonly name: string;
  readonly value: string;
  /** Where the name begins, the value begins, and the value ends. */
  readonly from: number;
  readonly at: number;
  readonly to: number;
}

/** The query as a person writes it: the path on the first line, then an option a line; lines that are indented go on. The first line may be a whole address. */
export interface RequestText {
  readonly path: string;
  readonly pathAt: number;
  readonly options: readonly TextOption[];
}

/** Reads the text. Breaks within an option count as spaces, so that offsets stay those of the text. */
export function readText(text: string): RequestText {
  const [first, ...others] = linesOf(text);
  const method = /^\s*(?:GET\s+)?\/?/i.exec(first?.text ?? '')?.[0].length ?? 0;
  const options = others.flatMap(({ text: line, at }) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const lead = /^[\s&?]*/.exec(line)?.[0].length ?? 0;
    const equals = line.indexOf('=');
    const split = equals < 0 ? line.length : equals;
    const value = equals < 0 ? '' : line.slice(equals + 1).trimEnd();
    // A name without an equals sign is still being written: its value would begin after the line.
    const valueAt = at + (equals < 0 ? line.length + 1 : equals + 1);
    return [
      {
        name: line.slice(lead, split).trim(),
        value,
        from: at + lead,
        at: valueAt,
        to: equals < 0 ? at + line.length : valueAt + value.length,
      },
    ];
  });
  return { path: first?.text.slice(method).trimEnd() ?? '', pathAt: (first?.at ?? 0) + method, options };
}

interface Line {
  readonly text: string;
  readonly at: number;
}

function linesOf(text: string): readonly Line[] {
  const [address = '', ...others] = text.split('\n');
  const lines = partsOf(address);
  let at = address.length + 1;
  for (const line of others) {
    const last = lines.at(-1);
    if (lines.length > 1 && last && /^\s+\S/.test(line) && !/^\s*[$@#]\w+=/.test(line)) last.text += ` ${line}`;
    else lines.push({ text: line, at });
    at += line.length + 1;
  }
  return lines;
}

// The path of an address and its options, which stand after the first question mark outside of quotes.
function partsOf(address: string): { text: string; at: number }[] {
  const parts = [{ text: '', at: 0 }];
  for (const { 0: text, index } of address.matchAll(/'[^']*'?|"[^"]*"?|[?&]|[^'"?&]+/g)) {
    const last = parts.at(-1);
    if (text === (parts.length === 1 ? '?' : '&')) parts.push({ text: '', at: index + 1 });
    else if (last) last.text += text;
  }
  return parts;
}

/** The request of a text, percent-encoded. */
export function toRequest({ path, options }: RequestText): ReadRequest {
  return {
    path: `/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`,
    query: options.map(({ name, value }) => `${encodeValue(name)}=${encodeValue(value)}`).join('&'),
  };
}

function encodeValue(text: string): string {
  return encodeURI(text).replace(/[&#+]/g, encodeURIComponent);
}

/** The text of a relative address, as links and history have it. */
export function fromAddress(address: string): string {
  const [path = '', ...query] = address.split('?');
  // A value may have question marks.
  const options = query
    .join('?')
    .split('&')
    .filter((option) => option !== '');
  return [`GET /${decode(path).replace(/^\//, '')}`, ...options.map(decode)].join('\n');
}

/** The text of an address that was copied elsewhere, with the host or the path of the service or with options; undefined for any other text. */
export function fromPasted(pasted: string, rootPaths: readonly string[]): string | undefined {
  const [, host, path = ''] = /^\s*(?:GET\s+)?(https?:\/\/[^/\s]+)?(\/.*?)(?:\s+HTTP\/[\d.]+)?\s*$/i.exec(pasted) ?? [];
  const root = rootPaths.find((one) => path === one || path.startsWith(`${one}/`) || path.startsWith(`${one}?`));
  if (root !== undefined) return fromAddress(path.slice(root.length));
  return host === undefined && /\?[$@\w]+=/.test(path) ? fromAddress(path) : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // A lone percent sign is shown as it is.
  }
}

/** The place of a finding in the text; what has no position is about the path. */
export function placeOf(position: ErrorPosition | undefined, { path, pathAt, options }: RequestText): { from: number; to: number } {
  const whole = { from: pathAt, to: pathAt + path.length };
  if (position === undefined) return whole;
  const { option, at, length } = position;
  // The path of the request begins with a slash, which the text may lack.
  if (option === 'resource path') return clipped(pathAt + at - 2, length, whole);
  if (option === '/$filter') return clipped(pathAt + path.indexOf('$filter(') + '$filter('.length + at - 1, length, whole);
  const found = options.find(({ name }) => name === option || `$${name}`.toLowerCase() === option || name.toLowerCase() === option);
  if (found === undefined) return whole;
  return clipped(found.at + at - 1, length, { from: found.from, to: found.to });
}

// A place at the end of a text marks its last character, since an empty range is invisible.
function clipped(from: number, length: number, within: { readonly from: number; readonly to: number }): { from: number; to: number } {
  const start = Math.max(within.from, Math.min(from, within.to));
  const end = Math.min(start + length, within.to);
  return start < end ? { from: start, to: end } : { from: Math.max(within.from, within.to - 1), to: within.to };
}
