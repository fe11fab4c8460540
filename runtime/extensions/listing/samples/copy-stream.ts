import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';

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
