import { callText } from '../../../expression/advice.js';
import { errors } from '../../../errors/catalogue.js';
import { excerpt, nearestOf } from '../../../errors/suggest.js';
import {
  ahead,
  countNode,
  current,
  isSymbol,
  nested,
  opensCall,
  syntaxError,
  take,
  takeSymbol,
  type Cursor,
} from '../../../expression/cursor.js';
import { expectClose } from '../../../expression/parse-items.js';
import { takePath } from '../../../expression/parse-member.js';
import type { GroupbyTransformation, GroupingElement, Transformation } from '../../../uri/query-options.js';

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
  const groups = isSymbol(current(cursor), ')') ? [] : parseGroups(cursor);
  expectClose(cursor, open);
  if (!takeSymbol(cursor, ',')) return { kind: 'groupby', at, groups };
  const aggregate = parseTransformation(cursor);
  if (aggregate.kind !== 'aggregate' || isSymbol(current(cursor), '/'))
    throw errors.notImplemented('Another transformation than one aggregate within groupby').at(cursor.source.option);
  return { kind: 'groupby', at, groups, aggregate };
}

function parseGroups(cursor: Cursor): readonly GroupingElement[] {
  const groups = [parseGroup(cursor)];
  while (takeSymbol(cursor, ',')) groups.push(parseGroup(cursor));
  return groups;
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
    const paths = [takePath(cursor)];
    while (takeSymbol(cursor, ',')) paths.push(takePath(cursor));
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
