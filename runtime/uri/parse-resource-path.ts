import { errors } from '../errors/catalogue.js';
import { excerpt } from '../errors/suggest.js';
import { parseFilter } from '../expression/parser.js';
import { parseKey, pathError, pathTarget } from './parse-key.js';
import { uriLimits } from './query-options.js';
import type { PathPart, ResourcePath } from './resource-path.js';
import type { ParameterRecording } from './shape.js';
import { percentDecode } from './decode-url.js';
import { identifier, isIdentifier } from '../edm/identifier.js';

/** Parses the path after the service root, still percent-encoded: segments are split before decoding (URL conventions 2). */
export function parseResourcePath(rawPath: string, parameters?: ParameterRecording): ResourcePath {
  const parts: PathPart[] = [];
  let offset = 0;
  const segments = splitSegments(rawPath);
  for (const [index, segment] of segments.entries()) {
    const text = segment === '' ? '' : percentDecode(segment, pathTarget);
    // Joining addresses doubles the first slash, and one slash may end a path; an empty name elsewhere is a mistake.
    if (text === '' && parts.length > 0 && index < segments.length - 1) throw pathError(offset, 'a name is missing between two slashes');
    if (text !== '' && parts.length >= uriLimits.segments)
      throw errors.limitExceeded(`The resource path has more than ${uriLimits.segments} segments.`).at(pathTarget);
    if (text !== '') parts.push({ ...parsePart(text, offset, parameters), at: offset });
    offset += text.length + 1;
  }
  return { parts };
}

// A slash within the quotes of a key belongs to the key, one within `$filter(...)` to its condition, where phrases of
// $search have double quotes; a quote outside of parentheses is an ordinary character. Characters are scanned one by one, since a path may consist of nothing but such
// marks.
function splitSegments(rawPath: string): readonly string[] {
  const segments: string[] = [];
  let start = 0;
  let depth = 0;
  let quote: string | undefined;
  for (let at = 0; at < rawPath.length; at++) {
    const mark = markAt(rawPath, at);
    if (mark === undefined) continue;
    if (quote !== undefined) {
      if (mark === quote) quote = undefined;
    } else if (mark === `'`) quote = depth > 0 ? mark : undefined;
    else if (mark === '"') quote = depth > 0 && isFilter(rawPath.slice(start, start + 10)) ? mark : undefined;
    else if (mark === '(') depth++;
    else if (mark === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 || !isFilter(rawPath.slice(start, start + 10))) {
      segments.push(rawPath.slice(start, at));
      start = at + 1;
      depth = 0;
    }
  }
  return [...segments, rawPath.slice(start)];
}

/** The marks that are encoded as `%2` and a digit, by the digit. */
const encodedMarks: { readonly [digit: string]: string | undefined } = { 2: '"', 7: `'`, 8: '(', 9: ')' };

function markAt(text: string, at: number): string | undefined {
  const character = text[at];
  switch (character) {
    case '/':
    case `'`:
    case '"':
    case '(':
    case ')':
      return character;
    case '%':
      return text[at + 1] === '2' ? encodedMarks[text[at + 2] ?? ''] : undefined;
    default:
      return undefined;
  }
}

