import { expressionHooks } from '../../../expression/hooks.js';
import { errors } from '../../../errors/catalogue.js';
import { located } from '../../../errors/odata-error.js';
import { excerpt, nearestOf } from '../../../errors/suggest.js';
import type { Cursor } from '../../../expression/cursor.js';
import { ahead, countNode, current, expectSymbol, isSymbol, nested, opensCall, syntaxError, take } from '../../../expression/cursor.js';
import { commaSeparated, expectClose } from '../../../expression/parse-items.js';
import { takeSlash } from '../../../expression/parse-member.js';
import { parseCommonExpr } from '../../../expression/parser.js';
import { parseCompute, parseCount, parseOrderby } from '../../../uri/option-values.js';
import type { RankMethod, Transformation } from '../../../uri/query-options.js';
import { parseAggregate, parseGroupby } from './parse-group.js';

/** Transformations of other languages, in lower case, with their OData replacement. */
const transformations: ReadonlyMap<string, string> = new Map([
  ['having', 'filter(Many gt 1)'],
  ['where', `filter(‹text› eq 'x')`],
  ['limit', 'top(10)'],
  ['take', 'top(10)'],
  ['head', 'top(10)'],
  ['first', 'top(1)'],
  ['offset', 'skip(10)'],
  ['sort', 'orderby(‹number› desc)'],
  ['sortby', 'orderby(‹number› desc)'],
  ['order', 'orderby(‹number› desc)'],
  ['orderbydesc', 'orderby(‹number› desc)'],
  ['select', 'groupby((‹text›)), or $select after $apply'],
  ['distinct', 'groupby((‹text›))'],
  ['unique', 'groupby((‹text›))'],
  ['group', 'groupby((‹text›),aggregate($count as Many))'],
  ['rollup', 'groupby((rollup($all,‹text›)),aggregate($count as Many))'],
  ['count', 'aggregate($count as Many)'],
  ['$count', 'aggregate($count as Many)'],
  ['sum', 'aggregate(‹number› with sum as Total)'],
  ['min', 'aggregate(‹number› with min as Least)'],
  ['max', 'aggregate(‹number› with max as Most)'],
  ['avg', 'aggregate(‹number› with average as Mean)'],
  ['mean', 'aggregate(‹number› with average as Mean)'],
  ['nunique', 'aggregate(‹text› with countdistinct as Different)'],
  ['size', 'aggregate($count as Many)'],
  ['agg', 'aggregate(‹number› with sum as Total)'],
  ['assign', 'compute(‹number› mul 2 as Twice)'],
  ['nlargest', 'topcount(3,‹number›)'],
  ['nsmallest', 'bottomcount(3,‹number›)'],
  ['query', `filter(‹text› eq 'x')`],
  ['average', 'aggregate(‹number› with average as Mean)'],
  ['countdistinct', 'aggregate(‹text› with countdistinct as Different)'],
  ['summarize', 'aggregate(‹number› with sum as Total)'],
  ['union', 'concat(filter(...),filter(...))'],
]);

/** Data Aggregation's rule applyExpr: transformations separated by slashes. */
function parseApply(cursor: Cursor): readonly Transformation[] {
  const transformations = [parseTransformation(cursor)];
  while (takeSlash(cursor)) transformations.push(parseTransformation(cursor));
  return transformations;
}

/** Parses the whole value of `$apply`. */
export function parseWholeApply(cursor: Cursor): readonly Transformation[] {
  const transformations = parseApply(cursor);
  const token = current(cursor);
  if (isSymbol(token, ',') || isSymbol(token, '.') || isSymbol(token, '|'))
    throw syntaxError(cursor, token.at, 'a slash separates transformations, write filter(...)/aggregate(...)');
  return transformations;
}

// Parses one transformation; the cursor is after the opening parenthesis, `at` is the offset of the name.
type Rule = (cursor: Cursor, at: number) => Transformation;

