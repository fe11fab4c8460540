import type { CommonExpr, MemberExpr } from '../expression/ast.js';
import { current, isSymbol, limitError, syntaxError, take, takeSymbol, type Cursor } from '../expression/cursor.js';
import { describeToken } from '../expression/explain.js';
import { parseCommonExpr } from '../expression/parser.js';
import { uriLimits } from './limits.js';
import type { OrderbyItem } from './query-options.js';

/** ABNF rule orderby after its equals sign: expressions of every kind, ascending unless followed by `desc`. */
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
