import type { CaseExpr, CommonExpr, MethodCallExpr, TypeExpr } from './ast.js';
import { ahead, countNode, current, expectSymbol, isSymbol, nested, syntaxError, take, takeSymbol, type Cursor } from './cursor.js';
import { operatorError } from './explain.js';
import { expectClose, parseItems, type ParseExpr } from './parse-items.js';
import type { Token } from './token.js';

type WordToken = Extract<Token, { kind: 'word' }>;

/** ABNF rule methodCallExpr, `cast` and `isof` included; the cursor is on the name. */
export function parseMethodCallExpr(cursor: Cursor, { name, at }: WordToken, parseExpr: ParseExpr): MethodCallExpr {
  const method = name.toLowerCase();
  if (method === 'any' || method === 'all') {
    throw syntaxError(cursor, at, `${method} needs a collection before it, write ‹items›/${method}(x:x eq 'value')`);
  }
  countNode(cursor);
  cursor.index++;
  const open = take(cursor);
  const typed = method === 'cast' || method === 'isof';
  const parse: ParseExpr = typed ? (inner) => parseTypedArgument(inner, parseExpr) : parseExpr;
  const parsed = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseItems(cursor, open, parse)));
  return { kind: 'methodCall', at, method, arguments: parsed };
}

// Type names are not quoted. A qualified name that ends an argument is a type; so is a simple name that ends the last
// argument, since the default namespace may be omitted (ABNF rules castExpr and isofExpr).
function parseTypedArgument(cursor: Cursor, parseExpr: ParseExpr): CommonExpr {
  const token = current(cursor);
  if (token.kind !== 'word' || /^[$@]|^(?:null|true|false|INF|NaN)$/.test(token.name)) return parseExpr(cursor);
  const next = ahead(cursor, 1);
  if (token.name === 'Collection' && isSymbol(next, '(')) return parseCollectionType(cursor);
  const ends = isSymbol(next, ')') || (isSymbol(next, ',') && token.name.includes('.'));
  return ends ? parseTypeName(cursor, token) : parseExpr(cursor);
}

function parseTypeName(cursor: Cursor, { at, name }: WordToken): TypeExpr {
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
