import { errors } from '../errors/catalogue.js';
import type { ODataError } from '../errors/odata-error.js';
import { type Lexer, openLexer, tokenAt } from './lexer.js';
import type { PlanParameter } from './plan-parameter.js';
import { expressionLimits, type Source, type Token } from './token.js';

/** The position of a parser in its tokens, with the counts of what is limited. */
export interface Cursor {
  readonly source: Source;
  readonly lexer: Lexer;
  index: number;
  nodes: number;
  readonly levels: { depth: number; functionDepth: number; lambdaDepth: number };
  readonly parameters: LiteralParameters | undefined;
}

/** The parameters of an option's literals, where its plan is kept for other literals. */
export interface LiteralParameters {
  /** Takes the parameter of the literal from `at` to `end`. */
  readonly take: (literal: Extract<Token, { kind: 'literal' }>) => PlanParameter | undefined;
}

/** A cursor before the first token of an option's value. */
export function openCursor(text: string, option: string, parameters?: LiteralParameters): Cursor {
  const source = { text, option };
  return { source, lexer: openLexer(source), index: 0, nodes: 0, levels: { depth: 0, functionDepth: 0, lambdaDepth: 0 }, parameters };
}

/** The token under the cursor; throws for an unreadable one, so that the first fault in the text is reported. */
export function current(cursor: Cursor): Token {
  const token = ahead(cursor, 0);
  if (token.kind === 'fault') throw token.error;
  return token;
}

/** The token a number of places further on, the last one when there are fewer. */
export function ahead(cursor: Cursor, places: number): Token {
  return tokenAt(cursor.lexer, cursor.index + places);
}

/** The offset after the last token taken; the next token must not have been read. */
export function textOffset({ lexer, index }: Cursor): number {
  if (lexer.tokens.length > index) throw errors.internal();
  return lexer.at;
}

/** Continues after text that was read without tokens. */
export function resumeAt({ lexer }: Cursor, offset: number): void {
  lexer.at = offset;
}

/** The token under the cursor, which moves on. */
export function take(cursor: Cursor): Token {
  const token = current(cursor);
  if (token.kind !== 'end') cursor.index++;
  return token;
}

/** Whether a token is this symbol. */
export function isSymbol(token: Token, symbol: string): boolean {
  return token.kind === 'symbol' && token.symbol === symbol;
}

/** Moves over a symbol if it is next. */
export function takeSymbol(cursor: Cursor, symbol: string): boolean {
  const found = isSymbol(current(cursor), symbol);
  if (found) cursor.index++;
  return found;
}

/** Moves over a required symbol. */
export function expectSymbol(cursor: Cursor, symbol: string, expected: string): void {
  if (!takeSymbol(cursor, symbol)) throw syntaxError(cursor, current(cursor).at, expected);
}

/** Whether the token is a parenthesis attached to the name before it: `name(`, without a space. */
export function opensCall(token: Token): boolean {
  return isSymbol(token, '(') && !token.spaced;
}

/** A syntax error in the option that is being read. */
export function syntaxError({ source }: Cursor, at: number, expected: string): ODataError {
  const [encoded] = /^%[\da-f]{2}/i.exec(source.text.slice(at, at + 3)) ?? [];
  const reason =
    encoded === undefined ? expected : `'${encoded}' remains of a text that is percent-encoded twice; a remainder is written mod`;
  return errors.syntax(source.option, at, reason).at(source.option).in({ at, option: source.option });
}

/** Counts one operand or operator. */
export function countNode(cursor: Cursor): void {
  cursor.nodes++;
  if (cursor.nodes > expressionLimits.nodes) {
    throw limitError(cursor, `${cursor.source.option} has more than ${expressionLimits.nodes} operands and operators; split the request.`);
  }
}

const levelNames = {
  depth: 'Parentheses, functions and signs',
  functionDepth: 'Functions',
  lambdaDepth: 'any and all',
} as const;

/** Runs a rule one level deeper; throws before the recursion gets too deep. */
export function nested<Result>(cursor: Cursor, level: keyof Cursor['levels'], rule: () => Result): Result {
  const limit = expressionLimits[level];
  if (cursor.levels[level] >= limit) {
    throw limitError(cursor, `${levelNames[level]} in ${cursor.source.option} are nested more than ${limit} levels deep.`);
  }
  cursor.levels[level]++;
  const result = rule();
  cursor.levels[level]--;
  return result;
}

/** The error for an exceeded limit of the option. */
export function limitError({ source }: Cursor, why: string): ODataError {
  return errors.limitExceeded(why).at(source.option);
}

/** Moves over a word such as `as` or `with`, if it follows with a space on each side. */
export function takeWord(cursor: Cursor, word: string): boolean {
  const token = current(cursor);
  if (token.kind !== 'word' || token.name.toLowerCase() !== word) return false;
  if (!token.spaced) throw syntaxError(cursor, token.at, `a space is missing before ${word}`);
  take(cursor);
  return true;
}
