import type { MemberExpr, PathSegment } from '../expression/ast.js';
import { countNode, current, syntaxError, type Cursor } from '../expression/cursor.js';
import { takePathSlash, takeSegment } from '../expression/parse-member.js';

/** A path of names: properties, navigation, casts. */
export function takePath(cursor: Cursor): MemberExpr {
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a property is expected');
  countNode(cursor);
  const path: PathSegment[] = [takeSegment(cursor)];
  while (takePathSlash(cursor, path)) path.push(takeSegment(cursor));
  return { kind: 'member', at: token.at, path };
}
