import { expressionHooks } from '../expression/hooks.js';
import { errors } from '../errors/catalogue.js';
import { located } from '../errors/odata-error.js';
import type { CommonExpr, PathSegment } from '../expression/ast.js';
import { ahead, current, type Cursor, expectSymbol, isSymbol, limitError, syntaxError, take, takeSymbol } from '../expression/cursor.js';
import { operatorError } from '../expression/explain.js';
import { takePathSlash, takeSegment } from '../expression/parse-member.js';
import { parseCommonExpr } from '../expression/parser.js';
import type { Token } from '../expression/token.js';
import { isAliasName, type OptionName, systemOption, unknownOption } from './option-names.js';
import { parseBoolean, parseCompute, parseCount, parseLevels, parseOrderby } from './option-values.js';
import { type ExpandItem, type QueryOptions, uriLimits } from './query-options.js';
import { parseSelectItems } from './select.js';

/** ABNF rule expand after its equals sign, inner options and all levels included. */
export function parseExpand(cursor: Cursor): readonly ExpandItem[] {
  return parseExpandItems({ cursor, level: 1, counter: { expanded: 0 } });
}

/** One list of items of `$expand`, at any level. */
function parseExpandItems(nesting: Nesting): readonly ExpandItem[] {
  const { cursor, level, counter } = nesting;
  if (level > uriLimits.expandDepth) throw limitError(cursor, `$expand is nested more than ${uriLimits.expandDepth} levels deep.`);
  const items: ExpandItem[] = [];
  do {
    if (++counter.expanded > uriLimits.expandItems) throw limitError(cursor, `$expand has more than ${uriLimits.expandItems} items.`);
    items.push(parseExpandItem(nesting));
  } while (takeSymbol(cursor, ','));
  return items;
}

function parseExpandItem(nesting: Nesting): ExpandItem {
  const path = parseExpandPath(nesting.cursor);
  refuseOtherParentheses(nesting);
  if (!isSymbol(current(nesting.cursor), '(')) return { path, options: {} };
  return { path, options: parseInnerOptions(nesting, itemKind(path)) };
}

// Rejects options in brackets or braces after a name, as other languages write them.
function refuseOtherParentheses({ cursor, level }: Nesting): void {
  const token = current(cursor);
  const next = ahead(cursor, 1);
  const isOption = (one: typeof token): boolean => one.kind === 'word' && one.name.startsWith('$');
  const opens = token.kind === 'json' || ['[', '{', '?'].some((symbol) => isSymbol(token, symbol as '['));
  if (opens || isOption(token))
    throw syntaxError(cursor, token.at, 'the options of an item follow its name in parentheses, write ‹related›($top=1)');
  // Within an item's parentheses the next option follows.
  if (isSymbol(token, ';') && isOption(next) && level === 1)
    throw syntaxError(
      cursor,
      token.at,
      'the options of an item follow its name in parentheses, write ‹related›($top=1;$select=‹relatedText›)',
    );
}

function itemKind(path: readonly PathSegment[]): ItemKind {
  const last = path.at(-1)?.name;
  return last === '*' || last === '$ref' || last === '$count' ? last : 'item';
}

function parseExpandPath(cursor: Cursor): readonly PathSegment[] {
  const path = [takeExpandSegment(cursor)];
  while (takePathSlash(cursor, path)) {
    path.push(takeExpandSegment(cursor));
    requireOrder(cursor, path);
  }
  const [only] = path;
  // The content of a media entity is addressed as `$value` only.
  if (only?.name.startsWith('$') && isSymbol(current(cursor), '='))
    throw syntaxError(
      cursor,
      only.at,
      `the options of an item follow its name in parentheses, write ‹related›(${only.name}=...); options of the request start with &`,
    );
  if (only?.name.startsWith('$') && only.name !== '$value')
    throw syntaxError(cursor, only.at, `the name of a navigation property is missing before ${only.name}`);
  return path;
}

function takeExpandSegment(cursor: Cursor): PathSegment {
  const token = current(cursor);
  if (takeSymbol(cursor, '*')) return { name: '*', at: token.at };
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'the name of a navigation property or * is expected');
  return takeSegment(cursor);
}

// Nothing follows $ref and $count; only $ref follows * (ABNF rule expandItem).
function requireOrder(cursor: Cursor, path: readonly PathSegment[]): void {
  const [before, last] = [path.at(-2), path.at(-1)];
  if (before === undefined || last === undefined) return;
  if (before.name.startsWith('$')) throw syntaxError(cursor, last.at, `nothing can follow ${before.name} in $expand`);
  if (before.name === '*' && last.name !== '$ref') throw syntaxError(cursor, last.at, 'only $ref can follow * in $expand');
  if (last.name.startsWith('$') && last.name !== '$ref' && last.name !== '$count')
    throw syntaxError(cursor, last.at, `$expand does not allow ${last.name}, only $ref and $count`);
}

/** A list of items that may have options. */
export interface Nesting {
  readonly cursor: Cursor;
  /** The depth of this list of `$expand`, 1 for the outermost. */
  readonly level: number;
  /** All levels share the count of expanded items. */
  readonly counter: { expanded: number };
}

/** The kind of an item, which determines its options (ABNF rules expandOption, expandRefOption, expandCountOption, selectOption). */
type ItemKind = 'item' | '$ref' | '$count' | '*' | 'property';

const refOptions: readonly OptionName[] = ['filter', 'orderby', 'search', 'top', 'skip', 'count'];
const allowedOptions: { readonly [Kind in ItemKind]: ReadonlySet<OptionName> } = {
  item: new Set<OptionName>([...refOptions, 'select', 'expand', 'compute', 'levels']),
  $ref: new Set<OptionName>([...refOptions, 'levels']),
  $count: new Set<OptionName>(['filter', 'search']),
  '*': new Set<OptionName>(['levels']),
  property: new Set<OptionName>([...refOptions, 'select', 'expand', 'compute']),
};

