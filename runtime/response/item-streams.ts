import type { ByteWriter } from './byte-writer.js';
import { scanObject, type Span } from './scan-json.js';

/** The streams of an item, and its members as they are stored. */
interface StreamsOfItem {
  readonly names: readonly string[];
  readonly found: ReadonlyMap<string, Span>;
  /** What stands in front of the next member. */
  readonly separator: string;
}

const facts = { type: 'mediaContentType', etag: 'mediaEtag' } as const;

/** Tells of the media streams of an item (JSON format 4.6.14): what it keeps of them in its JSON; gives what then stands in front of a member. */
export function writeItemStreams(out: ByteWriter, source: Buffer, { names, found, separator }: StreamsOfItem): string {
  let before = separator;
  for (const name of names) {
    const stream = found.get(`#${name}`);
    if (stream === undefined) continue;
    const members = scanObject(source, stream.start);
    for (const [fact, member] of Object.entries(facts)) {
      const value = members.get(fact);
      if (value === undefined) continue;
      out.text(`${before}${JSON.stringify(`${name}@odata.${member}`)}:`);
      out.copy(source, value.start, value.end);
      before = ',';
    }
  }
  return before;
}
