import { remembered } from '../uri/remembered.js';
import { splitOnce } from './message.js';

/** One media range of an Accept header, names and values in lower case. */
export interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * The ranges of an Accept header, by quality and then specificity (RFC 9110, 12.5.1). Ranges with quality 0 come last.
 */
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
