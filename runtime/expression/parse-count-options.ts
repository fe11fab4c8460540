import type { CountOptions } from './ast.js';
import { current, expectSymbol, isSymbol, nested, syntaxError, take, takeSymbol, type Cursor } from './cursor.js';
import { operatorError } from './explain.js';
import type { ParseExpr } from './parse-items.js';
import { parseInnerSearch } from './parse-search.js';

/** ABNF rule expandCountOption: the filter and search of `$count(...)`; the cursor is on the parenthesis. */
export function parseCountOptions(cursor: Cursor, parseExpr: ParseExpr): CountOptions {
  const open = take(cursor);
  const options = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseOptions(cursor, parseExpr)));
  const token = current(cursor);
  if (token.kind !== 'end' && !isSymbol(token, ')')) throw operatorError(cursor);
  expectSymbol(cursor, ')', `the parenthesis that opens at position ${open.at + 1} is not closed; write ) here`);
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
  return { ...before, ...(name === 'filter' ? { filter: parseExpr(cursor) } : { search: parseInnerSearch(cursor) }) };
}
