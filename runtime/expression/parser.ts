import type { BinaryOperator, CommonExpr, LiteralExpr, MemberExpr } from './ast.js';
import type { Cursor, LiteralParameters } from './cursor.js';
import { ahead, countNode, current, isSymbol, nested, openCursor, opensCall, syntaxError, take } from './cursor.js';
import { followsValue, isMisplacedOperator, operandError, operatorError } from './explain.js';
import { operatorNamed, precedences, unaryPrecedence } from './operators.js';
import { parseArrayExpr, parseCaseExpr, parseMethodCallExpr, parseObjectExpr } from './parse-call.js';
import { expectClose, parseListExpr } from './parse-items.js';
import { isMethod } from './methods.js';
import { parseMemberExpr, parseSegments } from './parse-member.js';
import { asIs, withParameter } from './plan-parameter.js';
import type { Token } from './token.js';

/** The value of `$filter`, percent-decoded, as a tree. */
export function parseFilter(text: string, option = '$filter', parameters?: LiteralParameters): CommonExpr {
  const cursor = openCursor(text, option, parameters);
  requireNoLeadingSpace(cursor);
  const expr = parseCommonExpr(cursor);
  expectEnd(cursor);
  return expr;
}

/** ABNF rule commonExpr, up to the first token that cannot continue it. */
export function parseCommonExpr(cursor: Cursor): CommonExpr {
  return parseOperations(cursor, 1);
}

/** The ABNF has no white space before an expression. White space after it is tolerated, because pasted text has it. */
export function requireNoLeadingSpace(cursor: Cursor): void {
  const token = current(cursor);
  if (token.spaced && token.kind !== 'end') throw syntaxError(cursor, 0, 'spaces before the expression are not allowed');
}

/** Rejects text after a complete expression. */
export function expectEnd(cursor: Cursor): void {
  if (current(cursor).kind !== 'end') throw operatorError(cursor);
}

type WordToken = Extract<Token, { kind: 'word' }>;

// Precedence climbing: takes operators that bind at least as tightly as `lowest`, from left to right.
function parseOperations(cursor: Cursor, lowest: number): CommonExpr {
  let left = parseOperand(cursor);
  for (;;) {
    const token = current(cursor);
    const operator = token.kind === 'word' ? operatorNamed(token.name) : undefined;
    if (operator === undefined || precedences[operator] < lowest) return left;
    requireSpaces(cursor, token, operator);
    countNode(cursor);
    cursor.index++;
    left = { kind: 'binary', at: token.at, operator, left, right: parseRightSide(cursor, operator) };
  }
}

function parseRightSide(cursor: Cursor, operator: BinaryOperator): CommonExpr {
  if (operator === 'in' && isSymbol(current(cursor), '(')) return parseListExpr(cursor, parseCommonExpr);
  const next = current(cursor);
  if (operator === 'in' && next.kind === 'literal')
    throw syntaxError(cursor, next.at, `the values of in need parentheses, write ‹text› in ('x','y')`);
  return parseOperations(cursor, precedences[operator] + 1);
}

// ABNF: operators are surrounded by RWS.
function requireSpaces(cursor: Cursor, token: Token, operator: string): void {
  if (!token.spaced) throw syntaxError(cursor, token.at, `a space is missing before ${operator}`);
  const next = ahead(cursor, 1);
  if (!next.spaced && next.kind !== 'end') throw syntaxError(cursor, next.at, `a space is missing after ${operator}`);
}

function parseOperand(cursor: Cursor): CommonExpr {
  const token = current(cursor);
  if (token.kind === 'word') return isNot(cursor, token) ? parseUnaryExpr(cursor, 'not') : parseWordExpr(cursor, token);
  if (token.kind === 'literal') return parsePrimitiveLiteral(cursor, token);
  if (token.kind === 'enum') return parseEnumLiteral(cursor, token);
  if (token.kind !== 'symbol') throw operandError(cursor);
  const rule = symbolRules.get(token.symbol);
  if (rule === undefined) throw operandError(cursor);
  return rule(cursor);
}

/** Operands that begin with a symbol; a new one is a row here. */
const symbolRules: ReadonlyMap<string, (cursor: Cursor) => CommonExpr> = new Map([
  ['(', parseParenExpr],
  ['-', (cursor) => parseUnaryExpr(cursor, '-')],
  ['[', (cursor) => parseArrayExpr(cursor, parseCommonExpr)],
  ['{', (cursor) => parseObjectExpr(cursor, parseCommonExpr)],
]);

function parsePrimitiveLiteral(cursor: Cursor, token: Extract<Token, { kind: 'literal' }>): LiteralExpr {
  cursor.index++;
  countNode(cursor);
  const literal: LiteralExpr = { kind: 'literal', at: token.at, type: token.type, value: token.value };
  const parameter = cursor.parameters?.take(token);
  return parameter === undefined ? literal : withParameter(literal, 'value', { parameter, form: asIs });
}

function parseEnumLiteral(cursor: Cursor, { at, type, value }: Extract<Token, { kind: 'enum' }>): CommonExpr {
  cursor.index++;
  countNode(cursor);
  return { kind: 'enum', at, type, value };
}

function parseParenExpr(cursor: Cursor): CommonExpr {
  const open = take(cursor);
  const expr = nested(cursor, 'depth', () => parseCommonExpr(cursor));
  expectClose(cursor, open);
  return expr;
}

