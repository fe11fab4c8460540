import { nearestOf } from '../errors/suggest.js';
import type { AggregateExpr, MemberExpr } from './ast.js';
import { countNode, current, isSymbol, nested, syntaxError, take, type Cursor } from './cursor.js';
import { operatorError } from './explain.js';
import { expectClose, type ParseExpr } from './parse-items.js';
import { excerpt } from './quote.js';

/** The methods of the standard (Data Aggregation 3.2.1.4). */
export const standardMethods = ['sum', 'min', 'max', 'average', 'countdistinct'] as const;

/** Methods of other languages, with their OData names. */
export const foreignMethods: ReadonlyMap<string, string> = new Map([
  ['avg', 'average'],
  ['mean', 'average'],
  ['total', 'sum'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['distinct', 'countdistinct'],
  ['distinctcount', 'countdistinct'],
]);

/** `aggregate(...)` after a collection; the cursor is on the name. */
export function parseAggregateExpr(cursor: Cursor, source: MemberExpr, parseExpr: ParseExpr): AggregateExpr {
  const { at } = take(cursor);
  const open = take(cursor);
  countNode(cursor);
  return nested(cursor, 'depth', () =>
    nested(cursor, 'functionDepth', () => {
      const expression = parseExpr(cursor);
      const method = takeMethod(cursor);
      const token = current(cursor);
      if (token.kind === 'word' && /^(?:as|from)$/i.test(token.name))
        throw syntaxError(
          cursor,
          token.at,
          'a value within an expression has no name of its own, write $these/aggregate(‹number› with sum)',
        );
      const counts = expression.kind === 'member' && expression.path.at(-1)?.name === '$count';
      if (method === undefined && !counts && isSymbol(token, ')'))
        throw syntaxError(cursor, token.at, 'with and a method are missing, write $these/aggregate(‹number› with sum)');
      if (method === undefined && !counts) throw operatorError(cursor);
      expectClose(cursor, open);
      return { kind: 'aggregate', at, source, expression, ...(method !== undefined && { method }) };
    }),
  );
}

/** An optional `with` and its method: one of the standard's, or the qualified name of a custom one. */
export function takeMethod(cursor: Cursor): string | undefined {
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
        'count is no method; write $count as Many, or with countdistinct for the number of different values',
      );
    const hint = nearest === undefined ? `one of ${standardMethods.join(', ')} is expected behind with` : `perhaps ${nearest} is meant`;
    throw syntaxError(cursor, token.at, name === '' ? hint : `${excerpt(name)} is no method, ${hint}`);
  }
  take(cursor);
  return standard ?? name;
}

/** Moves over a word such as `as` or `with`, if it follows with a space on each side. */
export function takeWord(cursor: Cursor, word: string): boolean {
  const token = current(cursor);
  if (token.kind !== 'word' || token.name.toLowerCase() !== word) return false;
  if (!token.spaced) throw syntaxError(cursor, token.at, `a space is missing before ${word}`);
  take(cursor);
  return true;
}