/** The parser of each option's value, up to `;` or `)`; a new option is a row here. */
const innerOptions: { readonly [Name in OptionName]?: (nesting: Nesting) => QueryOptions } = {
  filter: ({ cursor }) => ({ filter: parseInnerExpr(cursor) }),
  orderby: ({ cursor }) => ({ orderby: parseOrderby(cursor) }),
  search: ({ cursor }) => ({ search: expressionHooks.get('search').parseInner(cursor) }),
  compute: ({ cursor }) => ({ compute: parseCompute(cursor) }),
  select: (nesting) => ({ select: parseSelectItems(nesting) }),
  expand: (nesting) => ({ expand: parseExpandItems({ ...nesting, level: nesting.level + 1 }) }),
  top: ({ cursor }) => ({ top: parseCount('$top', takeText(cursor)) }),
  skip: ({ cursor }) => ({ skip: parseCount('$skip', takeText(cursor)) }),
  count: ({ cursor }) => ({ count: parseBoolean('$count', takeText(cursor)) }),
  levels: ({ cursor }) => ({ levels: parseLevels('$levels', takeText(cursor)) }),
};

/** Parses the options in parentheses after an item; the cursor is on the parenthesis. */
export function parseInnerOptions(nesting: Nesting, kind: ItemKind): QueryOptions {
  const { cursor } = nesting;
  const open = take(cursor);
  let options = parseInnerOption(nesting, kind, {});
  for (let count = 2; takeSymbol(cursor, ';'); count++) {
    if (count > uriLimits.options)
      throw limitError(cursor, `An item of ${cursor.source.option} has more than ${uriLimits.options} options.`);
    options = parseInnerOption(nesting, kind, options);
  }
  const token = current(cursor);
  const expected =
    isSymbol(token, '=') || isSymbol(token, ',')
      ? 'a semicolon separates the options of an item, not a comma'
      : 'a semicolon or a closing parenthesis is expected';
  const unclosed = `the parenthesis that opens at position ${open.at + 1} is not closed; a semicolon separates the options in it, not &`;
  expectSymbol(cursor, ')', token.kind === 'end' ? unclosed : expected);
  return options;
}

// Errors of an inner option name it, but their place is in the outermost one.
function parseInnerOption(nesting: Nesting, kind: ItemKind, before: QueryOptions): QueryOptions {
  const { cursor } = nesting;
  return located({ at: current(cursor).at, option: cursor.source.option }, () => parseNamedOption(nesting, kind, before));
}

function parseNamedOption(nesting: Nesting, kind: ItemKind, before: QueryOptions): QueryOptions {
  const { cursor } = nesting;
  const { option } = cursor.source;
  const token = current(cursor);
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'an option such as $select=... is expected');
  if (kind !== '*' && isAliasName(token.name, option)) return parseInnerAlias(cursor, token.name, before);
  const name = systemOption(token.name, option);
  const parse = name && innerOptions[name];
  if (name === undefined && !isSymbol(ahead(cursor, 1), '='))
    throw syntaxError(cursor, token.at, `the parentheses of an item contain options, write $select=${token.name}`);
  if (name === undefined) throw unknownOption(token.name).at(option);
  if (name === 'apply' && kind === 'item')
    throw errors.notImplemented(`$apply within ${option}`, 'Use $apply at the address of the related records.').at(option);
  if (parse === undefined || !allowedOptions[kind].has(name)) throw notInside(cursor, name, kind);
  if (name in before) throw errors.badOption(`$${name} is repeated in one item of ${option}.`).at(option);
  take(cursor);
  expectSymbol(cursor, '=', `an equals sign is expected after ${token.name}`);
  // Words of $search are no tokens, so the value is not looked at here.
  return located({ at: token.end + 1, option }, () => ({ ...before, ...parse(nesting) }));
}

function parseInnerAlias(cursor: Cursor, name: string, before: QueryOptions): QueryOptions {
  const { option } = cursor.source;
  if (before.aliases?.has(name)) throw errors.badOption(`${name} is repeated in one item of ${option}.`).at(option);
  take(cursor);
  expectSymbol(cursor, '=', `an equals sign is expected after ${name}`);
  return { ...before, aliases: new Map(before.aliases).set(name, parseInnerExpr(cursor)) };
}

function parseInnerExpr(cursor: Cursor): CommonExpr {
  const expr = parseCommonExpr(cursor);
  const token = current(cursor);
  if (token.kind !== 'end' && !isSymbol(token, ';') && !isSymbol(token, ')')) throw operatorError(cursor);
  return expr;
}

function notInside(cursor: Cursor, name: OptionName, kind: ItemKind): Error {
  const { option } = cursor.source;
  if (kind === '*')
    return syntaxError(cursor, current(cursor).at, '* allows no options except $levels; write the navigation properties by name');
  const where = kind === '$ref' || kind === '$count' ? `after ${kind} in ${option}` : `in an item of ${option}`;
  return errors.badOption(`$${name} is not allowed ${where}.`).at(option);
}

/** The most tokens of a wrong value that a message quotes; a right value has one token. */
const mostQuoted = 32;

// The text up to the next separator, or its beginning where it is long: a message quotes it.
function takeText(cursor: Cursor): string {
  const { at } = current(cursor);
  let end = at;
  for (let taken = 0; taken < mostQuoted && !endsText(current(cursor)); taken++) end = take(cursor).end;
  return cursor.source.text.slice(at, end);
}

function endsText(token: Token): boolean {
  return token.kind === 'end' || (token.kind === 'symbol' && /^[;),(]$/.test(token.symbol));
}
