import type { CommonExpr, BinaryOperator, LiteralExpr, MethodCallExpr } from './ast.js';
import {
  ahead, countNode, current, expectSymbol, isSymbol, limitError, nested, notOffered, openCursor, opensCall, syntaxError, take, takeSymbol,
  type Cursor,
} from './cursor.js';
import { isMisplacedOperator, operandError, operatorError } from './explain.js';
import { expressionLimits } from './limits.js';
import { operatorNamed, precedences, unaryPrecedence } from './operators.js';
import { parseMemberExpr } from './parse-member.js';
import type { Token } from './token.js';

/** The value of `$filter`, percent-decoded, as a tree. */
export function parseFilter(text: string, option = '$filter'): CommonExpr {
  const cursor = openCursor(text, option);
  requireNoLeadingSpace(cursor);
  const expr = parseCommonExpr(cursor);
  expectEnd(cursor);
  return expr;
}

/** ABNF rule commonExpr: everything up to what cannot go on an expression. */
export function parseCommonExpr(cursor: Cursor): CommonExpr {
  return parseOperations(cursor, 1);
}

/** The ABNF has no white space in front of an expression; behind it we are lenient, because it comes with copying. */
export function requireNoLeadingSpace(cursor: Cursor): void {
  const token = current(cursor);
  if (token.spaced && token.kind !== 'end') throw syntaxError(cursor, 0, 'no space may stand in front');
}

/** Refuses whatever stands behind a complete expression. */
export function expectEnd(cursor: Cursor): void {
  if (current(cursor).kind !== 'end') throw operatorError(cursor);
}

type WordToken = Extract<Token, { kind: 'word' }>;

// Precedence climbing: operators that bind at least as tightly as `lowest` are taken here, from left to right.
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
  if (operator === 'in' && isSymbol(current(cursor), '(')) return parseListExpr(cursor);
  return parseOperations(cursor, precedences[operator] + 1);
}

// ABNF: operators stand between two RWS.
function requireSpaces(cursor: Cursor, token: Token, operator: string): void {
  if (!token.spaced) throw syntaxError(cursor, token.at, `a space is missing before ${operator}`);
  const next = ahead(cursor, 1);
  if (!next.spaced && next.kind !== 'end') throw syntaxError(cursor, next.at, `a space is missing after ${operator}`);
}

function parseOperand(cursor: Cursor): CommonExpr {
  const token = current(cursor);
  if (token.kind === 'word') return isNot(cursor, token) ? parseNotExpr(cursor) : parseWordExpr(cursor, token);
  if (token.kind === 'literal') return parsePrimitiveLiteral(cursor, token);
  if (token.kind !== 'symbol') throw operandError(cursor);
  const rule = symbolRules.get(token.symbol);
  if (rule === undefined) throw operandError(cursor);
  return rule(cursor);
}

/** Operands that begin with a symbol; a new one is a row here. */
const symbolRules: ReadonlyMap<string, (cursor: Cursor) => CommonExpr> = new Map([
  ['(', parseParenExpr],
  ['-', parseNegateExpr],
  ['[', refuseJson],
  ['{', refuseJson],
]);

function parsePrimitiveLiteral(cursor: Cursor, token: Extract<Token, { kind: 'literal' }>): LiteralExpr {
  cursor.index++;
  countNode(cursor);
  return { kind: 'literal', at: token.at, type: token.type, value: token.value };
}

function parseParenExpr(cursor: Cursor): CommonExpr {
  const open = take(cursor);
  const expr = nested(cursor, 'depth', () => parseCommonExpr(cursor));
  expectClose(cursor, open);
  return expr;
}

function parseNegateExpr(cursor: Cursor): CommonExpr {
  const { at } = take(cursor);
  countNode(cursor);
  const operand = nested(cursor, 'depth', () => parseOperations(cursor, unaryPrecedence));
  return { kind: 'unary', at, operator: '-', operand };
}

function parseNotExpr(cursor: Cursor): CommonExpr {
  const { at } = take(cursor);
  countNode(cursor);
  const operand = nested(cursor, 'depth', () => parseOperations(cursor, unaryPrecedence));
  return { kind: 'unary', at, operator: 'not', operand };
}

