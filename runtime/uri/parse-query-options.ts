import { expressionHooks } from '../expression/hooks.js';
import { errors } from '../errors/catalogue.js';
import type { CommonExpr } from '../expression/ast.js';
import { current, openCursor, syntaxError, type Cursor, type LiteralParameters } from '../expression/cursor.js';
import { describeToken } from '../expression/explain.js';
import { expectEnd, parseFilter, requireNoLeadingSpace } from '../expression/parser.js';
import { uriHooks } from './hooks.js';
import { parseBoolean, parseCompute, parseCount, parseIndex, parseOrderby, parseSchemaVersion, parseText } from './option-values.js';
import { parseExpand } from './expand.js';
import { excerpt } from '../errors/suggest.js';
import { isAliasName, systemOption, type OptionName } from './option-names.js';
import type { ParsedQuery, QueryOptions } from './query-options.js';
import { parseSelect } from './select.js';
import type { ParameterRecording } from './shape.js';
import { optionTexts, rawOption, splitOption } from './decode-url.js';

/** Parses the query string after the question mark, still percent-encoded. */
export function parseQueryOptions(rawQuery: string, parameters?: ParameterRecording): ParsedQuery {
  const split = optionTexts(rawQuery).map(splitOption);
  // Unknown options are rejected before any value is read, as where the plan is kept.
  const raw = split.map(rawOption);
  const options: QueryOptions = {};
  for (const [index, { name, value }] of split.entries()) {
    const system = systemOption(name);
    if (system !== undefined) Object.assign(options, parseOption(system, value, options, parameters?.literalsOf(index + 1)));
    else if (isAliasName(name)) Object.assign(options, parseAlias(name, value, options));
    else requireNoMistake(name);
  }
  return { options, raw };
}

/** Mistakes that would be custom options, which are ignored, with the advice for each. */
const mistakes: readonly (readonly [pattern: RegExp, advice: (name: string) => string])[] = [
  [/^\?\$/, (name) => `The options begin with one ?; write ?${excerpt(name.slice(1))}=...`],
  [
    /^%(?:24|40)/,
    (name) => `'${excerpt(name)}' is percent-encoded twice; write ${excerpt(decodeURIComponent(name.slice(0, 3)) + name.slice(3))}=...`,
  ],
  [/^amp;\$/, (name) => `Options are separated by &, not by &amp;; write &${excerpt(name.slice(4))}=...`],
  [
    /^\s|\s(?:and|or|eq|ne|gt|ge|lt|le|in|has)\s/,
    (name) =>
      `An & ends an option, so '${excerpt(name.trim())}' would be a separate option; join conditions with and, and write %26 for an & within a string.`,
  ],
];

function requireNoMistake(name: string): void {
  const [, advice] = mistakes.find(([pattern]) => pattern.test(name)) ?? [];
  if (advice) throw errors.badOption(advice(name)).at('query string');
}

type ReadOption = (value: string, option: string, parameters: LiteralParameters | undefined) => QueryOptions;

/** The parser of each option's value; a new option is a row here. */
const systemOptions: { readonly [Name in OptionName]: ReadOption } = {
  filter: (value, option, parameters) => ({ filter: parseFilter(value, option, parameters) }),
  orderby: (value, option, parameters) => ({ orderby: parseWhole(value, option, parseOrderby, expectEnd, parameters) }),
  select: (value, option, parameters) => ({ select: parseWhole(value, option, parseSelect, expectListEnd, parameters) }),
  expand: (value, option, parameters) => ({ expand: parseWhole(value, option, parseExpand, expectListEnd, parameters) }),
  top: (value, option) => ({ top: parseCount(option, value) }),
  skip: (value, option) => ({ skip: parseCount(option, value) }),
  count: (value, option) => ({ count: parseBoolean(option, value) }),
  compute: (value, option, parameters) => ({ compute: parseWhole(value, option, parseCompute, expectListEnd, parameters) }),
  search: (value, option) => ({ search: expressionHooks.get('search').parse(value, option) }),
  apply: (value, option, parameters) => ({ apply: parseWhole(value, option, uriHooks.get('parseApply'), expectEnd, parameters) }),
  levels: (_, option) => {
    throw errors.badOption(`${option} belongs to an item of $expand: write $expand=Name($levels=2).`).at(option);
  },
  index: (value, option) => ({ index: parseIndex(option, value) }),
  schemaversion: (value, option) => ({ schemaversion: parseSchemaVersion(option, value) }),
  id: (value, option) => ({ id: parseText(option, value) }),
  deltatoken: (value, option) => ({ deltatoken: parseText(option, value) }),
  skiptoken: (value, option) => ({ skiptoken: parseText(option, value) }),
  format: (value, option) => ({ format: parseText(option, value) }),
};

// Libraries that take a list of values repeat the option for each.
function insteadOf(name: OptionName): string {
  if (name === 'filter') return '; join its conditions with and';
  return ['select', 'expand', 'orderby', 'compute'].includes(name) ? `; write its items in one, $${name}=A,B` : '';
}

function parseOption(
  name: OptionName,
  value: string | undefined,
  before: QueryOptions,
  parameters: LiteralParameters | undefined,
): QueryOptions {
  const option = `$${name}`;
  if (name in before) throw errors.badOption(`${option} is repeated${insteadOf(name)}.`).at(option);
  if (value === undefined) throw errors.badOption(`${option} has no value; write ${option}=...`).at(option);
  return systemOptions[name](value, option, parameters);
}

/** The value of a parameter alias, or of a function's parameter given in the query string (ABNF rule aliasAndValue). */
export function parseAliasValue(value: string, name: string): CommonExpr {
  return parseFilter(value, name);
}

function parseAlias(name: string, value: string | undefined, before: QueryOptions): QueryOptions {
  if (before.aliases?.has(name)) throw errors.badOption(`${name} is repeated.`).at(name);
  if (value === undefined) throw errors.badOption(`${name} has no value; write ${name}=...`).at(name);
  return { aliases: new Map(before.aliases).set(name, parseAliasValue(value, name)) };
}

function parseWhole<Result>(
  value: string,
  option: string,
  parse: (cursor: Cursor) => Result,
  finish: (cursor: Cursor) => void,
  parameters: LiteralParameters | undefined,
): Result {
  const cursor = openCursor(value, option, parameters);
  requireNoLeadingSpace(cursor);
  const result = parse(cursor);
  finish(cursor);
  return result;
}

function expectListEnd(cursor: Cursor): void {
  const token = current(cursor);
  if (token.kind !== 'end') throw syntaxError(cursor, token.at, `a comma or the end is expected, not ${describeToken(cursor, token)}`);
}
