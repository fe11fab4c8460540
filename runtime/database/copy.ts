import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';

/** A value of a row for COPY; arrays hold the texts of their items. */
export type CopyValue = string | number | boolean | null | readonly string[];

const escapes: { readonly [character: string]: string } = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value in COPY's text format, with tabs and line ends escaped and `\N` for null. */
export function copyCell(cell: CopyValue): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? cell : arrayLiteral(cell);
  return /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character) : text;
}

/** An array literal; every element is quoted, so that none is read as NULL or ends early. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The part of the database driver's client that COPY uses: it returns the stream it is given. */
export interface CopyClient {
  readonly query: (query: object) => unknown;
}

/** Sends lines to a COPY statement at the database's pace. */
export async function copyLines(client: CopyClient, text: string, lines: Iterable<string>): Promise<void> {
  const stream = copyFrom(text);
  client.query(stream);
  await pipeline(Readable.from(chunks(lines), { objectMode: false }), stream);
}

// One message per line would cost more than the line.
function* chunks(lines: Iterable<string>): Generator<Buffer> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}
