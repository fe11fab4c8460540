import { errors } from '../errors/catalogue.js';
import type { LiteralForm } from './literals.js';
import { canonicalLiteral, enumFault, plainLiteralAdvice, plainLiterals, quotedLiterals, retiredLiterals } from './literals.js';
import { operatorNamed } from './operators.js';
import { excerpt } from '../errors/suggest.js';
import { expressionLimits, type Scan, type Source, type Token } from './token.js';
import { identifier } from '../edm/identifier.js';

/** The value of a query option and the tokens read so far; a fault ends the tokens and is thrown by the parser that reaches it. */
export interface Lexer {
  readonly source: Source;
  readonly tokens: Token[];
  /** The offset after the last token. */
  at: number;
  /** The kinds of the open brackets, the innermost last. */
  readonly open: Opening[];
}

// JSON strings may have double quotes; within `case` a colon ends a number.
type Opening = 'json' | 'case' | 'other';

/** A lexer before the first token; tokens are read on demand, because words of `$search` are no tokens. */
export function openLexer(source: Source): Lexer {
  return { source, tokens: [], at: 0, open: [] };
}

/** The token at an index, or the last one. */
export function tokenAt(lexer: Lexer, index: number): Token {
  const { tokens } = lexer;
  for (let last = tokens.at(-1); tokens.length <= index && last?.kind !== 'end' && last?.kind !== 'fault'; last = tokens.at(-1))
    readToken(lexer);
  const token = tokens[Math.min(index, tokens.length - 1)];
  if (token === undefined) throw errors.internal();
  return token;
}

/** A literal that is the whole text, or undefined. */
export function readLiteral(text: string): Extract<Scan, { kind: 'literal' }> | undefined {
  const found = scan({ text, option: '' }, 0, undefined);
  return found.kind === 'literal' && found.end === text.length ? found : undefined;
}

function readToken(lexer: Lexer): void {
  const { source, tokens, at, open } = lexer;
  const start = skipSpace(source.text, at);
  // Spreading takes ten times as long, since scans have many shapes.
  const token: Token = Object.assign(scan(source, start, open.at(-1)), { at: start, spaced: start > at });
  if (token.kind === 'symbol') noteBracket(open, token.symbol, tokens.at(-1));
  tokens.push(token);
  lexer.at = token.end;
}

function noteBracket(open: Opening[], symbol: string, before: Token | undefined): void {
  if (symbol === '[' || symbol === '{') open.push('json');
  else if (symbol === '(') open.push(before?.kind === 'word' && before.name.toLowerCase() === 'case' ? 'case' : 'other');
  else if (symbol === ']' || symbol === '}' || symbol === ')') open.pop();
}

type Rule = (source: Source, at: number, inside: Opening | undefined) => Scan | undefined;

/** The lexical rules in the order in which they are tried. */
const rules: readonly Rule[] = [scanString, scanJsonString, scanGuid, scanPlainLiteral, scanWord, scanSymbol];

// Sticky patterns of single classes: the cost of each character is bounded.
const guid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\w-])/iy;
const plain = /[-+]?\d[\w.:+-]*/y;
const infinity = /-INF(?!\w)/y;
const spaceOffset = / \d\d:\d\d(?![\w:])/y;
const mantissa = /^[-+]?\d+(?:\.\d+)?e$/i;
const spaceExponent = / \d+(?![\w.:])/y;
const dateTimeStart = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d[\d:.]*$/i;
// Nearly every name; before a letter of another alphabet the full pattern is tried.
const plainWord = /[$@]?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?![\w\u0080-\uffff]|\.[A-Za-z_\u0080-\uffff])/y;
const word = new RegExp(`[$@]?${identifier}(?:\\.${identifier})*`, 'uy');
const qualifier = new RegExp(`#${identifier}`, 'uy');

/** Symbols of one or two characters. Many are not OData; they are tokens so that the parser can explain them. */
const symbols: ReadonlyMap<string, string> = new Map(
  ['==', '=~', '!=', '<>', '<=', '>=', '&&', '||', ...`()[]{},/:;=-*<>!+%&|"\`‘’“”.#?~^\\`].map((symbol) => [symbol, symbol]),
);

