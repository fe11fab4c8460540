import type { SearchExpr } from '../../expression/ast.js';
import { expressionHooks } from '../../expression/hooks.js';
import { countNode, current, nested, openCursor, resumeAt, syntaxError, textOffset, type Cursor } from '../../expression/cursor.js';
import { excerpt } from '../../errors/suggest.js';

/** Lets expressions have searches, as in `Media/$count($search=garden)`. */
export function registerSearchSyntax(): void {
  expressionHooks.register({ search: { parse: parseSearch, parseInner: parseInnerSearch, print: printSearch } });
}

/** The value of `$search`, percent-decoded, as a tree (ABNF rule searchExpr). */
export function parseSearch(text: string, option = '$search'): SearchExpr {
  const cursor = openCursor(text, option);
  const incomplete = wholeString(text);
  if (incomplete !== undefined) return { kind: 'term', at: 0, text: incomplete, phrase: true };
  const reader: Reader = { cursor, text, at: 0, inner: false };
  skipSpace(reader);
  const search = parseOr(reader);
  if (reader.at < text.length) throw syntaxError(cursor, reader.at, 'this closing parenthesis has no opening one');
  return search;
}

/** Parses a search within an item or a function: from after the equals sign or parenthesis to the end of the search. */
export function parseInnerSearch(cursor: Cursor): SearchExpr {
  const reader: Reader = { cursor, text: cursor.source.text, at: textOffset(cursor), inner: true };
  skipSpace(reader);
  const search = parseOr(reader);
  resumeAt(cursor, reader.at);
  current(cursor);
  return search;
}

interface Reader {
  readonly cursor: Cursor;
  readonly text: string;
  at: number;
  /** Whether a semicolon or comma may end the search. */
  readonly inner: boolean;
}

// ABNF rule searchExpr-incomplete: incomplete input in single quotes is searched for literally.
function wholeString(text: string): string | undefined {
  return /^'(?:[^']|'')+'$/.test(text) ? text.slice(1, -1).replaceAll(`''`, `'`) : undefined;
}

function parseOr(reader: Reader): SearchExpr {
  return parseChain(reader, 'or', () => parseChain(reader, 'and', () => parsePrimary(reader)));
}

// Adjacent operands without an operator are combined with AND.
function parseChain(reader: Reader, kind: 'and' | 'or', parseOperand: () => SearchExpr): SearchExpr {
  const { at } = reader;
  const first = parseOperand();
  const operands = [first];
  while (takeOperator(reader, kind)) operands.push(parseOperand());
  return operands.length === 1 ? first : { kind, at, operands };
}

function takeOperator(reader: Reader, kind: 'and' | 'or'): boolean {
  if (ends(reader)) return false;
  const or = takeKeyword(reader, 'OR', kind === 'or');
  if (kind === 'or') return or;
  if (or) return false;
  takeKeyword(reader, 'AND', true);
  return true;
}

// AND, OR and NOT are operators only before text that they can apply to (URL conventions 5.1.7).
function takeKeyword(reader: Reader, keyword: string, move: boolean): boolean {
  const { text, at } = reader;
  if (!text.startsWith(keyword, at) || !/[ \t(]/.test(text[at + keyword.length] ?? '')) return false;
  reader.at += keyword.length;
  skipSpace(reader);
  const found = !ends(reader);
  if (!found || !move) reader.at = at;
  return found;
}

function parsePrimary(reader: Reader): SearchExpr {
  const { at, text, cursor } = reader;
  countNode(cursor);
  if (ends(reader))
    throw syntaxError(
      cursor,
      at,
      text[at] === ')' ? 'a word or phrase is missing before the parenthesis' : 'a search word or phrase is missing',
    );
  if (takeKeyword(reader, 'NOT', true)) return { kind: 'not', at, operand: nested(cursor, 'depth', () => parsePrimary(reader)) };
  if (text[at] === '(') return parseParen(reader);
  return text[at] === '"' ? parsePhrase(reader) : parseWord(reader);
}

function parseParen(reader: Reader): SearchExpr {
  const open = reader.at++;
  skipSpace(reader);
  const search = nested(reader.cursor, 'depth', () => parseOr(reader));
  if (reader.text[reader.at] !== ')')
    throw syntaxError(reader.cursor, reader.at, `the parenthesis that opens at position ${open + 1} is not closed`);
  reader.at++;
  finishOperand(reader, 'the parenthesis');
  return search;
}

function parsePhrase(reader: Reader): SearchExpr {
  const { at, text, cursor } = reader;
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) throw syntaxError(cursor, at, 'the phrase that starts here has no closing double quote');
  const phrase = text.slice(at + 1, end).replace(/\\(["\\])/g, '$1');
  if (phrase.trim() === '') throw syntaxError(cursor, at, 'the phrase is empty');
  reader.at = end + 1;
  finishOperand(reader, 'the phrase');
  return { kind: 'term', at, text: phrase, phrase: true };
}

const wordCharacters = /[^ \t()"]*/y;

function parseWord(reader: Reader): SearchExpr {
  const { at, text } = reader;
  wordCharacters.lastIndex = at;
  const run = wordCharacters.exec(text)?.[0] ?? '';
  const word = reader.inner ? run.slice(0, innerEnd(text, at, run)) : run;
  reader.at = at + word.length;
  finishOperand(reader, `'${excerpt(word)}'`);
  return { kind: 'term', at, text: word, phrase: false };
}

// A semicolon ends an inner search only before another option: percent-encoded, it may be part of a word.
function innerEnd(text: string, at: number, run: string): number {
  const separator = /;(?=[ \t]*(?:[$@]?[a-z]\w*[ \t]*=|$))/giy;
  for (let index = run.indexOf(';'); index >= 0; index = run.indexOf(';', index + 1)) {
    separator.lastIndex = at + index;
    if (separator.test(text)) return index;
  }
  return run.length;
}

function finishOperand(reader: Reader, shown: string): void {
  const { at } = reader;
  skipSpace(reader);
  if (reader.at > at || ends(reader)) return;
  throw syntaxError(reader.cursor, at, `a space is missing after ${shown}`);
}

function ends({ text, at, inner }: Reader): boolean {
  return at >= text.length || text[at] === ')' || (inner && text[at] === ';');
}

function skipSpace(reader: Reader): void {
  while (reader.text[reader.at] === ' ' || reader.text[reader.at] === '\t') reader.at++;
}

/** A search as OData text; parsing it gives the tree again. */
export function printSearch(search: SearchExpr): string {
  switch (search.kind) {
    case 'term':
      return search.phrase ? `"${search.text.replace(/["\\]/g, '\\$&')}"` : search.text;
    case 'not':
      return `NOT ${printSearchOperand(search.operand)}`;
    case 'and':
    case 'or':
      return search.operands.map(printSearchOperand).join(` ${search.kind.toUpperCase()} `);
  }
}

function printSearchOperand(search: SearchExpr): string {
  return search.kind === 'and' || search.kind === 'or' ? `(${printSearch(search)})` : printSearch(search);
}
