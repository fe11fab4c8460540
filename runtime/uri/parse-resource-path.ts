import { parseKey, pathError, pathTarget } from './parse-key.js';
import { percentDecode } from './percent-decode.js';
import type { PathPart, ResourcePath } from './resource-path.js';

/** The path behind the service root, still percent-encoded: it is split before it is decoded (URL conventions 2). */
export function parseResourcePath(rawPath: string): ResourcePath {
  const parts: PathPart[] = [];
  let offset = 0;
  for (const segment of splitSegments(rawPath)) {
    const text = percentDecode(segment, pathTarget);
    // Empty segments come from joining addresses and name nothing.
    if (text !== '') parts.push(parsePart(text, offset));
    offset += text.length + 1;
  }
  return { parts };
}

// A slash inside the quotes of a key belongs to the key; a quote outside parentheses is a character like any other.
function splitSegments(rawPath: string): readonly string[] {
  const segments: string[] = [];
  let start = 0;
  let inside = false;
  let quoted = false;
  for (const { 0: found, index } of rawPath.matchAll(/\/|'|%27|\(|%28|\)|%29/g)) {
    if (found === `'` || found === '%27') quoted = inside && !quoted;
    else if (quoted) continue;
    else if (found === '(' || found === '%28') inside = true;
    else if (found === ')' || found === '%29') inside = false;
    else {
      segments.push(rawPath.slice(start, index));
      start = index + 1;
      inside = false;
    }
  }
  return [...segments, rawPath.slice(start)];
}

function parsePart(text: string, offset: number): PathPart {
  const open = text.indexOf('(');
  if (open < 0) return { name: text };
  if (open === 0) throw pathError(offset, 'a name is missing before the parenthesis');
  const close = closingParenthesis(text, open);
  if (close < 0) throw unclosed(text, open, offset);
  if (close < text.length - 1) throw pathError(offset + close + 1, 'a slash or the end is expected behind the key');
  return { name: text.slice(0, open), key: parseKey(text.slice(open + 1, close), offset + open + 1) };
}

function unclosed(text: string, open: number, offset: number): Error {
  const odd = text.split(`'`).length % 2 === 0;
  const why = `the parenthesis that opens at position ${offset + open + 1} is not closed`;
  return pathError(offset + text.length, odd ? `a quote is missing, or one inside a key is not doubled, as in ('O''Neil')` : why);
}

function closingParenthesis(text: string, open: number): number {
  let quoted = false;
  for (let at = open; at < text.length; at++) {
    if (text[at] === `'`) quoted = !quoted;
    if (text[at] === ')' && !quoted) return at;
  }
  return -1;
}
