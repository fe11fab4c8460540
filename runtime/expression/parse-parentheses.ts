import { expressionHooks } from './hooks.js';
import type { CountOptions, NamedValue, Parentheses } from './ast.js';
import { ahead, current, type Cursor, expectSymbol, isSymbol, nested, syntaxError, take, takeSymbol } from './cursor.js';
import { expectClose, type ParseExpr, parseItems } from './parse-items.js';

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

/** ABNF rule expandCountOption: the filter and search of `$count(...)`; the cursor is on the parenthesis. */
export function parseCountOptions(cursor: Cursor, parseExpr: ParseExpr): CountOptions {
  const open = take(cursor);
  const options = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseOptions(cursor, parseExpr)));
  expectClose(cursor, open);
  return options;
}

function parseOptions(cursor: Cursor, parseExpr: ParseExpr): CountOptions {
  const first = parseOption(cursor, {}, parseExpr);
  return takeSymbol(cursor, ';') ? parseOption(cursor, first, parseExpr) : first;
}

function parseOption(cursor: Cursor, before: CountOptions, parseExpr: ParseExpr): CountOptions {
  const token = current(cursor);
  const name = token.kind === 'word' ? token.name.replace(/^\$/, '').toLowerCase() : '';
  if (name !== 'filter' && name !== 'search')
    throw syntaxError(
      cursor,
      token.at,
      isSymbol(token, ')')
        ? 'write $count without parentheses, or with $filter=... in them'
        : '$filter=... or $search=... is expected; the collection precedes $count, write ‹related›/$count',
    );
  if (name in before) throw syntaxError(cursor, token.at, `$${name} is repeated`);
  take(cursor);
  expectSymbol(cursor, '=', `an equals sign is expected after $${name}`);
  return {
    ...before,
    ...(name === 'filter' ? { filter: parseExpr(cursor) } : { search: expressionHooks.get('search').parseInner(cursor) }),
  };
}
