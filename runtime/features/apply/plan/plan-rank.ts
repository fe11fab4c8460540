import { errors } from '../../../errors/catalogue.js';
import type { CommonExpr } from '../../../expression/ast.js';
import type { Transformation } from '../../../uri/query-options.js';
import type { RankStep } from '../../../plan/apply-plan.js';
import { checkExpr } from '../../../plan/check/check-expr.js';
import { checkLiteral } from '../../../plan/value/check-literal.js';
import { checkOrderValue } from '../../../plan/plan-order.js';
import type { OrderTerm } from '../../../plan/read-plan.js';
import { columnAt, computeColumn, orderAt, scopeOver, type Place, type Progress } from './relation.js';
import type { Scope } from '../../../plan/scope.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { familyOfExpr } from '../../../plan/expr-facts.js';

type Rank = Extract<Transformation, { kind: 'rank' }>;
type Window = Extract<Transformation, { kind: 'skip' | 'top' }>;

/** `topcount` and its kin: rows in the order of a value, until a number, a sum or a share is reached. */
export function planRank(transformation: Rank, progress: Progress, place: Place): Progress {
  const { method } = transformation;
  const measure = method.endsWith('count') ? 'first' : method.endsWith('sum') ? 'sum' : 'percent';
  const alias = place.scope.aliases.next();
  const scope = scopeOver(progress.relation, alias, place.scope);
  const amount = amountOf(transformation.amount, measure, method, scope);
  const value = measure === 'first' ? checkOrderValue(transformation.by, scope) : checkNumber(transformation.by, method, scope);
  const order = [{ expression: value, descending: method.startsWith('top') }, ...identityAt(alias, progress)];
  const column = `#.${alias}`;
  const step: RankStep = { kind: 'rank', alias, column, measure, amount, order, ...(measure !== 'first' && { value }) };
  const kept = place.scope.aliases.next();
  const condition = columnAt(kept, { column, type: 'Edm.Boolean', nullable: false });
  return { ...progress, steps: [...progress.steps, step, { kind: 'filter', alias: kept, condition }] };
}

/** `top` and `skip`, in the order that the rows have. */
export function planWindow({ kind, count }: Window, progress: Progress, place: Place): Progress {
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

function identityAt(alias: string, { relation }: Progress): readonly OrderTerm[] {
  return orderAt(alias, { ...relation, order: [] });
}

function amountOf(expr: CommonExpr, measure: 'first' | 'sum' | 'percent', method: string, scope: Scope): TypedExpr {
  if (expr.kind !== 'literal') throw errors.notImplemented(`${method} with a computed amount`).at(scope.option);
  const amount = checkLiteral(expr, scope.option);
  const value = Number(amount.value);
  const whole = amount.type === 'Edm.Int64' && value > 0;
  const number = familyOfExpr(amount) === 'number' && Number.isFinite(value);
  if (measure === 'first' ? whole : measure === 'percent' ? number && value > 0 && value <= 100 : number) return amount;
  const wanted = { first: 'a whole number above 0', percent: 'a number above 0, up to 100', sum: 'a number' }[measure];
  throw errors.typeMismatch(`${method} needs ${wanted} as its first parameter, at position ${expr.at + 1}.`).at(scope.option);
}

function checkNumber(expr: CommonExpr, method: string, scope: Scope): TypedExpr {
  const value = checkExpr(expr, scope);
  if (familyOfExpr(value) === 'number') return value;
  throw errors.typeMismatch(`${method} needs numbers to sum, at position ${expr.at + 1}.`).at(scope.option);
}
