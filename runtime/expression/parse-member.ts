import { errors } from '../errors/catalogue.js';
import type { LambdaExpr, MemberExpr, PathSegment, CountOptions, NamedValue, Parentheses } from './ast.js';
import {
  type Cursor,
  ahead,
  countNode,
  current,
  isSymbol,
  limitError,
  nested,
  opensCall,
  syntaxError,
  take,
  takeSymbol,
  expectSymbol,
} from './cursor.js';
import { expressionLimits } from './token.js';
import { operatorError } from './explain.js';
import { expectClose, type ParseExpr, parseItems } from './parse-items.js';
import { expressionHooks } from './hooks.js';

/** A path, and the expressions that can end one. */
type PathExpr = MemberExpr | LambdaExpr;

/** ABNF rules firstMemberExpr and memberExpr: a path, optionally with `any` or `all` at its end. */
export function parseMemberExpr(cursor: Cursor, parseExpr: ParseExpr): PathExpr {
  const { at } = current(cursor);
  countNode(cursor);
  return parseSegments(cursor, { kind: 'member', at, path: [takePathSegment(cursor, parseExpr)] }, parseExpr);
}

/** One name of a path that consists of names only. */
export function takeSegment(cursor: Cursor): PathSegment {
  const token = current(cursor);
  if (token.kind === 'literal')
    throw syntaxError(
      cursor,
      token.at,
      `a name is missing in the path; a quotient is written ‹number› divby 2, and the items of a collection are compared by any(x:x eq 'value')`,
    );
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'a name is missing in the path');
  cursor.index++;
  return { name: token.name, at: token.at };
}

/** Moves over the `/` of a path, which no space may surround. */
export function takeSlash(cursor: Cursor): boolean {
  const token = current(cursor);
  if (!takeSymbol(cursor, '/')) return false;
  if (token.spaced || ahead(cursor, 0).spaced)
    throw syntaxError(
      cursor,
      token.at,
      'spaces around the / of a path are not allowed, write ‹reference›/‹referenceText›; a quotient is written ‹number› divby 2',
    );
  return true;
}

/** Moves over the next `/` of a path, whose length is limited: each name may be a join. */
export function takePathSlash(cursor: Cursor, { length }: readonly unknown[]): boolean {
  if (!takeSlash(cursor)) return false;
  if (length >= expressionLimits.pathNames)
    throw limitError(cursor, `A path in ${cursor.source.option} has more than ${expressionLimits.pathNames} names.`);
  return true;
}

/** Continues a path; the cursor is on its slash, if there is one. */
export function parseSegments(cursor: Cursor, start: MemberExpr, parseExpr: ParseExpr): PathExpr {
  const path = [...start.path];
  while (takePathSlash(cursor, path)) {
    const lambda = lambdaName(cursor);
    if (lambda !== undefined) return parseLambdaExpr(cursor, lambda, { ...start, path }, parseExpr);
    if (aggregates(cursor)) throw errors.notImplemented('aggregate within an expression').at(cursor.source.option);
    path.push(takePathSegment(cursor, parseExpr));
  }
  return { ...start, path };
}

function takePathSegment(cursor: Cursor, parseExpr: ParseExpr): PathSegment {
  const segment = takeSegment(cursor);
  const called = opensCall(current(cursor));
  if (segment.name === '$count') return takeCount(cursor, segment, called, parseExpr);
  if (segment.name === '$filter') return takeFilter(cursor, segment, called, parseExpr);
  if (!called) return segment;
  if (segment.name.startsWith('$')) throw syntaxError(cursor, current(cursor).at, `${segment.name} has no parentheses`);
  countNode(cursor);
  const parentheses = parseParentheses(cursor, parseExpr);
  if (!opensCall(current(cursor))) return { ...segment, parentheses };
  return { ...segment, parentheses, resultKey: parseParentheses(cursor, parseExpr) };
}

function takeCount(cursor: Cursor, segment: PathSegment, called: boolean, parseExpr: ParseExpr): PathSegment {
  const options = called ? { options: parseCountOptions(cursor, parseExpr) } : {};
  const token = current(cursor);
  if (isSymbol(token, '/'))
    throw syntaxError(cursor, token.at, 'nothing can follow $count in a path; compare it, as in ‹related›/$count gt 1');
  return { ...segment, ...options };
}

function takeFilter(cursor: Cursor, segment: PathSegment, called: boolean, parseExpr: ParseExpr): PathSegment {
  if (!called)
    throw syntaxError(
      cursor,
      current(cursor).at,
      'a condition in parentheses is missing, write ‹related›/$filter(‹relatedNumber› gt 1)/$count',
    );
  const open = take(cursor);
  const filter = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseExpr(cursor)));
  expectClose(cursor, open);
  return { ...segment, filter };
}

function lambdaName(cursor: Cursor): LambdaExpr['operator'] | undefined {
  const token = current(cursor);
  if (token.kind !== 'word' || !opensCall(ahead(cursor, 1))) return undefined;
  const name = token.name.toLowerCase();
  return name === 'any' || name === 'all' ? name : undefined;
}

function aggregates(cursor: Cursor): boolean {
  const token = current(cursor);
  return token.kind === 'word' && token.name.toLowerCase() === 'aggregate' && opensCall(ahead(cursor, 1));
}

