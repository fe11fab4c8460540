import { errors } from '../errors/catalogue.js';
import type { CommonExpr } from '../expression/ast.js';
import { current, openCursor, syntaxError, type Cursor } from '../expression/cursor.js';
import { describeToken } from '../expression/explain.js';
import { parseSearch } from '../expression/parse-search.js';
import { expectEnd, parseFilter, requireNoLeadingSpace } from '../expression/parser.js';
import { parseApply } from './apply.js';
import { parseCompute } from './compute.js';
import { parseExpand } from './expand.js';
import { uriLimits } from './limits.js';
import { isAliasName, systemOption, type OptionName } from './option-names.js';
import { parseOrderby } from './orderby.js';
import { decodeQueryText } from './percent-decode.js';
import type { ParsedQuery, QueryOptions, RawOption } from './query-options.js';
import { parseBoolean, parseCount, parseIndex, parseSchemaVersion, parseText } from './scalar-options.js';
import { parseSelect } from './select.js';

/** The query string as it stands in the URL, behind the question mark. */
export function parseQueryOptions(rawQuery: string): ParsedQuery {
  const texts = rawQuery.split('&').filter((text) => text !== '');
  if (texts.length > uriLimits.options) throw errors.limitExceeded(`The query string has more than ${uriLimits.options} options.`);
  const raw: RawOption[] = [];
  const options: QueryOptions = {};
  for (const text of texts) {
    const { name, value } = splitOption(text);
    const system = systemOption(name);
    raw.push({ name: system === undefined ? name : `$${system}`, value: value ?? '', text });
    if (system !== undefined) Object.assign(options, parseOption(system, value, options));
    else if (isAliasName(name)) Object.assign(options, parseAlias(name, value, options));
  }
  return { options, raw };
}

/** How each option's value is read; a new one is a row here. */
const systemOptions: { readonly [Name in OptionName]: (value: string, option: string) => QueryOptions } = {
  filter: (value, option) => ({ filter: parseFilter(value, option) }),
  orderby: (value, option) => ({ orderby: parseWhole(value, option, parseOrderby, expectEnd) }),
  select: (value, option) => ({ select: parseWhole(value, option, parseSelect, expectListEnd) }),
  expand: (value, option) => ({ expand: parseWhole(value, option, parseExpand, expectListEnd) }),
  top: (value, option) => ({ top: parseCount(option, value) }),
  skip: (value, option) => ({ skip: parseCount(option, value) }),
  count: (value, option) => ({ count: parseBoolean(option, value) }),
  compute: (value, option) => ({ compute: parseWhole(value, option, parseCompute, expectListEnd) }),
  search: (value, option) => ({ search: parseSearch(value, option) }),
  apply: (value, option) => ({ apply: parseWhole(value, option, parseApply, expectEnd) }),
  levels: (_, option) => {
    throw errors.badOption(`${option} stands in an item of $expand: write $expand=Name($levels=2).`).at(option);
  },
  index: (value, option) => ({ index: parseIndex(option, value) }),
  schemaversion: (value, option) => ({ schemaversion: parseSchemaVersion(option, value) }),
  id: (value, option) => ({ id: parseText(option, value) }),
  deltatoken: (value, option) => ({ deltatoken: parseText(option, value) }),
  skiptoken: (value, option) => ({ skiptoken: parseText(option, value) }),
  format: (value, option) => ({ format: parseText(option, value) }),
};

function parseOption(name: OptionName, value: string | undefined, before: QueryOptions): QueryOptions {
  const option = `$${name}`;
  if (name in before) throw errors.badOption(`${option} is given twice.`).at(option);
  if (value === undefined) throw errors.badOption(`${option} has no value; write ${option}=...`).at(option);
  return systemOptions[name](value, option);
}

/** The value of a parameter alias, or of a function's parameter that is given in the query string (ABNF rule aliasAndValue). */
export function parseAliasValue(value: string, name: string): CommonExpr {
  return parseFilter(value, name);
}

function parseAlias(name: string, value: string | undefined, before: QueryOptions): QueryOptions {
  if (before.aliases?.has(name)) throw errors.badOption(`${name} is given twice.`).at(name);
  if (value === undefined) throw errors.badOption(`${name} has no value; write ${name}=...`).at(name);
  return { aliases: new Map(before.aliases).set(name, parseAliasValue(value, name)) };
}

function parseWhole<Result>(value: string, option: string, parse: (cursor: Cursor) => Result, finish: (cursor: Cursor) => void): Result {
  const cursor = openCursor(value, option);
  requireNoLeadingSpace(cursor);
  const result = parse(cursor);
  finish(cursor);
  return result;
}

function expectListEnd(cursor: Cursor): void {
  const token = current(cursor);
  if (token.kind !== 'end') throw syntaxError(cursor, token.at, `a comma or the end is expected, not ${describeToken(cursor, token)}`);
}

// The first equals sign separates; a name may be percent-encoded as well (%24filter).
function splitOption(text: string): { name: string; value: string | undefined } {
  const equals = text.indexOf('=');
  const name = decodeQueryText(equals < 0 ? text : text.slice(0, equals), 'query string');
  return { name, value: equals < 0 ? undefined : decodeQueryText(text.slice(equals + 1), 'query string') };
}
