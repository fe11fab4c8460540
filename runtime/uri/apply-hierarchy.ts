import { errors } from '../errors/catalogue.js';
import { ahead, current, expectSymbol, isSymbol, opensCall, syntaxError, take, takeSymbol, type Cursor } from '../expression/cursor.js';
import { takeWord } from '../expression/parse-aggregate.js';
import { parseCommonExpr } from '../expression/parser.js';
import { excerpt } from '../expression/quote.js';
import { takePath } from './apply-related.js';
import { parseOrderby } from './orderby.js';
import { parseCount } from './scalar-options.js';
import type { HierarchyNodes, HierarchyTransformation, TraverseTransformation, Transformation } from './transformations.js';

type ParseApply = (cursor: Cursor) => readonly Transformation[];

/** Data Aggregation 6.2.1, `ancestors` and `descendants`; the cursor stands behind the parenthesis. */
export function parseHierarchy(cursor: Cursor, at: number, kind: HierarchyTransformation['kind'], parseApply: ParseApply): HierarchyTransformation {
  const nodes = parseNodes(cursor, `${kind}($root/Orgs,OrgHierarchy,Id,filter(Name eq 'x'),keep start)`);
  requireTransformation(cursor);
  const start = parseApply(cursor);
  if (!takeSymbol(cursor, ',')) return { kind, at, ...nodes, start, keepStart: false };
  const keepStart = takeKeepStart(cursor);
  if (keepStart) return { kind, at, ...nodes, start, keepStart };
  const distance = takeDistance(cursor);
  if (!takeSymbol(cursor, ',')) return { kind, at, ...nodes, start, distance, keepStart };
  const place = current(cursor);
  if (!takeKeepStart(cursor)) throw syntaxError(cursor, place.at, 'behind the distance only keep start can stand');
  return { kind, at, ...nodes, start, distance, keepStart: true };
}

/** Data Aggregation 6.2.2, `traverse`. */
export function parseTraverse(cursor: Cursor, at: number): TraverseTransformation {
  const nodes = parseNodes(cursor, 'traverse($root/Orgs,OrgHierarchy,Id,preorder,Name asc)');
  const place = current(cursor);
  const direction = takeName(cursor, 'preorder') ? 'preorder' : takeName(cursor, 'postorder') ? 'postorder' : undefined;
  if (direction === undefined) throw syntaxError(cursor, place.at, 'preorder or postorder is expected behind the path');
  if (!takeSymbol(cursor, ',')) return { kind: 'traverse', at, ...nodes, direction, order: [] };
  const token = current(cursor);
  if (token.kind === 'word' && opensCall(ahead(cursor, 1)) && starts.has(token.name.toLowerCase())) {
    throw errors.notImplemented('traverse from other nodes than the roots', 'Choose the records before: descendants(...,keep start)/traverse(...).').at(cursor.source.option);
  }
  return { kind: 'traverse', at, ...nodes, direction, order: parseOrderby(cursor) };
}

/** Transformations whose names no function has. */
const starts: ReadonlySet<string> = new Set(['filter', 'search', 'ancestors', 'descendants', 'traverse', 'topcount', 'bottomcount', 'orderby', 'top', 'skip']);

function parseNodes(cursor: Cursor, example: string): HierarchyNodes {
  const nodes = parseCommonExpr(cursor);
  if (nodes.kind !== 'member' || nodes.path[0]?.name !== '$root') throw syntaxError(cursor, nodes.at, `the nodes of a hierarchy are a set beneath $root, write ${example}`);
  expectSymbol(cursor, ',', `a comma and the qualifier of the hierarchy are missing, write ${example}`);
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, `the qualifier of a hierarchy stands without quotes, write ${example}`);
  take(cursor);
  expectSymbol(cursor, ',', `a comma and the path to the node are missing, write ${example}`);
  const node = takePath(cursor);
  expectSymbol(cursor, ',', `a comma is missing behind the path, write ${example}`);
  return { nodes, qualifier: token.name, node };
}

function requireTransformation(cursor: Cursor): void {
  const token = current(cursor);
  const next = ahead(cursor, 1);
  if (token.kind !== 'word' || opensCall(next) || isSymbol(next, ',') || isSymbol(next, ')')) return;
  throw syntaxError(cursor, token.at, `what the walk starts from is chosen by a transformation, write filter(${excerpt(token.name)} ...)`);
}

function takeKeepStart(cursor: Cursor): boolean {
  if (!takeName(cursor, 'keep')) return false;
  if (!takeWord(cursor, 'start')) throw syntaxError(cursor, current(cursor).at, 'start is missing behind keep');
  return true;
}

// Behind a comma, where no space has to be.
function takeName(cursor: Cursor, name: string): boolean {
  const token = current(cursor);
  if (token.kind !== 'word' || token.name.toLowerCase() !== name) return false;
  take(cursor);
  return true;
}

function takeDistance(cursor: Cursor): number {
  const token = take(cursor);
  const distance = token.kind === 'literal' ? parseCount('The distance', cursor.source.text.slice(token.at, token.end)) : 0;
  if (distance < 1) throw syntaxError(cursor, token.at, 'a distance of 1 or more, or keep start, is expected');
  return distance;
}