// ABNF rules anyExpr and allExpr; only any may be empty (URL conventions 5.1.1.13.1).
function parseLambdaExpr(cursor: Cursor, operator: 'any' | 'all', source: MemberExpr, parseExpr: ParseExpr): LambdaExpr {
  const { at } = take(cursor);
  const open = take(cursor);
  countNode(cursor);
  if (isSymbol(current(cursor), ')')) {
    if (operator === 'all') throw syntaxError(cursor, current(cursor).at, `all needs a condition, write all(x:x eq 'value')`);
    cursor.index++;
    return finish(cursor, { kind: 'lambda', at, operator, source });
  }
  const variable = takeVariable(cursor, operator);
  const predicate = nested(cursor, 'depth', () => nested(cursor, 'lambdaDepth', () => parseExpr(cursor)));
  closeLambda(cursor, open.at);
  return finish(cursor, { kind: 'lambda', at, operator, source, variable, predicate });
}

function takeVariable(cursor: Cursor, operator: string): string {
  const token = current(cursor);
  const form = `write ${operator}(x:x eq 'value')`;
  if (token.kind !== 'word' || !isSymbol(ahead(cursor, 1), ':'))
    throw syntaxError(cursor, token.at, `a variable and a colon are missing, ${form}`);
  if (/[$@.]/.test(token.name)) throw syntaxError(cursor, token.at, `${token.name} cannot be a variable, ${form}`);
  cursor.index += 2;
  return token.name;
}

function closeLambda(cursor: Cursor, open: number): void {
  if (takeSymbol(cursor, ')')) return;
  if (current(cursor).kind !== 'end') throw operatorError(cursor);
  throw syntaxError(cursor, current(cursor).at, `the parenthesis that opens at position ${open + 1} is not closed; write ) here`);
}

function finish(cursor: Cursor, lambda: LambdaExpr): LambdaExpr {
  const token = current(cursor);
  if (isSymbol(token, '/'))
    throw syntaxError(
      cursor,
      token.at,
      `nothing can follow ${lambda.operator}(...) in a path; write the condition within it, as in ${lambda.operator}(x:x/‹relatedNumber› gt 1)`,
    );
  return lambda;
}

/** A path of names: properties, navigation, casts. */
export function takePath(cursor: Cursor): MemberExpr {
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a property is expected');
  countNode(cursor);
  const path: PathSegment[] = [takeSegment(cursor)];
  while (takePathSlash(cursor, path)) path.push(takeSegment(cursor));
  return { kind: 'member', at: token.at, path };
}

/** ABNF rules keyPredicate and functionExprParameters; the cursor is on the parenthesis. */
function parseParentheses(cursor: Cursor, parseExpr: ParseExpr): Parentheses {
  const open = take(cursor);
  return nested(cursor, 'depth', () =>
    nested(cursor, 'functionDepth', () => {
      if (isSymbol(current(cursor), ')') || isNamed(cursor)) return parseNamed(cursor, open, parseExpr);
      const value = parseExpr(cursor);
      if (isSymbol(current(cursor), ','))
        throw syntaxError(cursor, current(cursor).at, 'several values need names, write (Name=1,Other=2)');
      expectClose(cursor, open);
      return { kind: 'single', value };
    }),
  );
}

function isNamed(cursor: Cursor): boolean {
  return current(cursor).kind === 'word' && isSymbol(ahead(cursor, 1), '=');
}

function parseNamed(cursor: Cursor, open: ReturnType<typeof take>, parseExpr: ParseExpr): Parentheses {
  const names = new Set<string>();
  return { kind: 'named', values: parseItems(cursor, open, (inner) => parseNamedValue(inner, names, parseExpr)) };
}

function parseNamedValue(cursor: Cursor, names: Set<string>, parseExpr: ParseExpr): NamedValue {
  const token = current(cursor);
  if (token.kind === 'word' && /^\$(filter|search)$/i.test(token.name))
    throw syntaxError(cursor, token.at, 'a condition on records follows $count, write ‹related›/$count($filter=‹relatedNumber› eq 1)');
  if (token.kind !== 'word' || /[$@.]/.test(token.name))
    throw syntaxError(cursor, token.at, 'a name and an equals sign are expected, write (Name=1,Other=2)');
  if (names.has(token.name)) throw syntaxError(cursor, token.at, `the value of ${token.name} is repeated`);
  names.add(token.name);
  take(cursor);
  if (!takeSymbol(cursor, '=')) throw syntaxError(cursor, current(cursor).at, `an equals sign is expected after ${token.name}`);
  return { name: token.name, at: token.at, value: parseExpr(cursor) };
}

/** ABNF rule expandCountOption: the filter and search of `$count(...)`; the cursor is on the parenthesis. */
function parseCountOptions(cursor: Cursor, parseExpr: ParseExpr): CountOptions {
  const open = take(cursor);
  const options = nested(cursor, 'depth', () => nested(cursor, 'functionDepth', () => parseOptions(cursor, parseExpr)));
  expectClose(cursor, open);
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
  return {
    ...before,
    ...(name === 'filter' ? { filter: parseExpr(cursor) } : { search: expressionHooks.get('search').parseInner(cursor) }),
  };
}
