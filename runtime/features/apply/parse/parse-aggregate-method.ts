import { excerpt, nearestOf } from '../../../errors/suggest.js';
import { current, syntaxError, take, takeWord, type Cursor } from '../../../expression/cursor.js';

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
        'count is not a method; write $count as Many, or with countdistinct for the number of different values',
      );
    const hint = nearest === undefined ? `one of ${standardMethods.join(', ')} is expected after with` : `perhaps ${nearest} is meant`;
    throw syntaxError(cursor, token.at, name === '' ? hint : `${excerpt(name)} is not a method, ${hint}`);
  }
  take(cursor);
  return standard ?? name;
}
