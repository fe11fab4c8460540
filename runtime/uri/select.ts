import type { PathSegment } from '../expression/ast.js';
import { ahead, current, type Cursor, isSymbol, limitError, opensCall, syntaxError, take, takeSymbol } from '../expression/cursor.js';
import { isMethod } from '../expression/methods.js';
import { operatorNamed } from '../expression/operators.js';
import { parseItems, parseList } from '../expression/parse-items.js';
import { takePathSlash, takeSegment } from '../expression/parse-member.js';
import { type Nesting, parseInnerOptions } from './expand.js';
import { type SelectItem, uriLimits } from './query-options.js';

/** ABNF rule select after its equals sign: `*`, paths with their options, and operations. */
export function parseSelect(cursor: Cursor): readonly SelectItem[] {
  return parseSelectItems({ cursor, level: 0, counter: { expanded: 0 } });
}

/** One list of items of `$select`, at any level. */
export function parseSelectItems(nesting: Nesting): readonly SelectItem[] {
  return parseList(nesting.cursor, 'select', uriLimits.select, () => parseSelectItem(nesting));
}

function parseSelectItem(nesting: Nesting): SelectItem {
  const { cursor } = nesting;
  const token = current(cursor);
  if (takeSymbol(cursor, '*')) return { kind: 'star', at: token.at };
  if (token.kind === 'literal' || isSymbol(token, '"'))
    throw syntaxError(cursor, token.at, 'names have no quotes, write $select=‹text›,‹number›');
  if (token.kind === 'json' || isSymbol(token, '[') || isSymbol(token, '('))
    throw syntaxError(cursor, token.at, 'names have no brackets, write $select=‹text›,‹number›');
  if (token.kind !== 'word') throw syntaxError(cursor, token.at, 'a property name or * is expected');
  if (isSymbol(ahead(cursor, 1), '.')) return parseOperations(cursor);
  const path: PathSegment[] = [takeSegment(cursor)];
  if (path[0]) refuseValue(cursor, path[0]);
  while (takePathSlash(cursor, path)) path.push(takeSelected(cursor, path));
  const item = { kind: 'member', at: token.at, path } as const;
  if (!isSymbol(current(cursor), '(')) return item;
  return isOption(cursor) ? { ...item, options: nested(nesting) } : { ...item, parameterNames: parseParameterNames(cursor) };
}

function takeSelected(cursor: Cursor, path: readonly PathSegment[]): PathSegment {
  const token = current(cursor);
  if (isSymbol(token, '*')) throw syntaxError(cursor, token.at, `* must be the last segment; ${instead(path.map(({ name }) => name))}`);
  return takeSegment(cursor);
}

// The advice after a type cast: the properties are named, since the grammar has no star there.
function instead(names: readonly string[]): string {
  const path = names.join('/');
  return names.at(-1)?.includes('.')
    ? `name the properties of the type, write ${path}/Name,${path}/Other`
    : `all properties of related records are $expand=${path}`;
}

// ABNF rule allOperationsInSchema: `Namespace.*`.
function parseOperations(cursor: Cursor): SelectItem {
  const { name: namespace, at } = takeSegment(cursor);
  take(cursor);
  const token = current(cursor);
  if (!takeSymbol(cursor, '*')) throw syntaxError(cursor, token.at, `write ${namespace}.* for all operations of the schema`);
  return { kind: 'operations', at, namespace };
}

// Lists of $select nest as deep as parentheses may.
function nested(nesting: Nesting): ReturnType<typeof parseInnerOptions> {
  const { levels, source } = nesting.cursor;
  if (levels.depth >= uriLimits.selectDepth)
    throw limitError(nesting.cursor, `$select in ${source.option} is nested more than ${uriLimits.selectDepth} levels deep.`);
  levels.depth++;
  const options = parseInnerOptions(nesting, 'property');
  levels.depth--;
  return options;
}

// Whether an option begins here: a name with an equals sign, or a name that only an option has.
function isOption(cursor: Cursor): boolean {
  const token = ahead(cursor, 1);
  if (token.kind === 'word' && /^[$@]/.test(token.name)) return true;
  return token.kind === 'word' && isSymbol(ahead(cursor, 2), '=');
}

// ABNF rule parameterNames: the names select one overload of a function.
function parseParameterNames(cursor: Cursor): readonly string[] {
  const open = take(cursor);
  return parseItems(cursor, open, (inner) => takeSegment(inner).name);
}

const aggregates: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'average', 'min', 'max', 'countdistinct']);

/** Rejects SQL in `$select`: functions, operators, aliases, distinct. */
function refuseValue(cursor: Cursor, { name, at }: PathSegment): void {
  const next = current(cursor);
  const advice = opensCall(next) ? callAdvice(name, ahead(cursor, 1)) : suffixAdvice(name, next);
  if (advice !== undefined) throw syntaxError(cursor, opensCall(next) ? at : next.at, advice);
}

function callAdvice(name: string, argument: ReturnType<typeof current>): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'count' && isSymbol(argument, '*'))
    return 'records are counted by /$count after the set, $count=true, or $apply=aggregate($count as Many)';
  if (aggregates.has(lower)) return 'values are aggregated by $apply=aggregate(‹number› with sum as Total)';
  if (lower === 'distinct') return 'distinct values are $apply=groupby((‹text›))';
  return isMethod(lower) ? `a value is computed first, write $compute=${lower}(...) as Name&$select=Name` : undefined;
}

function suffixAdvice(name: string, next: ReturnType<typeof current>): string | undefined {
  if (next.kind === 'word' && /^(?:distinct|unique)$/i.test(name)) return 'distinct values are $apply=groupby((‹text›))';
  if (next.kind === 'word' && next.name.toLowerCase() === 'as')
    return `a property cannot be renamed in $select; an alias is $compute=${name} as Name&$select=Name`;
  const operator = next.kind === 'word' ? operatorNamed(next.name) !== undefined : next.kind === 'symbol' && /^[-+*%|]$/.test(next.symbol);
  return operator ? 'a value is computed first, write $compute=‹number› mul 2 as Double&$select=Double' : undefined;
}
