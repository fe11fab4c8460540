import { type Cursor, isSymbol } from './cursor.js';
import { isMethod } from './methods.js';
import { operatorNamed } from './operators.js';
import type { Token } from './token.js';

/** A mistake that two adjacent tokens show; a new one is a row here. */
interface Pair {
  readonly before: (text: string) => boolean;
  readonly token: (text: string) => boolean;
  /** The end of the text up to the second token; the advice gets its group. */
  readonly within?: RegExp;
  readonly advice: (before: string, token: string, word: string) => string;
}

const joined = 'conditions are joined with and or or; a comma only separates arguments and list items';

const matched = `a pattern is a function, write matchespattern(‹text›,'^A')`;

// oxfmt-ignore
const pairs: readonly Pair[] = [
  { before: (text) => /^\d{4}-\d\d-\d\d$/.test(text), token: (text) => /^\d\d:\d\d/.test(text), advice: (date, time) => `a date-time is one literal, write ${date}T${time.length === 5 ? `${time}:00` : time}Z` },
  { before: (text) => /^[-+]?\d+$/.test(text), token: (text) => text === ',', advice: (whole) => `${joined}; a decimal number has a point, as in ${whole}.5` },
  { before: (text) => /^\d{1,4}$/.test(text), token: (text) => text === '/', advice: () => 'a date is written 2024-01-31, and a quotient ‹number› divby 2' },
  { before: () => true, token: (text) => text === '~' || text === '=~', advice: () => matched },
  { before: (text) => /^(?:asc|desc)$/i.test(text), token: (text) => /^\w/.test(text), advice: () => 'a comma separates the items of $orderby, write ‹text› asc,‹number› desc' },
  { before: () => true, token: (text) => text === ',', advice: () => joined },
  { before: () => true, token: (text) => text === ';', advice: () => 'a semicolon only separates the options of an item of $expand; conditions are joined with and or or, items with a comma' },
  { before: (text) => /^\(?\w+$/.test(text), token: (text) => text === ':', within: /\/(some|exists|every|each|contains|where)\(\s*\w+\s*$/i, advice: (variable, _, word) => `there is no ${word}, write ${/^e(?:very|ach)$/i.test(word) ? 'all' : 'any'}(${variable}:...)` },
  { before: () => true, token: (text) => text === ':', advice: () => 'a colon follows the variable of any and all, as in ‹related›/any(m:m/‹relatedNumber› eq 1), or separates the parts of case' },
  { before: (text) => /^(?:any|all)$/i.test(text), token: (text) => /^\w/.test(text), advice: (name) => `${name} needs parentheses, write ${name}(x:x/‹relatedNumber› eq 1)` },
  { before: (text) => /^case$/i.test(text), token: (text) => /^\w/.test(text), advice: () => `case is a function of conditions and values, write case(‹text› eq 'x':1,true:2)` },
  { before: (text) => isMethod(text.toLowerCase()), token: (text) => /^['\w]/.test(text), advice: (name, argument) => `${name} is a function, write ${name}(${argument})` },
  { before: (text) => /.\.\w+$/.test(text) && operatorNamed(text.replace(/^.*\./, '')) !== undefined, token: (text) => /^['\w]/.test(text), advice: (name, value) => `an operator needs a space on each side, write ${name.replace('.', ' ')} ${value}` },
];

/** The advice for two adjacent tokens, or undefined. */
export function pairAdvice(before: Token | undefined, token: Token, text: string): string | undefined {
  if (before === undefined) return undefined;
  const [first, second] = [text.slice(before.at, before.end), text.slice(token.at, token.end)];
  for (const { before: isBefore, token: isToken, within, advice } of pairs) {
    if (!isBefore(first) || !isToken(second)) continue;
    const word = within === undefined ? '' : within.exec(text.slice(0, token.at))?.[1];
    if (word !== undefined) return advice(first, second, word);
  }
  return undefined;
}

/** The text of the path or call that ends before the cursor, for advice that quotes it; undefined after anything else. */
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