function scan(source: Source, at: number, inside: Opening | undefined): Scan {
  if (at === source.text.length) return { kind: 'end', end: at };
  for (const rule of rules) {
    const found = rule(source, at, inside);
    if (found) return found;
  }
  const code = source.text.codePointAt(at) ?? 0;
  return fault(
    source,
    at,
    `the character ${characterOf(code)} has no meaning here${isSpace(code) ? '; it looks like a space, write a plain one' : ''}${source.text.slice(at, at + 2).match(/^[$€£¥]\d/) ? '; a number has no currency sign' : ''}`,
  );
}

function scanString(source: Source, at: number): Scan | undefined {
  const quoted = readQuoted(source.text, at);
  if (quoted === undefined) return undefined;
  if (quoted === 'unclosed')
    return fault(
      source,
      at,
      `the string that starts here has no closing quote, write 'text'; in a URL write %26 for an & within it, and %23 for a #`,
    );
  const next = match(word, source.text, quoted.end) ?? match(plain, source.text, quoted.end);
  if (next === undefined) return { kind: 'literal', end: quoted.end, type: 'Edm.String', value: quoted.value };
  if (operatorNamed(next)) return fault(source, quoted.end, `a space is missing before ${next}`);
  const written = source.text.slice(at + 1, quoted.end - 1);
  return fault(source, quoted.end - 1, `a quote inside a string is doubled, write ${excerpt(`${written}''${next}`)}`);
}

function readQuoted(text: string, at: number): { value: string; end: number } | 'unclosed' | undefined {
  if (text[at] !== `'`) return undefined;
  const parts: string[] = [];
  for (let start = at + 1; ;) {
    const close = text.indexOf(`'`, start);
    if (close < 0) return 'unclosed';
    parts.push(text.slice(start, close));
    if (text[close + 1] !== `'`) return { value: parts.join(`'`), end: close + 1 };
    start = close + 2;
  }
}

// A string ends at the first double quote after an even number of backslashes; JSON.parse checks the rest.
function scanJsonString(source: Source, at: number, inside: Opening | undefined): Scan | undefined {
  if (inside !== 'json' || source.text[at] !== '"') return undefined;
  let end = at + 1;
  while (end < source.text.length && source.text[end] !== '"') end += source.text[end] === '\\' ? 2 : 1;
  if (end >= source.text.length) return fault(source, at, 'the string that starts here has no closing double quote');
  const value = readJsonString(source.text.slice(at, end + 1));
  return value === undefined ? fault(source, at, 'this is not a JSON string') : { kind: 'json', end: end + 1, value };
}

function readJsonString(text: string): string | undefined {
  try {
    return JSON.parse(text) as string; // The text is quoted, so it is a string or invalid.
  } catch {
    return undefined; // An escape that JSON does not have; JSON.parse can only throw.
  }
}

function scanGuid({ text }: Source, at: number): Scan | undefined {
  if (text[at + 8] !== '-') return undefined;
  const found = match(guid, text, at);
  return found === undefined ? undefined : { kind: 'literal', end: at + found.length, type: 'Edm.Guid', value: found.toLowerCase() };
}

function scanPlainLiteral(source: Source, at: number, inside: Opening | undefined): Scan | undefined {
  if (source.text[at] === '-' && match(infinity, source.text, at))
    return { kind: 'literal', end: at + 4, type: 'Edm.Double', value: '-INF' };
  const run = match(plain, source.text, at);
  if (run === undefined) return undefined;
  const text = inside === 'case' ? beforeColon(run) : withSpacedPlus(run, source.text, at + run.length);
  const form = formOf(text);
  if (form === undefined) return fault(source, at, plainLiteralAdvice(text));
  const why = form.fault?.(text);
  if (why !== undefined) return fault(source, at, why);
  const type = form.type(text);
  return { kind: 'literal', end: at + text.length, type, value: canonicalLiteral(text, type) };
}

