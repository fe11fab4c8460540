import type { CommonExpr, ListExpr } from './ast.js';
import type { Cursor } from './cursor.js';
import { expressionLimits } from './token.js';
import { countNode, current, expectSymbol, isSymbol, limitError, nested, take, takeSymbol } from './cursor.js';
import { operatorError } from './explain.js';
import type { Token } from './token.js';

/** A grammar rule that reads one expression. */
export type ParseExpr = (cursor: Cursor) => CommonExpr;

/** Parses comma-separated items up to the closing parenthesis; the opening one has been taken. */
export function parseItems<Item>(cursor: Cursor, open: Token, parse: (cursor: Cursor) => Item): readonly Item[] {
  if (takeSymbol(cursor, ')')) return [];
  const items = commaSeparated(cursor, parse);
  expectClose(cursor, open);
  return items;
}

/** Parses one or more items with commas between them. */
export function commaSeparated<Item>(cursor: Cursor, parse: (cursor: Cursor) => Item): Item[] {
  const items = [parse(cursor)];
  while (takeSymbol(cursor, ',')) items.push(parse(cursor));
  return items;
}

/** Parses one or more comma-separated items of a query option, up to its limit. */
export function parseList<Item>(cursor: Cursor, option: string, limit: number, parse: (cursor: Cursor) => Item): readonly Item[] {
  const items = [parse(cursor)];
  while (takeSymbol(cursor, ',')) {
    items.push(parse(cursor));
    if (items.length > limit) throw limitError(cursor, `$${option} has more than ${limit} items.`);
  }
  return items;
}

/** Moves over the closing parenthesis of the given opening one. */
export function expectClose(cursor: Cursor, open: Token): void {
  const token = current(cursor);
  if (token.kind !== 'end' && !isSymbol(token, ')')) throw operatorError(cursor);
  expectSymbol(cursor, ')', `the parenthesis that opens at position ${open.at + 1} is not closed; write ) here`);
}

/** ABNF rule listExpr: the values in parentheses on the right of `in`. */
export function parseListExpr(cursor: Cursor, parseExpr: ParseExpr): ListExpr {
  const open = take(cursor);
  const parseItem = limitedItems(parseExpr);
  const items = nested(cursor, 'depth', () => parseItems(cursor, open, parseItem));
  countNode(cursor);
  return { kind: 'list', at: open.at, items };
}

/** A rule for the items of one list: the list has its own limit, and its literals do not count as operands. */
export function limitedItems(parseExpr: ParseExpr): ParseExpr {
  let count = 0;
  return (cursor) => {
    if (++count > expressionLimits.listItems) {
      throw limitError(cursor, `A list in ${cursor.source.option} has more than ${expressionLimits.listItems} items.`);
    }
    const nodes = cursor.nodes;
    const item = parseExpr(cursor);
    if (item.kind === 'literal') cursor.nodes = nodes;
    return item;
  };
}
