import type { NamedValue, Parentheses } from './ast.js';
import { ahead, current, isSymbol, nested, syntaxError, take, takeSymbol, type Cursor } from './cursor.js';
import { expectClose, parseItems, type ParseExpr } from './parse-items.js';

/** ABNF rules keyPredicate and functionExprParameters; the cursor is on the parenthesis. */
export function parseParentheses(cursor: Cursor, parseExpr: ParseExpr): Parentheses {
  const open = take(cursor);
  return nested(cursor, 'depth', () =>
    nested(cursor, 'functionDepth', () => {
      if (isSymbol(current(cursor), ')') || isNamed(cursor)) return parseNamed(cursor, open, parseExpr);
      const value = parseExpr(cursor);
      if (isSymbol(current(cursor), ','))
        throw syntaxError(cursor, current(cursor).at, 'several values need names, write (Name=1,Other=2)');
      expectClose(cursor, open);
      return { kind: 'single', value };
    }),
  );
}

function isNamed(cursor: Cursor): boolean {
  return current(cursor).kind === 'word' && isSymbol(ahead(cursor, 1), '=');
}

function parseNamed(cursor: Cursor, open: ReturnType<typeof take>, parseExpr: ParseExpr): Parentheses {
  const names = new Set<string>();
  return { kind: 'named', values: parseItems(cursor, open, (inner) => parseNamedValue(inner, names, parseExpr)) };
}

function parseNamedValue(cursor: Cursor, names: Set<string>, parseExpr: ParseExpr): NamedValue {
  const token = current(cursor);
  if (token.kind === 'word' && /^\$(filter|search)$/i.test(token.name))
    throw syntaxError(cursor, token.at, 'a condition on records follows $count, write ‹related›/$count($filter=‹relatedNumber› eq 1)');
  if (token.kind !== 'word' || /[$@.]/.test(token.name))
    throw syntaxError(cursor, token.at, 'a name and an equals sign are expected, write (Name=1,Other=2)');
  if (names.has(token.name)) throw syntaxError(cursor, token.at, `the value of ${token.name} is repeated`);
  names.add(token.name);
  take(cursor);
  if (!takeSymbol(cursor, '=')) throw syntaxError(cursor, current(cursor).at, `an equals sign is expected after ${token.name}`);
  return { name: token.name, at: token.at, value: parseExpr(cursor) };
}
