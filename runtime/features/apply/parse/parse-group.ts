import { errors } from '../../../errors/catalogue.js';
import { excerpt, nearestOf } from '../../../errors/suggest.js';
import { callText } from '../../../expression/advice.js';
import type { CommonExpr } from '../../../expression/ast.js';
import {
  ahead,
  countNode,
  current,
  type Cursor,
  isSymbol,
  nested,
  opensCall,
  syntaxError,
  take,
  takeSymbol,
  takeWord,
} from '../../../expression/cursor.js';
import { operatorError } from '../../../expression/explain.js';
import { isMethod } from '../../../expression/methods.js';
import { commaSeparated, expectClose, parseItems } from '../../../expression/parse-items.js';
import { takePath } from '../../../expression/parse-member.js';
import { parseCommonExpr } from '../../../expression/parser.js';
import { takeAlias } from '../../../uri/option-values.js';
import type {
  AggregateItem,
  AggregateTransformation,
  GroupbyTransformation,
  GroupingElement,
  Transformation,
} from '../../../uri/query-options.js';

/** The methods of the standard (Data Aggregation 3.2.1.4). */
const standardMethods = ['sum', 'min', 'max', 'average', 'countdistinct'] as const;

/** Methods of other languages, with their OData names. */
const foreignMethods: ReadonlyMap<string, string> = new Map([
  ['avg', 'average'],
  ['mean', 'average'],
  ['total', 'sum'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['distinct', 'countdistinct'],
  ['distinctcount', 'countdistinct'],
]);

/** An optional `with` and its method: one of the standard's, or the qualified name of a custom one. */
function takeMethod(cursor: Cursor): string | undefined {
  if (!takeWord(cursor, 'with')) return undefined;
  const token = current(cursor);
  const name = token.kind === 'word' ? token.name : '';
  const standard = standardMethods.find((known) => known === name.toLowerCase());
  if (standard === undefined && !/^[^$@].*\./.test(name)) {
    const nearest = foreignMethods.get(name.toLowerCase()) ?? nearestOf(name, standardMethods);
    if (name.toLowerCase() === 'count')
      throw syntaxError(
        cursor,
        token.at,
        'count is not a method; write $count as Many, or with countdistinct for the number of different values',
      );
    const hint = nearest === undefined ? `one of ${standardMethods.join(', ')} is expected after with` : `perhaps ${nearest} is meant`;
    throw syntaxError(cursor, token.at, name === '' ? hint : `${excerpt(name)} is not a method, ${hint}`);
  }
  take(cursor);
  return standard ?? name;
}

type ParseTransformation = (cursor: Cursor) => Transformation;

/** Data Aggregation 3.2.3, `groupby((...),...)`; the cursor is after the outer parenthesis. */
export function parseGroupby(cursor: Cursor, at: number, parseTransformation: ParseTransformation): GroupbyTransformation {
  const open = current(cursor);
  if (!isSymbol(open, '('))
    throw syntaxError(
      cursor,
      open.at,
      'the grouping properties need their own parentheses, write groupby((‹text›),aggregate($count as Many))',
    );
  take(cursor);
  const groups = parseItems(cursor, open, parseGroup);
  if (!takeSymbol(cursor, ',')) return { kind: 'groupby', at, groups };
  const aggregate = parseTransformation(cursor);
  if (aggregate.kind !== 'aggregate' || isSymbol(current(cursor), '/'))
    throw errors.notImplemented('Another transformation than one aggregate within groupby').at(cursor.source.option);
  return { kind: 'groupby', at, groups, aggregate };
}

function parseGroup(cursor: Cursor): GroupingElement {
  const token = current(cursor);
  const name = token.kind === 'word' && opensCall(ahead(cursor, 1)) ? token.name.toLowerCase() : '';
  if (name === 'rollup') return parseRollup(cursor);
  if (name === 'rolluprecursive') throw errors.notImplemented('rolluprecursive').at(cursor.source.option);
  if (name === 'cube')
    throw syntaxError(
      cursor,
      token.at,
      'cube is not supported; write rollup(‹text›,‹other›), or concat(groupby((‹text›)),groupby((‹other›)))',
    );
  if (name !== '') throw syntaxError(cursor, token.at, adviceFor(name, callText(cursor.source.text, token.at)));
  return takePath(cursor);
}

function adviceFor(name: string, call: string): string {
  const nearest = nearestOf(name, ['rollup']);
  if (nearest !== undefined) return `${excerpt(name)} is not a grouping, perhaps ${nearest} is meant`;
  const alias = `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replace(/\W/g, '');
  return `groupby accepts paths only; compute the value first, write compute(${excerpt(call)} as ${alias})/groupby((${alias}))`;
}

// A rollup has at least two levels; the first may be $all (Data Aggregation 3.2.3.2).
function parseRollup(cursor: Cursor): GroupingElement {
  return parseInside(cursor, (at) => {
    const all = takeAll(cursor);
    const paths = commaSeparated(cursor, takePath);
    if (!all && paths.length === 1)
      throw syntaxError(cursor, current(cursor).at, 'rollup needs two levels or more, write rollup(‹other›,‹text›) or rollup($all,‹text›)');
    return { kind: 'rollup', at, all, paths };
  });
}

function parseInside(cursor: Cursor, parse: (at: number) => GroupingElement): GroupingElement {
  const { at } = take(cursor);
  const open = take(cursor);
  countNode(cursor);
  return nested(cursor, 'depth', () => {
    const element = parse(at);
    expectClose(cursor, open);
    return element;
  });
}

function takeAll(cursor: Cursor): boolean {
  const token = current(cursor);
  if (token.kind !== 'word' || token.name !== '$all') return false;
  take(cursor);
  if (!takeSymbol(cursor, ',')) throw syntaxError(cursor, current(cursor).at, 'a comma and a property are missing after $all');
  return true;
}

/** Data Aggregation 3.2.1, `aggregate(...)`: values with a method, custom aggregates, and counts. */
export function parseAggregate(cursor: Cursor, at: number): AggregateTransformation {
  return { kind: 'aggregate', at, items: commaSeparated(cursor, parseAggregateItem) };
}

function parseAggregateItem(cursor: Cursor): AggregateItem {
  const { at } = current(cursor);
  countNode(cursor);
  requireNoMethod(cursor);
  const expression = parseCommonExpr(cursor);
  const method = takeMethod(cursor);
  requireNoFrom(cursor);
  const alias = takeWord(cursor, 'as') ? takeAlias(cursor).alias : undefined;
  requireNoFrom(cursor);
  requireEnd(cursor);
  requireAlias(cursor, expression, method, alias);
  return { at, expression, ...(method !== undefined && { method }), ...(alias !== undefined && { alias }) };
}

// `Path(...)` aggregates the related entities of the path, unless the name is a method or a function of the model.
function requireNoMethod(cursor: Cursor): void {
  let places = 0;
  while (ahead(cursor, places).kind === 'word' && isSymbol(ahead(cursor, places + 1), '/')) places += 2;
  const last = ahead(cursor, places);
  if (last.kind !== 'word' || /[$@.]/.test(last.name) || !opensCall(ahead(cursor, places + 1))) return;
  if (places > 0 ? /^(?:any|all)$/i.test(last.name) : isMethod(last.name.toLowerCase())) return;
  const token = current(cursor);
  const name = token.kind === 'word' ? token.name.toLowerCase() : '';
  const method = standardMethods.find((known) => known === name) ?? foreignMethods.get(name);
  if (name === 'count')
    throw syntaxError(cursor, token.at, 'the collection precedes $count, write $count as Many or ‹related›/$count as Many');
  if (method !== undefined) throw syntaxError(cursor, token.at, `a method follows its value, write ‹number› with ${method} as Name`);
  throw errors
    .notImplemented('An aggregate in the parentheses of a path', 'Write ‹related›/‹relatedNumber› with sum as Total.')
    .at(cursor.source.option);
}

function requireNoFrom(cursor: Cursor): void {
  if (takeWord(cursor, 'from'))
    throw errors
      .notImplemented(
        'from in an aggregate',
        'Write groupby((‹text›),aggregate(‹number› with sum as Total))/aggregate(Total with average as Mean).',
      )
      .at(cursor.source.option);
}

function requireEnd(cursor: Cursor): void {
  const token = current(cursor);
  if (isSymbol(token, '=')) throw syntaxError(cursor, token.at, 'the alias follows its value, write ‹number› with sum as Total');
  if (token.kind !== 'end' && !isSymbol(token, ',') && !isSymbol(token, ')')) throw operatorError(cursor);
}

// Only a custom aggregate is its own alias (Data Aggregation 3.2.1).
function requireAlias(cursor: Cursor, expression: CommonExpr, method: string | undefined, alias: string | undefined): void {
  const path = expression.kind === 'member' ? expression.path : undefined;
  const counts = path?.at(-1)?.name === '$count';
  if (path === undefined && method === undefined)
    throw syntaxError(cursor, current(cursor).at, 'with and a method are missing, write ‹number› mul 2 with sum as Total');
  if (alias === undefined && (counts || method !== undefined))
    throw syntaxError(
      cursor,
      current(cursor).at,
      'as and a name for the result are missing, write ‹number› with sum as Total or $count as Many',
    );
}
