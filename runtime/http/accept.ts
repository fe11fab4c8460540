/** One media range of an Accept header, names and values in lower case. */
export interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The ranges of an Accept header, best first; what has quality 0 is left out (RFC 9110, 12.5.1). */
export function parseAccept(header: string): readonly MediaRange[] {
  const ranges = header.split(',').map(parseRange).filter(({ quality, type }) => quality > 0 && type !== '');
  return ranges.sort((a, b) => b.quality - a.quality);
}

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase());
  const parameters = new Map(rest.map(parseParameter));
  const quality = Number(parameters.get('q') ?? '1');
  return { type, parameters, quality: Number.isFinite(quality) ? quality : 1 };
}

function parseParameter(text: string): [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim().replace(/^"|"$/g, '')];
}
