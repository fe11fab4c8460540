import type { ArrayExpr, CommonExpr, LiteralExpr, NamedValue, ObjectExpr } from './ast.js';
import { countNode, current, expectSymbol, nested, syntaxError, take, takeSymbol, type Cursor } from './cursor.js';
import { describeToken } from './explain.js';
import { limitedItems, type ParseExpr } from './parse-items.js';
import type { Token } from './token.js';

/** ABNF rule array: values of JSON, and expressions where a value may stand. */
export function parseArrayExpr(cursor: Cursor, parseExpr: ParseExpr): ArrayExpr {
  const open = take(cursor);
  countNode(cursor);
  const parseItem = limitedItems((inner) => parseJsonValue(inner, parseExpr));
  const items = nested(cursor, 'depth', () => {
    if (takeSymbol(cursor, ']')) return [];
    const parsed = [parseItem(cursor)];
    while (takeSymbol(cursor, ',')) parsed.push(parseItem(cursor));
    expectBracket(cursor, open, ']');
    return parsed;
  });
  return { kind: 'array', at: open.at, items };
}

/** ABNF rule object. */
export function parseObjectExpr(cursor: Cursor, parseExpr: ParseExpr): ObjectExpr {
  const open = take(cursor);
  countNode(cursor);
  const members = nested(cursor, 'depth', () => {
    if (takeSymbol(cursor, '}')) return [];
    const names = new Set<string>();
    const parsed = [parseMember(cursor, names, parseExpr)];
    while (takeSymbol(cursor, ',')) parsed.push(parseMember(cursor, names, parseExpr));
    expectBracket(cursor, open, '}');
    return parsed;
  });
  return { kind: 'object', at: open.at, members };
}

function parseMember(cursor: Cursor, names: Set<string>, parseExpr: ParseExpr): NamedValue {
  const token = current(cursor);
  if (token.kind !== 'json') throw syntaxError(cursor, token.at, 'member names need double quotes, write {"Name":"value"}');
  if (names.has(token.value)) throw syntaxError(cursor, token.at, 'this member is repeated');
  names.add(token.value);
  take(cursor);
  expectSymbol(cursor, ':', 'a colon is expected after the name of a member');
  return { name: token.value, at: token.at, value: parseJsonValue(cursor, parseExpr) };
}

function expectBracket(cursor: Cursor, open: Token, symbol: ']' | '}'): void {
  const token = current(cursor);
  const unclosed = `the bracket that opens at position ${open.at + 1} is not closed; write ${symbol} here`;
  expectSymbol(cursor, symbol, token.kind === 'end' ? unclosed : `a comma or ${symbol} is expected, not ${describeToken(cursor, token)}`);
}

function parseJsonValue(cursor: Cursor, parseExpr: ParseExpr): CommonExpr {
  const token = current(cursor);
  return token.kind === 'json' ? parseJsonString(cursor, token.at, token.value) : parseExpr(cursor);
}

function parseJsonString(cursor: Cursor, at: number, value: string): LiteralExpr {
  take(cursor);
  countNode(cursor);
  return { kind: 'literal', at, type: 'Edm.String', value };
}
