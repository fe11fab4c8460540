import { errors } from '../../errors/catalogue.js';
import type { CommonExpr } from '../../expression/ast.js';
import type { Transformation } from '../../uri/transformations.js';
import type { RankStep } from '../apply-plan.js';
import { familyOfExpr } from '../check/check-call.js';
import { checkExpr } from '../check/check-expr.js';
import { checkLiteral, literal } from '../value/check-literal.js';
import { checkOrderValue } from '../plan-order.js';
import { isSameForAll } from './plan-these.js';
import type { OrderTerm } from '../read-plan.js';
import { columnAt, computeColumn, orderAt, relationColumn, scopeOver, type Place, type Progress } from '../relation.js';
import type { Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';

type Rank = Extract<Transformation, { kind: 'rank' }>;
type Window = Extract<Transformation, { kind: 'skip' | 'top' }>;

/** `topcount` and its kin: rows in the order of a value, until a number, a sum or a share is reached. */
export function planRank(transformation: Rank, progress: Progress, place: Place): Progress {
  const { method } = transformation;
  const measure = method.endsWith('count') ? 'first' : method.endsWith('sum') ? 'sum' : 'percent';
  return keepRows(progress, place, (scope, alias) => {
    const amount = amountOf(transformation.amount, measure, method, scope);
    const value = measure === 'first' ? checkOrderValue(transformation.by, scope) : checkNumber(transformation.by, method, scope);
    const order = [{ expression: value, descending: method.startsWith('top') }, ...identityAt(alias, progress)];
    return { measure, amount, order, ...(measure !== 'first' && { value }) };
  });
}

/** `top` and `skip`, in the order that the rows have. */
export function planWindow({ kind, count }: Window, progress: Progress, place: Place): Progress {
  if (place.partition.length > 0) {
    const amount = literal('Edm.Int64', String(count));
    return keepRows(progress, place, (_, alias) => ({
      measure: kind === 'top' ? 'first' : 'afterFirst',
      amount,
      order: orderAt(alias, progress.relation),
    }));
  }
  const alias = place.scope.aliases.next();
  const step = {
    kind: 'window',
    alias,
    order: orderAt(alias, progress.relation),
    ...(kind === 'top' ? { limit: count } : { offset: count }),
  } as const;
  return { ...progress, steps: [...progress.steps, step] };
}

/** `orderby`: the terms become columns, so that later steps still know them; ties keep the order they had. */
export function planOrderby(items: Extract<Transformation, { kind: 'orderby' }>['items'], progress: Progress, place: Place): Progress {
  const before = progress.relation.order;
  let current = progress;
  const order = items.map(({ expression, descending }) => {
    const { progress: after, computed } = computeColumn(current, place, (scope) => checkOrderValue(expression, scope));
    current = after;
    return { ...computed, descending };
  });
  return { ...current, relation: { ...current.relation, order: [...order, ...before] } };
}

type Ranked = Pick<RankStep, 'measure' | 'amount' | 'order' | 'value'>;

function keepRows(progress: Progress, place: Place, rank: (scope: Scope, alias: string) => Ranked): Progress {
  const { relation, live } = progress;
  const alias = place.scope.aliases.next();
  const column = `#.${alias}`;
  const partition = place.partition.map((name) => columnAt(alias, relationColumn(relation.type, name)));
  const ranked = rank(scopeOver(relation, alias, place.scope), alias);
  const step: RankStep = { kind: 'rank', alias, column, partition, ...ranked, ...(live && { live: columnAt(alias, live) }) };
  return keepWhere({ ...progress, steps: [...progress.steps, step] }, { column, type: 'Edm.Boolean', nullable: false }, place);
}

/** Keeps the rows where a condition's column is true; within `groupby` the others stay as dead ones. */
function keepWhere(
  progress: Progress,
  kept: { readonly column: string; readonly type: 'Edm.Boolean'; readonly nullable: boolean },
  place: Place,
): Progress {
  if (place.partition.length > 0) return { ...progress, live: kept };
  const alias = place.scope.aliases.next();
  return { ...progress, steps: [...progress.steps, { kind: 'filter', alias, condition: columnAt(alias, kept) }] };
}

/** Within `groupby` an emptied group still counts as one, with nothing in it. */
export function markWhere(checked: (scope: Scope) => TypedExpr, progress: Progress, place: Place): Progress {
  const { live } = progress;
  const { progress: after, computed } = computeColumn(progress, place, (scope) => {
    const condition = checked(scope);
    if (live === undefined || scope.implicit.kind !== 'record') return condition;
    return {
      kind: 'logical',
      type: 'Edm.Boolean',
      nullable: condition.nullable,
      operator: 'and',
      left: columnAt(scope.implicit.source.alias, live),
      right: condition,
    };
  });
  return keepWhere(after, { ...computed, type: 'Edm.Boolean' }, place);
}

function identityAt(alias: string, { relation }: Progress): readonly OrderTerm[] {
  return orderAt(alias, { ...relation, order: [] });
}

function amountOf(expr: CommonExpr, measure: 'first' | 'sum' | 'percent', method: string, scope: Scope): TypedExpr {
  if (expr.kind !== 'literal') return computedAmount(expr, method, scope);
  const amount = checkLiteral(expr, scope.option);
  const value = Number(amount.value);
  const whole = amount.type === 'Edm.Int64' && value > 0;
  const number = familyOfExpr(amount) === 'number' && Number.isFinite(value);
  if (measure === 'first' ? whole : measure === 'percent' ? number && value > 0 && value <= 100 : number) return amount;
  const wanted = { first: 'a whole number above 0', percent: 'a number above 0, up to 100', sum: 'a number' }[measure];
  throw errors.typeMismatch(`${method} takes ${wanted} first, at position ${expr.at + 1}.`).at(scope.option);
}

// A computed amount is known when the statement runs: its range is not checked, and null keeps no record.
function computedAmount(expr: CommonExpr, method: string, scope: Scope): TypedExpr {
  if (!isSameForAll(expr))
    throw errors
      .typeMismatch(`${method} takes one number for the whole set first, such as 5 or $these/$count div 10, at position ${expr.at + 1}.`)
      .at(scope.option);
  return checkNumber(expr, method, scope);
}

function checkNumber(expr: CommonExpr, method: string, scope: Scope): TypedExpr {
  const value = checkExpr(expr, scope);
  if (familyOfExpr(value) === 'number') return value;
  throw errors.typeMismatch(`${method} needs numbers to add up, at position ${expr.at + 1}.`).at(scope.option);
}