function isFilter(text: string): boolean {
  return /^(?:\$|%24)filter[(%]/.test(text);
}

function parsePart(text: string, offset: number, parameters: ParameterRecording | undefined): PathPart {
  const open = text.indexOf('(');
  if (text === '$filter') throw pathError(offset + text.length, 'a condition in parentheses is missing, write /$filter(‹number› gt 1)');
  if (open < 0) return { name: text };
  if (open === 0) throw pathError(offset, 'a name is missing before the parenthesis');
  const name = text.slice(0, open);
  if (name === '$filter') return parseFilterPart(text, offset);
  if (!identifiers.test(name))
    throw pathError(offset, separatorFault('', text) ?? `'${excerpt(name)}' is not a name, and only a name can have parentheses`);
  const { key, end } = parseParentheses(text, open, offset);
  if (name === '$crossjoin') return parseCrossjoin(text, end, offset);
  if (name.startsWith('$')) throw pathError(offset + open, `${excerpt(name)} has no parentheses`);
  if (text[end] !== '(') return requireEnd(text, end, offset, { name, key: parseKey(...key, parameters) });
  const second = parseParentheses(text, end, offset);
  return requireEnd(text, second.end, offset, { name, key: parseKey(...key), resultKey: parseKey(...second.key) });
}

const identifiers = new RegExp(`^\\$?${identifier}(?:\\.${identifier})*$`, 'u');

// The text of a key with its position in the whole path, and the end of its parentheses in the segment.
function parseParentheses(
  text: string,
  open: number,
  offset: number,
): { readonly key: readonly [text: string, offset: number]; readonly end: number } {
  const close = closingParenthesis(text, open);
  if (close < 0) throw unclosed(text, open, offset);
  return { key: [text.slice(open + 1, close), offset + open + 1], end: close + 1 };
}

function requireEnd(text: string, end: number, offset: number, part: PathPart): PathPart {
  if (end < text.length)
    throw pathError(offset + end, separatorFault(text.slice(0, end), text.slice(end)) ?? 'a slash or the end is expected after the key');
  return part;
}

// A slash or a question mark in a decoded segment was encoded.
function separatorFault(before: string, rest: string): string | undefined {
  const [, segment = '', option] = /^([^?&$]*)[?&]?(\$\w+=.*)$/.exec(rest) ?? [];
  if (option !== undefined) return `an option follows a question mark, write ${excerpt(`${before}${segment}?${option}`)}`;
  return rest.includes('/') ? `an encoded slash does not separate segments, write ${excerpt(before + rest)}` : undefined;
}

function unclosed(text: string, open: number, offset: number): Error {
  const odd = text.split(`'`).length % 2 === 0;
  const why = `the parenthesis that opens at position ${offset + open + 1} is not closed`;
  return pathError(offset + text.length, odd ? `a quote is missing, or a quote inside a key is not doubled, as in ('O''Neil')` : why);
}

function closingParenthesis(text: string, open: number): number {
  let quoted = false;
  for (let at = open; at < text.length; at++) {
    if (text[at] === `'`) quoted = !quoted;
    if (text[at] === ')' && !quoted) return at;
  }
  return -1;
}

/** URL conventions 4.12, `$filter(...)` as a segment; offsets count within the parentheses. */
function parseFilterPart(text: string, offset: number): PathPart {
  const open = text.indexOf('(');
  if (!text.endsWith(')'))
    throw pathError(
      offset + text.length,
      `the parenthesis that opens at position ${offset + open + 1} is not closed, or is followed by other text`,
    );
  const close = endOfCondition(text, open);
  const filter = parseFilter(text.slice(open + 1, text[close + 1] === '(' ? close : -1), '/$filter');
  if (text[close + 1] !== '(') return { name: '$filter', filter };
  return { name: '$filter', filter, key: parseKey(text.slice(close + 2, -1), offset + close + 2) };
}

// A condition may contain parentheses, and a key may follow it.
function endOfCondition(text: string, open: number): number {
  let depth = 0;
  for (const { 0: found, index } of text.slice(open).matchAll(/'[^']*'?|"(?:\\.|[^"\\])*"?|[()]/g)) {
    if (found === '(') depth++;
    else if (found === ')' && --depth === 0) return open + index;
  }
  return text.length - 1;
}

/** URL conventions 4.15, `$crossjoin(Set,Set)`. */
function parseCrossjoin(text: string, end: number, offset: number): PathPart {
  if (end < text.length) throw pathError(offset + end, 'a slash or the end is expected after $crossjoin(...)');
  const open = text.indexOf('(');
  const sets = text
    .slice(open + 1, end - 1)
    .split(',')
    .map((name) => name.trim());
  const wrong = sets.find((name) => !isIdentifier(name));
  if (wrong !== undefined)
    throw pathError(offset + open + 1, `'${excerpt(wrong)}' is not the name of an entity set, write $crossjoin(‹set›,‹otherSet›)`);
  if (new Set(sets).size < sets.length) throw pathError(offset + open + 1, '$crossjoin can name an entity set only once');
  if (sets.length > uriLimits.crossjoin) throw pathError(offset + open + 1, `$crossjoin has more than ${uriLimits.crossjoin} entity sets`);
  return { name: '$crossjoin', sets };
}
