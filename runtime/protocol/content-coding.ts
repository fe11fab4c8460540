import { parseAccept } from './accept.js';

/** The codings of answers; of equal quality, the first is used. */
const contentCodings = ['br', 'gzip'] as const;

/** A coding of answers. */
export type ContentCoding = (typeof contentCodings)[number];

/**
 * The coding that an Accept-Encoding selects (RFC 9110, 12.5.3); undefined for none, and where identity is preferred.
 */
export function contentCodingOf(header: string | undefined): ContentCoding | undefined {
  if (header === undefined) return undefined;
  const ranges = parseAccept(header);
  const qualityOf = (name: string): number | undefined => ranges.find(({ type }) => type === name)?.quality;
  const bare = qualityOf('identity') ?? 0;
  const liked = contentCodings.map((coding) => ({ coding, quality: qualityOf(coding) ?? qualityOf('*') ?? 0 }));
  return liked.filter(({ quality }) => quality > 0 && quality >= bare).sort((one, other) => other.quality - one.quality)[0]?.coding;
}
