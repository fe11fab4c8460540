import type { PathSegment } from '../expression/ast.js';
import { current, isSymbol, limitError, notOffered, syntaxError, takeSymbol, type Cursor } from '../expression/cursor.js';
import { takeSegment, takeSlash } from '../expression/parse-member.js';
import { uriLimits } from './limits.js';
import type { SelectItem } from './query-options.js';

/** ABNF rule select behind its equals sign: `*` and property paths. */
export function parseSelect(cursor: Cursor): readonly SelectItem[] {
  const items = [parseSelectItem(cursor)];
  while (takeSymbol(cursor, ',')) {
    items.push(parseSelectItem(cursor));
    if (items.length > uriLimits.select) throw limitError(cursor, `$select has more than ${uriLimits.select} items.`);
  }
  return items;
}

function parseSelectItem(cursor: Cursor): SelectItem {
  const token = current(cursor);
  if (takeSymbol(cursor, '*')) return { kind: 'star', at: token.at };
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'a property name or * is expected');
  const path: PathSegment[] = [takeSegment(cursor)];
  while (takeSlash(cursor)) path.push(takeSegment(cursor));
  if (isSymbol(current(cursor), '(')) throw notOffered(cursor, 'A $select item with options or parameters');
  return { kind: 'member', at: token.at, path };
}