function formOf(text: string): LiteralForm | undefined {
  return plainLiterals.find(({ pattern }) => pattern.test(text));
}

// The colon of a branch may follow its condition directly: the longest literal before a colon is taken.
function beforeColon(run: string): string {
  if (run.length > longestCut) return run;
  for (let end = run.length; end > 0; end = run.lastIndexOf(':', end - 1)) {
    if (formOf(run.slice(0, end))) return run.slice(0, end);
  }
  return run;
}

/** No literal that contains a colon is longer. */
const longestCut = 64;

// A plus sign that was not percent-encoded arrives as a space (2024-01-01T00:00:00+01:00, 1e+3).
function withSpacedPlus(run: string, text: string, end: number): string {
  const rest = dateTimeStart.test(run) ? match(spaceOffset, text, end) : mantissa.test(run) ? match(spaceExponent, text, end) : undefined;
  return rest === undefined ? run : `${run}+${rest.trim()}`;
}

function scanWord(source: Source, at: number): Scan | undefined {
  const name = match(plainWord, source.text, at) ?? match(word, source.text, at);
  if (name === undefined) return undefined;
  const end = at + name.length;
  if (source.text[end] === `'`) return scanQuotedLiteral(source, at, name, end);
  if (name.length > expressionLimits.identifierLength && name.split('.').some((part) => part.length > expressionLimits.identifierLength)) {
    return fault(source, at, `a name has at most ${expressionLimits.identifierLength} characters`);
  }
  const term = name.startsWith('@') ? (match(qualifier, source.text, end) ?? '') : '';
  return { kind: 'word', end: end + term.length, name: name + term };
}

function scanQuotedLiteral(source: Source, at: number, name: string, quote: number): Scan {
  const form = quotedLiterals.get(name.toLowerCase());
  if (form === undefined) return scanEnum(source, at, name, quote);
  const quoted = readQuoted(source.text, quote);
  if (quoted === undefined || quoted === 'unclosed') return fault(source, quote, 'the literal that starts here has no closing quote');
  if (!form.pattern.test(quoted.value))
    return fault(source, at, `${excerpt(source.text.slice(at, quoted.end))} is malformed, write for example ${form.example}`);
  return { kind: 'literal', end: quoted.end, type: form.type, value: form.canonical(quoted.value) };
}

// Only a qualified name can be that of an enumeration (ABNF rule enumLiteral).
function scanEnum(source: Source, at: number, name: string, quote: number): Scan {
  if (!name.includes('.') || /^[$@]/.test(name)) return unknownPrefix(source, at, name, quote);
  const quoted = readQuoted(source.text, quote);
  if (quoted === undefined || quoted === 'unclosed') return fault(source, quote, 'the literal that starts here has no closing quote');
  const why = enumFault(quoted.value, name);
  return why === undefined ? { kind: 'enum', end: quoted.end, type: name, value: quoted.value } : fault(source, at, why);
}

function unknownPrefix(source: Source, at: number, name: string, quote: number): Scan {
  const shown = excerpt(name);
  if (operatorNamed(name)) return fault(source, quote, `a space is missing after ${shown}`);
  const now = retiredLiterals.get(name.toLowerCase());
  if (now !== undefined) return fault(source, at, `${shown}'...' is not a literal of OData 4, write ${now}`);
  return fault(source, quote, `an operator is missing between ${shown} and the string`);
}

function scanSymbol({ text }: Source, at: number): Scan | undefined {
  const symbol = symbols.get(text.slice(at, at + 2)) ?? symbols.get(text[at] ?? '');
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
  return { kind: 'fault', end: at, error: errors.syntax(option, at, expected).at(option).in({ at, option }) };
}

// An invisible character is given by its code point.
function characterOf(code: number): string {
  return code > 0x20 && code < 0x7f ? `'${String.fromCodePoint(code)}'` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

// Pasted text may contain spaces other than U+0020.
function isSpace(code: number): boolean {
  return /[\p{Zs}\u200b\ufeff]/u.test(String.fromCodePoint(code));
}
