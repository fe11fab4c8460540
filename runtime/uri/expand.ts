import { errors } from '../errors/catalogue.js';
import type { CommonExpr, PathSegment } from '../expression/ast.js';
import { current, expectSymbol, isSymbol, limitError, notOffered, syntaxError, take, takeSymbol, type Cursor } from '../expression/cursor.js';
import { operatorError } from '../expression/explain.js';
import { takeSegment, takeSlash } from '../expression/parse-member.js';
import { parseCommonExpr } from '../expression/parser.js';
import { uriLimits } from './limits.js';
import { systemOption, unknownOption, type OptionName } from './option-names.js';
import { parseOrderby } from './orderby.js';
import type { ExpandItem, QueryOptions } from './query-options.js';
import { parseBoolean, parseCount } from './scalar-options.js';
import { parseSelect } from './select.js';

/** ABNF rule expand behind its equals sign, inner options and all levels included. */
export function parseExpand(cursor: Cursor): readonly ExpandItem[] {
  return parseExpandItems({ cursor, items: 0 }, 1);
}

// All levels of one $expand share the count of items.
interface Expansion {
  readonly cursor: Cursor;
  items: number;
}

/** Options that an item may have, each read up to `;` or `)`; a new one is a row here. */
const innerOptions: { readonly [Name in OptionName]?: (expansion: Expansion, level: number) => QueryOptions } = {
  filter: ({ cursor }) => ({ filter: parseInnerFilter(cursor) }),
  orderby: ({ cursor }) => ({ orderby: parseOrderby(cursor) }),
  select: ({ cursor }) => ({ select: parseSelect(cursor) }),
  expand: (expansion, level) => ({ expand: parseExpandItems(expansion, level + 1) }),
  top: ({ cursor }) => ({ top: parseCount('$top', takeText(cursor)) }),
  skip: ({ cursor }) => ({ skip: parseCount('$skip', takeText(cursor)) }),
  count: ({ cursor }) => ({ count: parseBoolean('$count', takeText(cursor)) }),
};

function parseExpandItems(expansion: Expansion, level: number): readonly ExpandItem[] {
  const { cursor } = expansion;
  if (level > uriLimits.expandDepth) throw limitError(cursor, `$expand is nested more than ${uriLimits.expandDepth} deep.`);
  const items: ExpandItem[] = [];
  do {
    if (++expansion.items > uriLimits.expandItems) throw limitError(cursor, `$expand has more than ${uriLimits.expandItems} items.`);
    items.push(parseExpandItem(expansion, level));
  } while (takeSymbol(cursor, ','));
  return items;
}

function parseExpandItem(expansion: Expansion, level: number): ExpandItem {
  const { cursor } = expansion;
  const path = parseExpandPath(cursor);
  if (!isSymbol(current(cursor), '(')) return { path, options: {} };
  if (path.at(-1)?.name === '*') throw starOptions(cursor);
  return { path, options: parseInnerOptions(expansion, level) };
}

function parseExpandPath(cursor: Cursor): readonly PathSegment[] {
  const path = [takeExpandSegment(cursor)];
  while (takeSlash(cursor)) {
    const segment = takeExpandSegment(cursor);
    if (segment.name === '$ref' || segment.name === '$count') throw notOffered(cursor, `${segment.name} in $expand`);
    path.push(segment);
  }
  if (path.length > 1 && path.some(({ name }) => name === '*')) throw notOffered(cursor, 'A * behind a path in $expand');
  return path;
}

function takeExpandSegment(cursor: Cursor): PathSegment {
  const token = current(cursor);
  if (takeSymbol(cursor, '*')) return { name: '*', at: token.at };
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a navigation property or * is expected');
  return takeSegment(cursor);
}

// ABNF rule expandItem: behind * only $levels may stand.
function starOptions(cursor: Cursor): Error {
  take(cursor);
  const token = current(cursor);
  if (token.kind === 'word' && /^\$?levels$/i.test(token.name)) return notOffered(cursor, 'The option $levels');
  return syntaxError(cursor, token.at, '* takes no options, write the navigation properties by name');
}

function parseInnerOptions(expansion: Expansion, level: number): QueryOptions {
  const { cursor } = expansion;
  const open = take(cursor);
  const options = parseInnerOption(expansion, level, {});
  const parsed = parseFurtherOptions(expansion, level, options);
  const token = current(cursor);
  const expected = token.kind === 'end' ? `the parenthesis that opens at position ${open.at + 1} is not closed` : 'a semicolon or a closing parenthesis is expected';
  expectSymbol(cursor, ')', expected);
  return parsed;
}

function parseFurtherOptions(expansion: Expansion, level: number, first: QueryOptions): QueryOptions {
  let options = first;
  while (takeSymbol(expansion.cursor, ';')) options = parseInnerOption(expansion, level, options);
  return options;
}

function parseInnerOption(expansion: Expansion, level: number, before: QueryOptions): QueryOptions {
  const { cursor } = expansion;
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'an option such as $select=... is expected');
  const name = systemOption(token.name, '$expand');
  const parse = name && innerOptions[name];
  if (name === undefined || parse === undefined) throw name === undefined ? unknownOption(token.name).at('$expand') : notInside(name);
  if (name in before) throw errors.badOption(`$${name} is given twice in one item of $expand.`).at('$expand');
  take(cursor);
  expectSymbol(cursor, '=', `an equals sign is expected after ${token.name}`);
  return { ...before, ...parse(expansion, level) };
}

function parseInnerFilter(cursor: Cursor): CommonExpr {
  const filter = parseCommonExpr(cursor);
  const token = current(cursor);
  if (token.kind !== 'end' && !isSymbol(token, ';') && !isSymbol(token, ')')) throw operatorError(cursor);
  return filter;
}

function notInside(name: OptionName): Error {
  return errors.badOption(`$${name} cannot stand in an item of $expand.`).at('$expand');
}

// The text up to the next separator, so that a wrong value is quoted whole.
function takeText(cursor: Cursor): string {
  const { at } = current(cursor);
  let end = at;
  for (let token = current(cursor); token.kind !== 'end' && !/^[;),(]$/.test(token.kind === 'symbol' ? token.symbol : ''); token = current(cursor)) {
    end = take(cursor).end;
  }
  return cursor.source.text.slice(at, end);
}
