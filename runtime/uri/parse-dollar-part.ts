import { parseFilter } from '../expression/parser.js';
import { excerpt } from '../expression/quote.js';
import { uriLimits } from './limits.js';
import { parseKey, pathError } from './parse-key.js';
import type { PathPart } from './resource-path.js';

/** URL conventions 4.12, `$filter(...)` as a segment; offsets count within the parentheses. */
export function parseFilterPart(text: string, offset: number): PathPart {
  const open = text.indexOf('(');
  if (!text.endsWith(')'))
    throw pathError(
      offset + text.length,
      `the parenthesis that opens at position ${offset + open + 1} is not closed, or is followed by other text`,
    );
  const close = closingParenthesis(text, open);
  const filter = parseFilter(text.slice(open + 1, text[close + 1] === '(' ? close : -1), '/$filter');
  if (text[close + 1] !== '(') return { name: '$filter', filter };
  return { name: '$filter', filter, key: parseKey(text.slice(close + 2, -1), offset + close + 2) };
}

// A condition may contain parentheses, and a key may follow it.
function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (const { 0: found, index } of text.slice(open).matchAll(/'[^']*'?|[()]/g)) {
    if (found === '(') depth++;
    else if (found === ')' && --depth === 0) return open + index;
  }
  return text.length - 1;
}

/** URL conventions 4.15, `$crossjoin(Set,Set)`. */
export function parseCrossjoin(text: string, end: number, offset: number): PathPart {
  if (end < text.length) throw pathError(offset + end, 'a slash or the end is expected after $crossjoin(...)');
  const open = text.indexOf('(');
  const sets = text
    .slice(open + 1, end - 1)
    .split(',')
    .map((name) => name.trim());
  const wrong = sets.find((name) => !/^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*$/u.test(name));
  if (wrong !== undefined)
    throw pathError(offset + open + 1, `'${excerpt(wrong)}' is not the name of an entity set, write $crossjoin(‹set›,‹otherSet›)`);
  if (new Set(sets).size < sets.length) throw pathError(offset + open + 1, '$crossjoin can name an entity set only once');
  if (sets.length > uriLimits.crossjoin) throw pathError(offset + open + 1, `$crossjoin has more than ${uriLimits.crossjoin} entity sets`);
  return { name: '$crossjoin', sets };
}
