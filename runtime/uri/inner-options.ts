import { errors } from '../errors/catalogue.js';
import type { CommonExpr } from '../expression/ast.js';
import { ahead, current, expectSymbol, isSymbol, limitError, syntaxError, take, takeSymbol, type Cursor } from '../expression/cursor.js';
import { operatorError } from '../expression/explain.js';
import { parseInnerSearch } from '../expression/parse-search.js';
import { parseCommonExpr } from '../expression/parser.js';
import type { Token } from '../expression/token.js';
import { uriHooks } from './hooks.js';
import { parseCompute } from './compute.js';
import { parseExpandItems } from './expand.js';
import { uriLimits } from './limits.js';
import { isAliasName, systemOption, unknownOption, type OptionName } from './option-names.js';
import { parseOrderby } from './orderby.js';
import type { QueryOptions } from './query-options.js';
import { parseBoolean, parseCount, parseLevels } from './scalar-options.js';
import { parseSelectItems } from './select.js';

/** A list of items that may have options. */
export interface Nesting {
  readonly cursor: Cursor;
  /** The depth of this list of `$expand`, 1 for the outermost. */
  readonly level: number;
  /** All levels share the count of expanded items. */
  readonly counter: { expanded: number };
}

/**
 * The kind of an item, which determines its options (ABNF rules expandOption, expandRefOption, expandCountOption,
 * selectOption).
 */
export type ItemKind = 'item' | '$ref' | '$count' | '*' | 'property';

const refOptions: readonly OptionName[] = ['filter', 'orderby', 'search', 'top', 'skip', 'count'];
const allowedOptions: { readonly [Kind in ItemKind]: ReadonlySet<OptionName> } = {
  item: new Set<OptionName>([...refOptions, 'select', 'expand', 'compute', 'apply', 'levels']),
  $ref: new Set<OptionName>([...refOptions, 'levels']),
  $count: new Set<OptionName>(['filter', 'search']),
  '*': new Set<OptionName>(['levels']),
  property: new Set<OptionName>([...refOptions, 'select', 'expand', 'compute']),
};

/** The parser of each option's value, up to `;` or `)`; a new option is a row here. */
const innerOptions: { readonly [Name in OptionName]?: (nesting: Nesting) => QueryOptions } = {
  filter: ({ cursor }) => ({ filter: parseInnerExpr(cursor) }),
  orderby: ({ cursor }) => ({ orderby: parseOrderby(cursor) }),
  search: ({ cursor }) => ({ search: parseInnerSearch(cursor) }),
  compute: ({ cursor }) => ({ compute: parseCompute(cursor) }),
  apply: ({ cursor }) => ({ apply: uriHooks.get('parseInnerApply')(cursor) }),
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

function parseInnerOption(nesting: Nesting, kind: ItemKind, before: QueryOptions): QueryOptions {
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
  if (parse === undefined || !allowedOptions[kind].has(name)) throw notInside(cursor, name, kind);
  if (name in before) throw errors.badOption(`$${name} is repeated in one item of ${option}.`).at(option);
  take(cursor);
  expectSymbol(cursor, '=', `an equals sign is expected after ${token.name}`);
  return { ...before, ...parse(nesting) };
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
