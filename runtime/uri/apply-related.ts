import type { MemberExpr, PathSegment } from '../expression/ast.js';
import { countNode, current, expectSymbol, syntaxError, takeSymbol, type Cursor } from '../expression/cursor.js';
import { takeWord } from '../expression/parse-aggregate.js';
import { takePathSlash, takeSegment } from '../expression/parse-member.js';
import { parseTransformation } from './apply.js';
import { takeAlias } from './compute.js';
import type { ExpandTransformation, JoinTransformation, NestItem, Transformation } from './transformations.js';

type ParseApply = (cursor: Cursor) => readonly Transformation[];

/** A path of names: properties, navigation, casts. */
export function takePath(cursor: Cursor): MemberExpr {
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a property is expected');
  countNode(cursor);
  const path: PathSegment[] = [takeSegment(cursor)];
  while (takePathSlash(cursor, path)) path.push(takeSegment(cursor));
  return { kind: 'member', at: token.at, path };
}

/** `join(Path as Alias,...)`: one row for each related entity; the cursor is after the parenthesis. */
export function parseJoin(cursor: Cursor, at: number, kind: JoinTransformation['kind'], parseApply: ParseApply): JoinTransformation {
  const path = takePath(cursor);
  if (!takeWord(cursor, 'as'))
    throw syntaxError(cursor, current(cursor).at, `as and a name are missing behind the path, write ${kind}(‹related› as Item)`);
  const { alias } = takeAlias(cursor);
  return { kind, at, path, alias, ...(takeSymbol(cursor, ',') && { transformations: parseApply(cursor) }) };
}

/** Named sequences: each has an alias for its result. */
export function parseNest(cursor: Cursor, parseApply: ParseApply): readonly NestItem[] {
  const items = [parseNestItem(cursor, parseApply)];
  while (takeSymbol(cursor, ',')) items.push(parseNestItem(cursor, parseApply));
  return items;
}

function parseNestItem(cursor: Cursor, parseApply: ParseApply): NestItem {
  const transformations = parseApply(cursor);
  if (!takeWord(cursor, 'as')) throw syntaxError(cursor, current(cursor).at, 'as and a name for the result are missing');
  return { transformations, alias: takeAlias(cursor).alias };
}

const expandable: ReadonlySet<string> = new Set(['filter', 'search', 'expand']);

/** `expand(Path,filter(...),expand(...))`; the cursor is after the parenthesis. */
export function parseExpandTransformation(cursor: Cursor, at: number): ExpandTransformation {
  const { path } = takePath(cursor);
  expectSymbol(cursor, ',', 'a comma and filter(...) or expand(...) are missing behind the path, and $expand shows all that it leads to');
  const parts = [parseTransformation(cursor, expandable)];
  while (takeSymbol(cursor, ',')) parts.push(parseTransformation(cursor, expandable));
  const expands = parts.filter((part) => part.kind === 'expand');
  return { kind: 'expand', at, path, expands, transformations: parts.filter((part) => part.kind !== 'expand') };
}
