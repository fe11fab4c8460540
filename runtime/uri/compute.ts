import { countNode, current, isSymbol, limitError, syntaxError, take, takeSymbol, type Cursor } from '../expression/cursor.js';
import { operatorError } from '../expression/explain.js';
import { takeWord } from '../expression/cursor.js';
import { parseCommonExpr } from '../expression/parser.js';
import { uriLimits } from './limits.js';
import type { ComputeItem } from './query-options.js';

/** ABNF rule compute after its equals sign: expressions with the names of their values. */
export function parseCompute(cursor: Cursor): readonly ComputeItem[] {
  const items = [parseComputeItem(cursor)];
  while (takeSymbol(cursor, ',')) {
    items.push(parseComputeItem(cursor));
    if (items.length > uriLimits.compute) throw limitError(cursor, `$compute has more than ${uriLimits.compute} items.`);
  }
  return items;
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
