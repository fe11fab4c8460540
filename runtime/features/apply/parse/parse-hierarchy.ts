import {
  ahead,
  current,
  expectSymbol,
  isSymbol,
  opensCall,
  syntaxError,
  take,
  takeSymbol,
  takeWord,
  type Cursor,
} from '../../../expression/cursor.js';
import { parseCommonExpr } from '../../../expression/parser.js';
import { excerpt } from '../../../errors/suggest.js';
import { takePath } from '../../../expression/parse-member.js';
import { parseCount, parseOrderby } from '../../../uri/option-values.js';
import type { HierarchyNodes, HierarchyTransformation, TraverseTransformation, Transformation } from '../../../uri/query-options.js';

type ParseApply = (cursor: Cursor) => readonly Transformation[];

/** Data Aggregation 6.2.1, `ancestors` and `descendants`; the cursor is after the parenthesis. */
export function parseHierarchy(
  cursor: Cursor,
  at: number,
  kind: HierarchyTransformation['kind'],
  parseApply: ParseApply,
): HierarchyTransformation {
  const nodes = parseMore(cursor, `${kind}($root/‹nodes›,‹hierarchy›,Id,filter(Name eq 'x'),keep start)`);
  requireTransformation(cursor);
  const start = parseApply(cursor);
  if (!takeSymbol(cursor, ',')) return { kind, at, ...nodes, start, keepStart: false };
  if (!beginsSubset(cursor) && !isIdentity(cursor)) return { kind, at, ...nodes, start, ...parseReach(cursor) };
  const subset = parseApply(cursor);
  return { kind, at, ...nodes, start, subset, ...(takeSymbol(cursor, ',') ? parseReach(cursor) : { keepStart: false }) };
}

// The trailing parameters: a distance, `keep start`, or both.
function parseReach(cursor: Cursor): Pick<HierarchyTransformation, 'distance' | 'keepStart'> {
  const keepStart = takeKeepStart(cursor);
  if (keepStart) return { keepStart };
  const distance = takeDistance(cursor);
  if (!takeSymbol(cursor, ',')) return { distance, keepStart };
  const place = current(cursor);
  if (!takeKeepStart(cursor)) throw syntaxError(cursor, place.at, 'only keep start can follow the distance');
  return { distance, keepStart: true };
}

/** Data Aggregation 6.2.2, `traverse`. */
export function parseTraverse(cursor: Cursor, at: number, parseApply: ParseApply): TraverseTransformation {
  const nodes = parseMore(cursor, 'traverse($root/‹nodes›,‹hierarchy›,Id,preorder,Name asc)');
  const place = current(cursor);
  const direction = takeName(cursor, 'preorder') ? 'preorder' : takeName(cursor, 'postorder') ? 'postorder' : undefined;
  if (direction === undefined) throw syntaxError(cursor, place.at, 'preorder or postorder is expected after the path');
  if (!takeSymbol(cursor, ',')) return { kind: 'traverse', at, ...nodes, direction, order: [] };
  if (!beginsSubset(cursor) && !isIdentity(cursor)) return { kind: 'traverse', at, ...nodes, direction, order: parseOrderby(cursor) };
  const subset = parseApply(cursor);
  return { kind: 'traverse', at, ...nodes, direction, subset, order: takeSymbol(cursor, ',') ? parseOrderby(cursor) : [] };
}

function beginsSubset(cursor: Cursor): boolean {
  const token = current(cursor);
  return token.kind === 'word' && opensCall(ahead(cursor, 1)) && transformations.has(token.name.toLowerCase());
}

// A property called identity would be followed by a direction or by more of a path.
function isIdentity(cursor: Cursor): boolean {
  const next = ahead(cursor, 1);
  return isName(cursor, 'identity') && (isSymbol(next, ',') || isSymbol(next, ')'));
}

/** Names that can only be transformations: no function has them. */
const transformations: ReadonlySet<string> = new Set([
  'filter',
  'search',
  'ancestors',
  'descendants',
  'traverse',
  'topcount',
  'topsum',
  'toppercent',
  'bottomcount',
  'bottomsum',
  'bottompercent',
  'orderby',
  'top',
  'skip',
  'compute',
  'groupby',
  'aggregate',
]);

// A transformation with further parameters has a comma after the nodes.
function parseMore(cursor: Cursor, example: string): HierarchyNodes {
  const nodes = parseNodes(cursor, example);
  expectSymbol(cursor, ',', `a comma is missing after the path, write ${example}`);
  return nodes;
}

function parseNodes(cursor: Cursor, example: string): HierarchyNodes {
  const nodes = parseCommonExpr(cursor);
  if (nodes.kind !== 'member' || nodes.path[0]?.name !== '$root')
    throw syntaxError(cursor, nodes.at, `the nodes of a hierarchy are a set after $root, write ${example}`);
  expectSymbol(cursor, ',', `a comma and the qualifier of the hierarchy are missing, write ${example}`);
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, `the qualifier of a hierarchy has no quotes, write ${example}`);
  take(cursor);
  expectSymbol(cursor, ',', `a comma and the path to the node are missing, write ${example}`);
  return { nodes, qualifier: token.name, node: takePath(cursor) };
}

function requireTransformation(cursor: Cursor): void {
  const token = current(cursor);
  const next = ahead(cursor, 1);
  if (token.kind !== 'word' || opensCall(next) || isSymbol(next, ',') || isSymbol(next, ')')) return;
  throw syntaxError(cursor, token.at, `a transformation selects the start nodes, write filter(${excerpt(token.name)} ...)`);
}

function takeKeepStart(cursor: Cursor): boolean {
  if (!takeName(cursor, 'keep')) return false;
  if (!takeWord(cursor, 'start')) throw syntaxError(cursor, current(cursor).at, 'start is missing after keep');
  return true;
}

// Takes a name after a comma, where no space is required.
function takeName(cursor: Cursor, name: string): boolean {
  if (!isName(cursor, name)) return false;
  take(cursor);
  return true;
}

function isName(cursor: Cursor, name: string): boolean {
  const token = current(cursor);
  return token.kind === 'word' && token.name.toLowerCase() === name;
}

function takeDistance(cursor: Cursor): number {
  const token = take(cursor);
  const distance = token.kind === 'literal' ? parseCount('The distance', cursor.source.text.slice(token.at, token.end)) : 0;
  if (distance < 1) throw syntaxError(cursor, token.at, 'a distance of 1 or more, or keep start, is expected');
  return distance;
}