/** The parser of each transformation's parameters; a new transformation is a row here. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['aggregate', parseAggregate],
  ['groupby', (cursor, at) => parseGroupby(cursor, at, parseTransformation)],
  ['filter', (cursor, at) => ({ kind: 'filter', at, condition: parseCommonExpr(cursor) })],
  ['search', (cursor, at) => ({ kind: 'search', at, search: expressionHooks.get('search').parseInner(cursor) })],
  ['compute', (cursor, at) => ({ kind: 'compute', at, items: parseCompute(cursor) })],
  ['concat', parseConcat],
  ['orderby', (cursor, at) => ({ kind: 'orderby', at, items: parseOrderby(cursor) })],
  ['skip', (cursor, at) => ({ kind: 'skip', at, count: takeCount(cursor, 'skip') })],
  ['top', (cursor, at) => ({ kind: 'top', at, count: takeCount(cursor, 'top') })],
  ['topcount', rankRule('topcount')],
  ['bottomcount', rankRule('bottomcount')],
]);

/** Transformations of the standard that the service does not carry out. */
const unsupported: ReadonlySet<string> = new Set([
  'expand',
  'join',
  'outerjoin',
  'nest',
  'addnested',
  'topsum',
  'toppercent',
  'bottomsum',
  'bottompercent',
  'ancestors',
  'descendants',
  'traverse',
]);

// The cursor is on the name.
function parseTransformation(cursor: Cursor): Transformation {
  const token = current(cursor);
  if (token.kind !== 'word')
    throw syntaxError(cursor, token.at, 'a transformation is expected, such as filter(...), groupby(...) or aggregate(...)');
  const name = token.name.toLowerCase();
  countNode(cursor);
  if (name === 'identity') return { kind: 'identity', at: take(cursor).at };
  const rule = rules.get(name);
  if (unsupported.has(name) || name.includes('.'))
    throw errors.notImplemented(`The transformation ${excerpt(token.name)}`).at(cursor.source.option);
  if (rule === undefined) throw unknownTransformation(cursor, token.at, token.name);
  if (!opensCall(ahead(cursor, 1))) throw syntaxError(cursor, token.end, `${excerpt(token.name)} needs parentheses`);
  return parseArguments(cursor, rule);
}

function unknownTransformation(cursor: Cursor, at: number, name: string): Error {
  const next = ahead(cursor, 1);
  if (next.kind === 'word' && next.name.toLowerCase() === 'with')
    return syntaxError(cursor, at, `values are aggregated within aggregate, write aggregate(${excerpt(name)} with ...)`);
  const meant = transformations.get(name.toLowerCase());
  if (meant !== undefined) return syntaxError(cursor, at, `${excerpt(name)} is not a transformation, write ${meant}`);
  const nearest = nearestOf(name, [...rules.keys(), 'identity']);
  return syntaxError(cursor, at, `${excerpt(name)} is not a transformation${nearest === undefined ? '' : `, perhaps ${nearest} is meant`}`);
}

function parseArguments(cursor: Cursor, rule: Rule): Transformation {
  const { at } = take(cursor);
  const open = take(cursor);
  return nested(cursor, 'depth', () => {
    const transformation = rule(cursor, at);
    expectClose(cursor, open);
    return transformation;
  });
}

function parseConcat(cursor: Cursor, at: number): Transformation {
  const sequences = commaSeparated(cursor, parseApply);
  if (sequences.length === 1) throw syntaxError(cursor, current(cursor).at, 'concat needs at least two sequences, separated by commas');
  return { kind: 'concat', at, sequences };
}

function rankRule(method: RankMethod): Rule {
  return (cursor, at) => {
    const amount = parseCommonExpr(cursor);
    expectSymbol(cursor, ',', `a comma and the value to order by are missing, write ${method}(5,‹number›)`);
    const { at: place } = current(cursor);
    const by = parseCommonExpr(cursor);
    if (by.kind === 'literal' && amount.kind === 'member')
      throw syntaxError(
        cursor,
        place,
        `the number comes first, write ${method}(${by.value},${amount.path.map(({ name }) => name).join('/')})`,
      );
    return { kind: 'rank', at, method, amount, by };
  };
}

function takeCount(cursor: Cursor, name: string): number {
  const token = take(cursor);
  const next = current(cursor);
  if (isSymbol(next, ','))
    throw syntaxError(
      cursor,
      next.at,
      name === 'top'
        ? 'top accepts a number only; write topcount(3,‹number›), or orderby(‹number› desc)/top(3)'
        : 'skip accepts a number only',
    );
  return located({ at: token.at, option: cursor.source.option }, () => parseCount(name, cursor.source.text.slice(token.at, token.end)));
}