// A property may be called not: then an operator or a path follows it.
function isNot(cursor: Cursor, { name }: WordToken): boolean {
  if (name.toLowerCase() !== 'not') return false;
  const next = ahead(cursor, 1);
  return !isSymbol(next, '/') && !(next.kind === 'word' && operatorNamed(next.name) !== undefined);
}

function refuseJson(cursor: Cursor): never {
  throw notOffered(cursor, 'A JSON array or object in an expression');
}

/** Literals that are words; a new one is a row here. The numbers are told apart by case (ABNF rule nanInfinity). */
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
  if (literal !== undefined) return parseWordLiteral(cursor, token, literal, next);
  if (isMisplacedOperator(cursor)) throw operandError(cursor);
  refuseUnoffered(cursor, token);
  if (opensCall(next)) return parseMethodCallExpr(cursor, token);
  return parseMemberExpr(cursor, parseCommonExpr);
}

function parseWordLiteral(cursor: Cursor, token: WordToken, literal: Pick<LiteralExpr, 'type' | 'value'>, next: Token): LiteralExpr {
  if (isSymbol(next, '/') || isSymbol(next, '(')) throw syntaxError(cursor, next.at, `${token.name} is a value and cannot be used as a name; compare with it: City eq null`);
  cursor.index++;
  countNode(cursor);
  return { kind: 'literal', at: token.at, ...literal };
}

function refuseUnoffered(cursor: Cursor, { name }: WordToken): void {
  if (name.startsWith('@')) throw notOffered(cursor, `The parameter alias or annotation ${name}`);
  if (name === '$root' || name === '$this') throw notOffered(cursor, `${name} in an expression`);
}

function parseMethodCallExpr(cursor: Cursor, { name, at }: WordToken): MethodCallExpr {
  const method = name.toLowerCase();
  if (method === 'any' || method === 'all') {
    throw syntaxError(cursor, at, `${method} needs a collection before it, write Collection/${method}(x:x eq 'value')`);
  }
  countNode(cursor);
  cursor.index++;
  const open = take(cursor);
  if (method.includes('.') && isSymbol(ahead(cursor, 1), '=')) throw notOffered(cursor, `The function ${name} with named parameters`);
  const typed = method === 'cast' || method === 'isof';
  const parse = typed ? parseTypedArgument : parseCommonExpr;
  const parsed = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseItems(cursor, open, parse)));
  if (isSymbol(current(cursor), '/')) throw notOffered(cursor, 'A path behind a function');
  return { kind: 'methodCall', at, method, arguments: parsed };
}

// Type names are not quoted, and a qualified name that ends an argument is nothing else (ABNF rules castExpr, isofExpr).
function parseTypedArgument(cursor: Cursor): CommonExpr {
  const token = current(cursor);
  const next = ahead(cursor, 1);
  if (token.kind !== 'word' || !token.name.includes('.') || !(isSymbol(next, ',') || isSymbol(next, ')'))) return parseCommonExpr(cursor);
  cursor.index++;
  countNode(cursor);
  return { kind: 'type', at: token.at, name: token.name };
}

function parseListExpr(cursor: Cursor): CommonExpr {
  const open = take(cursor);
  let count = 0;
  const items = nested(cursor, 'depth', () => parseItems(cursor, open, () => {
    if (++count > expressionLimits.listItems) {
      throw limitError(cursor, `A list in ${cursor.source.option} has more than ${expressionLimits.listItems} items.`);
    }
    return parseListItem(cursor);
  }));
  countNode(cursor);
  return { kind: 'list', at: open.at, items };
}

// The values of a list have a limit of their own and do not count as operands.
function parseListItem(cursor: Cursor): CommonExpr {
  const nodes = cursor.nodes;
  const item = parseCommonExpr(cursor);
  if (item.kind === 'literal') cursor.nodes = nodes;
  return item;
}

function parseItems(cursor: Cursor, open: Token, parse: (cursor: Cursor) => CommonExpr): readonly CommonExpr[] {
  if (takeSymbol(cursor, ')')) return [];
  const items = [parse(cursor)];
  while (takeSymbol(cursor, ',')) items.push(parse(cursor));
  expectClose(cursor, open);
  return items;
}

function expectClose(cursor: Cursor, open: Token): void {
  const token = current(cursor);
  if (token.kind !== 'end' && !isSymbol(token, ')')) throw operatorError(cursor);
  expectSymbol(cursor, ')', `the parenthesis that opens at position ${open.at + 1} is not closed`);
}
