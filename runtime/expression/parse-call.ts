import type { ArrayExpr, CaseExpr, CommonExpr, LiteralExpr, MethodCallExpr, NamedValue, ObjectExpr, TypeExpr } from './ast.js';
import { ahead, countNode, current, type Cursor, expectSymbol, isSymbol, nested, syntaxError, take, takeSymbol } from './cursor.js';
import { describeToken, operatorError } from './explain.js';
import { isMethod } from './methods.js';
import { commaSeparated, expectClose, limitedItems, type ParseExpr, parseItems } from './parse-items.js';
import type { Token } from './token.js';

type WordToken = Extract<Token, { kind: 'word' }>;

/** ABNF rule methodCallExpr, `cast` and `isof` included; the cursor is on the name. */
export function parseMethodCallExpr(cursor: Cursor, { name, at }: WordToken, parseExpr: ParseExpr): MethodCallExpr {
  const lower = name.toLowerCase();
  // A name that is no function stays as it was written.
  const method = isMethod(lower) ? lower : name;
  if (lower === 'any' || lower === 'all') {
    throw syntaxError(cursor, at, `${lower} needs a collection before it, write ‹items›/${lower}(x:x eq 'value')`);
  }
  countNode(cursor);
  cursor.index++;
  const open = take(cursor);
  const typed = method === 'cast' || method === 'isof';
  const parse: ParseExpr = typed ? (inner) => parseTypedArgument(inner, parseExpr) : parseExpr;
  const parsed = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseItems(cursor, open, parse)));
  return { kind: 'methodCall', at, method, arguments: parsed };
}

// A type name in quotes is that of OData 2 and 3. A qualified name that ends an argument is a type; so is a simple name that ends the last
// argument, since the default namespace may be omitted (ABNF rules castExpr and isofExpr).
function parseTypedArgument(cursor: Cursor, parseExpr: ParseExpr): CommonExpr {
  const token = current(cursor);
  if (token.kind === 'literal' && token.type === 'Edm.String' && quotedType.test(token.value) && isSymbol(ahead(cursor, 1), ')'))
    return parseTypeName(cursor, { at: token.at, name: token.value });
  if (token.kind !== 'word' || /^[$@]|^(?:null|true|false|INF|NaN)$/.test(token.name)) return parseExpr(cursor);
  const next = ahead(cursor, 1);
  if (token.name === 'Collection' && isSymbol(next, '(')) return parseCollectionType(cursor);
  const ends = isSymbol(next, ')') || (isSymbol(next, ',') && token.name.includes('.'));
  return ends ? parseTypeName(cursor, token) : parseExpr(cursor);
}

/** A qualified name, alone or as that of the items of a collection. */
const quotedType = /^(?:Collection\()?[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+\)?$/u;

function parseTypeName(cursor: Cursor, { at, name }: Pick<WordToken, 'at' | 'name'>): TypeExpr {
  cursor.index++;
  countNode(cursor);
  return { kind: 'type', at, name };
}

function parseCollectionType(cursor: Cursor): TypeExpr {
  const { at } = take(cursor);
  const open = take(cursor);
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a type is expected');
  const { name } = parseTypeName(cursor, token);
  expectClose(cursor, open);
  return { kind: 'type', at, name: `Collection(${name})` };
}

/** ABNF rule caseMethodCallExpr; the cursor is on the name. */
export function parseCaseExpr(cursor: Cursor, { at }: WordToken, parseExpr: ParseExpr): CaseExpr {
  countNode(cursor);
  cursor.index++;
  const open = take(cursor);
  const branches = nested(cursor, 'depth', () =>
    nested(cursor, 'functionDepth', () => {
      const parsed = [parseBranch(cursor, parseExpr)];
      while (takeSymbol(cursor, ',')) parsed.push(parseBranch(cursor, parseExpr));
      expectClose(cursor, open);
      return parsed;
    }),
  );
  return { kind: 'case', at, branches };
}

function parseBranch(cursor: Cursor, parseExpr: ParseExpr): CaseExpr['branches'][number] {
  const form = `write case(‹number› gt 0:'priced',true:'free')`;
  const token = current(cursor);
  if (isSymbol(token, ')')) throw syntaxError(cursor, token.at, `case needs a condition and a value, ${form}`);
  const condition = parseExpr(cursor);
  const next = current(cursor);
  if (isSymbol(next, ',') || isSymbol(next, ')'))
    throw syntaxError(cursor, next.at, `a colon and a value are missing after the condition, ${form}`);
  if (!isSymbol(next, ':')) throw operatorError(cursor);
  expectSymbol(cursor, ':', form);
  return { condition, value: parseExpr(cursor) };
}

/** ABNF rule array: values of JSON, and expressions where a value may stand. */
export function parseArrayExpr(cursor: Cursor, parseExpr: ParseExpr): ArrayExpr {
  const open = take(cursor);
  countNode(cursor);
  const parseItem = limitedItems((inner) => parseJsonValue(inner, parseExpr));
  const items = nested(cursor, 'depth', () => {
    if (takeSymbol(cursor, ']')) return [];
    const parsed = commaSeparated(cursor, parseItem);
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