function parseUnaryExpr(cursor: Cursor, operator: '-' | 'not'): CommonExpr {
  const { at } = take(cursor);
  countNode(cursor);
  return { kind: 'unary', at, operator, operand: nested(cursor, 'depth', () => parseOperations(cursor, unaryPrecedence)) };
}

// A property may be called `not`: an operator, a path or the end follows it.
function isNot(cursor: Cursor, { name }: WordToken): boolean {
  if (name.toLowerCase() !== 'not') return false;
  const next = ahead(cursor, 1);
  if (isSymbol(next, '/') || (next.kind === 'word' && isOperatorHere(cursor, next))) return false;
  return name === 'not' || !endsTerm(cursor, next);
}

// A property may be called `and`: a path, another operator or the end follows it.
function isOperatorHere(cursor: Cursor, { name }: WordToken): boolean {
  if (operatorNamed(name) === undefined) return false;
  const next = ahead(cursor, 2);
  return !isSymbol(next, '/') && !isEnd(next) && !(next.kind === 'word' && operatorNamed(next.name) !== undefined);
}

function isEnd(next: Token): boolean {
  return next.kind === 'end' || isSymbol(next, ',') || isSymbol(next, ')');
}

// In lower case it is more likely an operator that lacks its condition.
function endsTerm(cursor: Cursor, next: Token): boolean {
  if (isEnd(next)) return true;
  return next.kind === 'word' && followsValue(cursor, next);
}

/** Literals that are words; a new one is a row here. Numbers are case-sensitive (ABNF rule nanInfinity). */
const wordLiterals: ReadonlyMap<string, Pick<LiteralExpr, 'type' | 'value'>> = new Map<string, Pick<LiteralExpr, 'type' | 'value'>>([
  ['null', { type: 'null', value: 'null' }],
  ['true', { type: 'Edm.Boolean', value: 'true' }],
  ['false', { type: 'Edm.Boolean', value: 'false' }],
  ['INF', { type: 'Edm.Double', value: 'INF' }],
  ['NaN', { type: 'Edm.Double', value: 'NaN' }],
]);

function parseWordExpr(cursor: Cursor, token: WordToken): CommonExpr {
  const next = ahead(cursor, 1);
  const literal = wordLiterals.get(token.name) ?? wordLiterals.get(token.name.toLowerCase());
  if (literal !== undefined && !isNamePath(token, next)) return parseWordLiteral(cursor, token, literal, next);
  if (operatorNamed(token.name) !== undefined && isMisplacedOperator(cursor)) throw operandError(cursor);
  const base = parseBase(cursor, token, next);
  if (base === undefined) return parseMemberExpr(cursor, parseCommonExpr);
  if (!isSymbol(current(cursor), '/')) return base;
  const key = keyOf(base, token);
  return parseSegments(cursor, key ?? { kind: 'member', at: base.at, path: [], base }, parseCommonExpr);
}

// A call that is no method, followed by a path, is a collection with a key: `Media('1')/Order`.
function keyOf(base: NonNullable<MemberExpr['base']>, { name, at }: WordToken): MemberExpr | undefined {
  if (base.kind !== 'methodCall' || isMethod(base.method)) return undefined;
  const [value] = base.arguments;
  if (value === undefined || base.arguments.length > 1) return undefined;
  return { kind: 'member', at, path: [{ name, at, parentheses: { kind: 'single', value } }] };
}

// The standard's words are in lower case; with capitals they may be names, and only a name begins a path.
function isNamePath({ name }: WordToken, next: Token): boolean {
  return !wordLiterals.has(name) && isSymbol(next, '/');
}

function parseWordLiteral(cursor: Cursor, token: WordToken, literal: Pick<LiteralExpr, 'type' | 'value'>, next: Token): LiteralExpr {
  if (isSymbol(next, '/') || isSymbol(next, '('))
    throw syntaxError(cursor, next.at, `${token.name} is a value and cannot be used as a name; compare with it: ‹text› eq null`);
  cursor.index++;
  countNode(cursor);
  return { kind: 'literal', at: token.at, ...literal, ...(!wordLiterals.has(token.name) && { word: token.name }) };
}

// A term that is no literal or path: a method, `case`, or a parameter alias. With a dot or a qualifier it is an annotation.
function parseBase(cursor: Cursor, token: WordToken, next: Token): MemberExpr['base'] {
  if (/^@[^.#]+$/.test(token.name) && !opensCall(next)) return parseAlias(cursor, token);
  if (!opensCall(next) || isModelFunction(cursor, token)) return undefined;
  if (token.name.toLowerCase() === 'case') return parseCaseExpr(cursor, token, parseCommonExpr);
  return parseMethodCallExpr(cursor, token, parseCommonExpr);
}

function parseAlias(cursor: Cursor, { at, name }: WordToken): MemberExpr['base'] {
  cursor.index++;
  countNode(cursor);
  return { kind: 'alias', at, name };
}

// The methods of OData have no named parameters, and only those of `geo` have a dot in their names.
function isModelFunction(cursor: Cursor, { name }: WordToken): boolean {
  if (/^[$@]/.test(name)) return true;
  const [first, second] = [ahead(cursor, 2), ahead(cursor, 3)];
  if (first.kind === 'word' && isSymbol(second, '=')) return true;
  return name.includes('.') && !/^geo\./i.test(name) && isSymbol(first, ')');
}
