import { errors } from '../errors/catalogue.js';
import { plainLiteralAdvice } from './literal-advice.js';
import { canonicalLiteral, plainLiterals, quotedLiterals, retiredLiterals } from './literals.js';
import { expressionLimits } from './limits.js';
import { operatorNamed } from './operators.js';
import { excerpt } from './quote.js';
import type { Scan, Source, Token } from './token.js';

/** The value of a query option as tokens, in one pass; a fault ends them and is thrown by whoever reaches it. */
export function tokenize(source: Source): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    const start = skipSpace(source.text, at);
    const token: Token = { ...scan(source, start), at: start, spaced: start > at };
    tokens.push(token);
    if (token.kind === 'end' || token.kind === 'fault') return tokens;
    at = token.end;
  }
}

type Rule = (source: Source, at: number) => Scan | undefined;

/** The lexical rules in the order in which they are tried. */
const rules: readonly Rule[] = [scanEnd, scanString, scanGuid, scanPlainLiteral, scanWord, scanSymbol];

// Sticky patterns of single classes: each character is looked at a bounded number of times.
const guid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\w-])/iy;
const plain = /[-+]?\d[\w.:+-]*/y;
const infinity = /-INF(?!\w)/y;
const spaceOffset = / \d\d:\d\d(?![\w:])/y;
const dateTimeStart = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d[\d:.]*$/i;
const word = /[$@]?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*)*/uy;

/** Longest first. Many are no OData at all, and are tokens so that the parser can say what is. */
const symbols = ['==', '!=', '<>', '<=', '>=', '&&', '||', ...`()[]{},/:;=-*<>!+%&|"\`‘’“”.#?~^\\`] as const;

function scan(source: Source, at: number): Scan {
  for (const rule of rules) {
    const found = rule(source, at);
    if (found) return found;
  }
  const code = source.text.codePointAt(at) ?? 0;
  return fault(source, at, `the character U+${code.toString(16).toUpperCase().padStart(4, '0')} has no meaning here`);
}

function scanEnd({ text }: Source, at: number): Scan | undefined {
  return at === text.length ? { kind: 'end', end: at } : undefined;
}

function scanString(source: Source, at: number): Scan | undefined {
  const quoted = readQuoted(source.text, at);
  if (quoted === undefined) return undefined;
  if (quoted === 'unclosed') return fault(source, at, 'the string that begins here has no closing quote');
  const next = match(word, source.text, quoted.end) ?? match(plain, source.text, quoted.end);
  if (next === undefined) return { kind: 'literal', end: quoted.end, type: 'Edm.String', value: quoted.value };
  if (operatorNamed(next)) return fault(source, quoted.end, `a space is missing before ${next}`);
  const written = source.text.slice(at + 1, quoted.end - 1);
  return fault(source, quoted.end - 1, `a quote inside a string is doubled, write ${excerpt(`${written}''${next}`)}`);
}

function readQuoted(text: string, at: number): { value: string; end: number } | 'unclosed' | undefined {
  if (text[at] !== `'`) return undefined;
  const parts: string[] = [];
  for (let start = at + 1; ; ) {
    const close = text.indexOf(`'`, start);
    if (close < 0) return 'unclosed';
    parts.push(text.slice(start, close));
    if (text[close + 1] !== `'`) return { value: parts.join(`'`), end: close + 1 };
    start = close + 2;
  }
}

function scanGuid({ text }: Source, at: number): Scan | undefined {
  const found = match(guid, text, at);
  return found === undefined ? undefined : { kind: 'literal', end: at + found.length, type: 'Edm.Guid', value: found.toLowerCase() };
}

function scanPlainLiteral(source: Source, at: number): Scan | undefined {
  if (match(infinity, source.text, at)) return { kind: 'literal', end: at + 4, type: 'Edm.Double', value: '-INF' };
  const run = match(plain, source.text, at);
  if (run === undefined) return undefined;
  const text = withSpaceOffset(run, source.text, at + run.length);
  const form = plainLiterals.find(({ pattern }) => pattern.test(text));
  if (form === undefined) return fault(source, at, plainLiteralAdvice(text));
  const why = form.fault?.(text);
  if (why !== undefined) return fault(source, at, why);
  const type = form.type(text);
  return { kind: 'literal', end: at + text.length, type, value: canonicalLiteral(text, type) };
}

// A plus sign that was not percent-encoded arrives as a space (2024-01-01T00:00:00+01:00).
function withSpaceOffset(run: string, text: string, end: number): string {
  const offset = dateTimeStart.test(run) ? match(spaceOffset, text, end) : undefined;
  return offset === undefined ? run : `${run}+${offset.trim()}`;
}

function scanWord(source: Source, at: number): Scan | undefined {
  const name = match(word, source.text, at);
  if (name === undefined) return undefined;
  const end = at + name.length;
  if (source.text[end] === `'`) return scanQuotedLiteral(source, at, name, end);
  if (name.split('.').some((part) => part.length > expressionLimits.identifierLength)) {
    return fault(source, at, `a name has at most ${expressionLimits.identifierLength} characters`);
  }
  return { kind: 'word', end, name };
}

function scanQuotedLiteral(source: Source, at: number, name: string, quote: number): Scan {
  const form = quotedLiterals.get(name.toLowerCase());
  if (form === undefined) return unknownPrefix(source, at, name, quote);
  const quoted = readQuoted(source.text, quote);
  if (quoted === undefined || quoted === 'unclosed') return fault(source, quote, 'the literal that begins here has no closing quote');
  if (!form.pattern.test(quoted.value)) return fault(source, at, `${excerpt(source.text.slice(at, quoted.end))} cannot be read, write for example ${form.example}`);
  return { kind: 'literal', end: quoted.end, type: form.type, value: form.canonical(quoted.value) };
}

function unknownPrefix(source: Source, at: number, name: string, quote: number): Scan {
  const shown = excerpt(name);
  if (operatorNamed(name)) return fault(source, quote, `a space is missing after ${shown}`);
  const now = retiredLiterals.get(name.toLowerCase());
  if (now !== undefined) return fault(source, at, `${shown}'...' is no literal of OData 4, write ${now}`);
  if (!name.includes('.')) return fault(source, quote, `an operator is missing between ${shown} and the string`);
  return { kind: 'fault', end: quote, error: errors.notImplemented(`The enumeration literal ${shown}'...'`).at(source.option) };
}

function scanSymbol({ text }: Source, at: number): Scan | undefined {
  const symbol = symbols.find((candidate) => text.startsWith(candidate, at));
  return symbol === undefined ? undefined : { kind: 'symbol', end: at + symbol.length, symbol };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function fault({ option }: Source, at: number, expected: string): Scan {
  return { kind: 'fault', end: at, error: errors.syntax(option, at, expected).at(option) };
}
