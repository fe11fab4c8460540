import { parseAccept } from './accept.js';

/** The codings that answers are sent in; of two that are liked the same, the first. */
const contentCodings = ['br', 'gzip'] as const;

/** One of them. */
export type ContentCoding = (typeof contentCodings)[number];

/** The coding that an Accept-Encoding asks for (RFC 9110, 12.5.3); undefined where it takes none of ours, or likes the bare answer better. */
export function contentCodingOf(header: string | undefined): ContentCoding | undefined {
  if (header === undefined) return undefined;
  const ranges = parseAccept(header);
  const qualityOf = (name: string): number | undefined => ranges.find(({ type }) => type === name)?.quality;
  const bare = qualityOf('identity') ?? 0;
  const liked = contentCodings.map((coding) => ({ coding, quality: qualityOf(coding) ?? qualityOf('*') ?? 0 }));
  return liked.filter(({ quality }) => quality > 0 && quality >= bare).sort((one, other) => other.quality - one.quality)[0]?.coding;
}
