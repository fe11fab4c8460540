import { current, limitError, syntaxError, take, takeSymbol, type Cursor } from '../expression/cursor.js';
import { describeToken } from '../expression/explain.js';
import { parseCommonExpr } from '../expression/parser.js';
import { uriLimits } from './limits.js';
import type { OrderbyItem } from './query-options.js';

/** ABNF rule orderby behind its equals sign: any expressions, each ascending unless it says `desc`. */
export function parseOrderby(cursor: Cursor): readonly OrderbyItem[] {
  const items = [parseOrderbyItem(cursor)];
  while (takeSymbol(cursor, ',')) {
    items.push(parseOrderbyItem(cursor));
    if (items.length > uriLimits.orderby) throw limitError(cursor, `$orderby has more than ${uriLimits.orderby} items.`);
  }
  return items;
}

function parseOrderbyItem(cursor: Cursor): OrderbyItem {
  const expression = parseCommonExpr(cursor);
  const token = current(cursor);
  if (token.kind !== 'word') return { expression, descending: false };
  const direction = token.name.toLowerCase();
  if (direction === 'nulls') throw syntaxError(cursor, token.at, 'null is the lowest value; to have it last write $orderby=ListPrice eq null,ListPrice');
  if (direction !== 'asc' && direction !== 'desc') {
    throw syntaxError(cursor, token.at, `asc, desc, a comma or the end is expected, not ${describeToken(cursor, token)}`);
  }
  take(cursor);
  return { expression, descending: direction === 'desc' };
}
