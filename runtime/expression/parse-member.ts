import type { CommonExpr, LambdaExpr, MemberExpr, PathSegment } from './ast.js';
import { ahead, countNode, current, isSymbol, nested, notOffered, opensCall, syntaxError, take, takeSymbol, type Cursor } from './cursor.js';
import { operatorError } from './explain.js';

type ParseExpr = (cursor: Cursor) => CommonExpr;

/** ABNF rules firstMemberExpr and memberExpr: a path, perhaps with `any` or `all` at its end. */
export function parseMemberExpr(cursor: Cursor, parsePredicate: ParseExpr): MemberExpr | LambdaExpr {
  const path = [takeSegment(cursor)];
  const { at } = path[0] ?? current(cursor);
  countNode(cursor);
  while (takeSlash(cursor)) {
    const lambda = lambdaName(cursor);
    if (lambda !== undefined) return parseLambdaExpr(cursor, lambda, { kind: 'member', at, path }, parsePredicate);
    path.push(takeSegment(cursor));
    refuseSegmentCall(cursor, path);
  }
  return { kind: 'member', at, path };
}

/** One name of a path. */
export function takeSegment(cursor: Cursor): PathSegment {
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'a name is missing in the path');
  if (token.name.startsWith('@')) throw notOffered(cursor, `The annotation ${token.name}`);
  cursor.index++;
  return { name: token.name, at: token.at };
}

/** Moves over the `/` of a path, around which no space may stand. */
export function takeSlash(cursor: Cursor): boolean {
  const token = current(cursor);
  if (!takeSymbol(cursor, '/')) return false;
  if (token.spaced || ahead(cursor, 0).spaced) throw syntaxError(cursor, token.at, 'no space may stand around the / of a path');
  return true;
}

function lambdaName(cursor: Cursor): LambdaExpr['operator'] | undefined {
  const token = current(cursor);
  if (token.kind !== 'word' || !opensCall(ahead(cursor, 1))) return undefined;
  const name = token.name.toLowerCase();
  return name === 'any' || name === 'all' ? name : undefined;
}

function refuseSegmentCall(cursor: Cursor, path: readonly PathSegment[]): void {
  const last = path.at(-1)?.name ?? '';
  const token = current(cursor);
  if (opensCall(token)) throw notOffered(cursor, last === '$count' ? '$count with options in an expression' : `The function ${last} in a path`);
  if (last === '$count' && isSymbol(token, '/')) throw syntaxError(cursor, token.at, 'nothing can follow $count in a path');
}

// ABNF rules anyExpr and allExpr; only any may be empty (URL conventions 5.1.1.13.1).
function parseLambdaExpr(cursor: Cursor, operator: 'any' | 'all', source: MemberExpr, parsePredicate: ParseExpr): LambdaExpr {
  const { at } = take(cursor);
  const open = take(cursor);
  countNode(cursor);
  if (isSymbol(current(cursor), ')')) {
    if (operator === 'all') throw syntaxError(cursor, current(cursor).at, `all needs a condition, write all(x:x eq 'value')`);
    cursor.index++;
    return finish(cursor, { kind: 'lambda', at, operator, source });
  }
  const variable = takeVariable(cursor, operator);
  const predicate = nested(cursor, 'depth', () => nested(cursor, 'lambdaDepth', () => parsePredicate(cursor)));
  closeLambda(cursor, open.at);
  return finish(cursor, { kind: 'lambda', at, operator, source, variable, predicate });
}

function takeVariable(cursor: Cursor, operator: string): string {
  const token = current(cursor);
  const form = `write ${operator}(x:x eq 'value')`;
  if (token.kind !== 'word' || !isSymbol(ahead(cursor, 1), ':')) throw syntaxError(cursor, token.at, `a variable and a colon are missing, ${form}`);
  if (/[$@.]/.test(token.name)) throw syntaxError(cursor, token.at, `${token.name} cannot be a variable, ${form}`);
  cursor.index += 2;
  return token.name;
}

function closeLambda(cursor: Cursor, open: number): void {
  if (takeSymbol(cursor, ')')) return;
  if (current(cursor).kind !== 'end') throw operatorError(cursor);
  throw syntaxError(cursor, current(cursor).at, `the parenthesis that opens at position ${open + 1} is not closed`);
}

function finish(cursor: Cursor, lambda: LambdaExpr): LambdaExpr {
  const token = current(cursor);
  if (isSymbol(token, '/')) throw syntaxError(cursor, token.at, `nothing can follow ${lambda.operator}(...) in a path`);
  return lambda;
}
