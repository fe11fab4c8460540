import { errors } from '../errors/catalogue.js';
import type { CommonExpr, MemberExpr } from '../expression/ast.js';
import { countNode, current, type Cursor, isSymbol, syntaxError, take, takeWord } from '../expression/cursor.js';
import { describeToken, operatorError } from '../expression/explain.js';
import { parseList } from '../expression/parse-items.js';
import { parseCommonExpr } from '../expression/parser.js';
import { excerpt } from '../errors/suggest.js';
import { type ComputeItem, type OrderbyItem, uriLimits } from './query-options.js';

/** ABNF rule orderby after its equals sign: expressions of every kind, ascending unless followed by `desc`. */
export function parseOrderby(cursor: Cursor): readonly OrderbyItem[] {
  return parseList(cursor, 'orderby', uriLimits.orderby, parseOrderbyItem);
}

function parseOrderbyItem(cursor: Cursor): OrderbyItem {
  const expression = parseCommonExpr(cursor);
  const token = current(cursor);
  if (isSymbol(token, ':')) throw syntaxError(cursor, token.at, 'a space separates a value and its direction, write ‹number› desc');
  if (token.kind !== 'word') return { expression, descending: false };
  const direction = token.name.toLowerCase();
  if (direction === 'nulls')
    throw syntaxError(cursor, token.at, 'null is the lowest value; to have it last write $orderby=‹number› eq null,‹number›');
  if (/^(?:a|de)scending$/.test(direction)) throw syntaxError(cursor, token.at, `write ${direction.startsWith('a') ? 'asc' : 'desc'}`);
  const isKnown = direction === 'asc' || direction === 'desc';
  // A direction followed by another direction is a property of that name.
  if (isDirection(expression) && !isKnown)
    throw syntaxError(
      cursor,
      expression.at,
      `${expression.path[0]?.name ?? ''} follows its value, write ${describeToken(cursor, token)} ${expression.path[0]?.name ?? ''}`,
    );
  if (!isKnown) throw syntaxError(cursor, token.at, `asc, desc, a comma or the end is expected, not ${describeToken(cursor, token)}`);
  take(cursor);
  return { expression, descending: direction === 'desc' };
}

function isDirection(expression: CommonExpr): expression is MemberExpr {
  return expression.kind === 'member' && expression.path.length === 1 && /^(?:asc|desc)$/i.test(expression.path[0]?.name ?? '');
}

/** ABNF rule compute after its equals sign: expressions with the names of their values. */
export function parseCompute(cursor: Cursor): readonly ComputeItem[] {
  return parseList(cursor, 'compute', uriLimits.compute, parseComputeItem);
}

function parseComputeItem(cursor: Cursor): ComputeItem {
  const expression = parseCommonExpr(cursor);
  const token = current(cursor);
  if (!takeWord(cursor, 'as')) {
    if (isSymbol(token, '=')) throw syntaxError(cursor, token.at, 'the alias follows its value, write ‹number› mul 2 as Double');
    if (token.kind !== 'end' && !isSymbol(token, ',') && !isSymbol(token, ')') && !isSymbol(token, ';')) throw operatorError(cursor);
    throw syntaxError(cursor, token.at, 'a name for the value is missing, write ‹number› mul 2 as Double');
  }
  return { expression, ...takeAlias(cursor) };
}

/** The name after `as` (ABNF rule expressionAlias). */
export function takeAlias(cursor: Cursor): { readonly alias: string; readonly at: number } {
  const token = current(cursor);
  if (token.kind !== 'word' || /[$@.]/.test(token.name)) throw syntaxError(cursor, token.at, 'a name without dots is expected after as');
  take(cursor);
  countNode(cursor);
  return { alias: token.name, at: token.at };
}

/** The value of `$top` or `$skip`: a whole number, limited to the largest exact one. */
export function parseCount(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw errors.badOption(`${option} must be a whole number of 0 or more, not '${excerpt(text)}'.`).at(option);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The value of `$levels`: a number of levels, or `max`. */
export function parseLevels(option: string, text: string): number | 'max' {
  if (text.toLowerCase() === 'max') return 'max';
  if (!/^0*[1-9]\d*$/.test(text))
    throw errors.badOption(`${option} must be max or a whole number of 1 or more, not '${excerpt(text)}'.`).at(option);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The value of `$index`: a whole number, negative from the end. */
export function parseIndex(option: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw errors.badOption(`${option} must be a whole number, not '${excerpt(text)}'.`).at(option);
  return Number(text);
}

/** The value of `$schemaversion`: `*` or a version, which is text of letters, digits, and `-._~`. */
export function parseSchemaVersion(option: string, text: string): string {
  if (!/^(?:\*|[\w.~-]{1,128})$/.test(text)) throw errors.badOption(`${option} must be a version or *, not '${excerpt(text)}'.`).at(option);
  return text;
}

/** The value of `$count`. */
export function parseBoolean(option: string, text: string): boolean {
  if (!/^(?:true|false)$/i.test(text)) throw errors.badOption(`${option} must be true or false, not '${excerpt(text)}'.`).at(option);
  return text.toLowerCase() === 'true';
}

/** The value as it is. */
export function parseText(option: string, text: string): string {
  if (text === '') throw errors.badOption(`${option} has no value.`).at(option);
  return text;
}
