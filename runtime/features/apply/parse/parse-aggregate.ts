import type { CommonExpr } from '../../../expression/ast.js';
import {
  ahead,
  countNode,
  current,
  isSymbol,
  opensCall,
  syntaxError,
  takeSymbol,
  takeWord,
  type Cursor,
} from '../../../expression/cursor.js';
import { errors } from '../../../errors/catalogue.js';
import { operatorError } from '../../../expression/explain.js';
import { isMethod } from '../../../expression/methods.js';
import { foreignMethods, standardMethods, takeMethod } from './parse-aggregate-method.js';
import { parseCommonExpr } from '../../../expression/parser.js';
import { takeAlias } from '../../../uri/option-values.js';
import type { AggregateItem, AggregateTransformation } from '../../../uri/query-options.js';

/** Data Aggregation 3.2.1, `aggregate(...)`: values with a method, custom aggregates, and counts. */
export function parseAggregate(cursor: Cursor, at: number): AggregateTransformation {
  const items = [parseAggregateItem(cursor)];
  while (takeSymbol(cursor, ',')) items.push(parseAggregateItem(cursor));
  return { kind: 'aggregate', at, items };
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
