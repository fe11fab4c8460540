import { isSymbol, type Cursor } from './cursor.js';

/**
 * The text of the path or call that ends before the cursor, for advice that quotes it; undefined after anything else.
 */
export function operandBefore({ lexer: { tokens }, index, source: { text } }: Cursor): string | undefined {
  const last = tokens[index - 1];
  if (last === undefined) return undefined;
  let first = index - 1;
  if (isSymbol(last, ')')) first = openingOf(tokens, first) - 1;
  if (tokens[first]?.kind !== 'word') return undefined;
  while (isSymbol(tokens[first - 1] ?? last, '/') && tokens[first - 2]?.kind === 'word') first -= 2;
  return text.slice(tokens[first]?.at, last.end);
}

/** The text of a call that begins at the cursor, up to its closing parenthesis. */
export function callText(text: string, at: number): string {
  let depth = 0;
  for (const { 0: found, index } of text.slice(at).matchAll(/'(?:[^']|'')*'|[()]/g)) {
    if (found === '(') depth++;
    if (found === ')' && --depth === 0) return text.slice(at, at + index + 1);
  }
  return text.slice(at);
}

function openingOf(tokens: Cursor['lexer']['tokens'], closing: number): number {
  let depth = 0;
  for (let index = closing; index >= 0; index--) {
    const token = tokens[index];
    if (token === undefined) return -1;
    if (isSymbol(token, ')')) depth++;
    if (isSymbol(token, '(') && --depth === 0) return index;
  }
  return -1;
}
