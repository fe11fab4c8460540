import { constant } from '../../../plan/expr-facts.js';
import { mismatchAt, refuseHidden, type Scope } from '../../../plan/scope.js';
import { planHooks } from '../../../plan/hooks.js';
import type { EntityType } from '../../../edm/entity-type.js';
import { errors } from '../../../errors/catalogue.js';
import { located } from '../../../errors/odata-error.js';
import type { CommonExpr, SearchExpr } from '../../../expression/ast.js';
import { computedValue } from '../../../plan/options/plan-compute.js';
import { planFilter } from '../../../plan/options/plan-filter.js';
import { checkOrderValue, planOrder } from '../../../plan/options/plan-order.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { checkLiteral } from '../../../plan/value/check-literal.js';
import type { ComputeItem, Transformation } from '../../../uri/query-options.js';
import { planConcat } from './plan-concat.js';
import { planGroupby } from './plan-group.js';
import type { Progress, Relation, RelationColumn } from './relation.js';
import { computeColumn, dynamicField, growing, orderAt, pathsOf, relationOf, requireFreeName, scopeOver } from './relation.js';

const mostTransformations = 20;
const mostValues = 100;

/** `$apply`: each transformation takes the set that the one before it gives. */
export function planApply(transformations: readonly Transformation[], base: EntityType, scope: Scope): Progress {
  const count = countAll(transformations);
  if (count > mostTransformations) {
    throw errors.limitExceeded(`$apply has ${count} transformations; the limit is ${mostTransformations}.`).at('$apply');
  }
  const values = countValues(transformations);
  if (values > mostValues) throw errors.limitExceeded(`$apply computes ${values} values; the limit is ${mostValues}.`).at('$apply');
  const around: Scope = { ...scope, option: '$apply', onRestricted: refuseHidden };
  return planSequence(transformations, { relation: relationOf(base, identityOf(base, scope)), steps: [] }, around);
}

// Entities are identified by the columns that make their order total.
function identityOf(base: EntityType, scope: Scope): readonly RelationColumn[] {
  return planOrder(undefined, base, '', scope).flatMap(({ expression }) => (expression.kind === 'column' ? [expression] : []));
}

function countAll(transformations: readonly Transformation[]): number {
  return transformations.reduce((count, one) => count + 1 + within(one).reduce((sum, inner) => sum + countAll(inner), 0), 0);
}

// The values of `compute` and `aggregate`; each is a separate subquery.
function countValues(transformations: readonly Transformation[]): number {
  return transformations.reduce(
    (count, one) => count + (one.kind === 'compute' || one.kind === 'aggregate' ? one.items.length : 0) + countValues(within(one).flat()),
    0,
  );
}

function within(transformation: Transformation): readonly (readonly Transformation[])[] {
  switch (transformation.kind) {
    case 'concat':
      return transformation.sequences;
    case 'groupby':
      return transformation.aggregate ? [[transformation.aggregate]] : [];
    default:
      return [];
  }
}

function planSequence(transformations: readonly Transformation[], progress: Progress, around: Scope): Progress {
  return transformations.reduce(
    (before, transformation) => located(transformation, () => planTransformation(transformation, before, around)),
    progress,
  );
}

function planTransformation(transformation: Transformation, progress: Progress, around: Scope): Progress {
  switch (transformation.kind) {
    case 'identity':
      return progress;
    case 'filter':
      return planFiltering((scope) => planFilter(transformation.condition, scope, '$apply') ?? always, progress, around);
    case 'search':
      return planFiltering((scope) => searchOver(transformation.search, progress.relation, scope), progress, around);
    case 'compute':
      return planCompute(transformation.items, progress, around);
    case 'aggregate':
      return planGroupby({ kind: 'groupby', at: transformation.at, groups: [], aggregate: transformation }, progress, around);
    case 'groupby':
      return planGroupby(transformation, progress, around);
    case 'rank':
      return planRank(transformation, progress, around);
    case 'orderby':
      return planOrderby(transformation.items, progress, around);
    case 'skip':
    case 'top':
      return planWindow(transformation, progress, around);
    case 'concat': {
      const sequences = transformation.sequences.map((sequence) => (before: Progress) => planSequence(sequence, before, around));
      return planConcat(sequences, progress, around);
    }
  }
}

/** A search in the entities of a set; grouped rows have no words. */
export function searchOver(query: SearchExpr, { entity, type }: Relation, scope: Scope): TypedExpr {
  if (!entity || scope.implicit.kind !== 'record')
    throw errors
      .notImplemented('search after the transformation of records', 'Search first, as in search(word)/groupby((‹text›)).')
      .at(scope.option);
  return planHooks.get('search').plan(query, type, scope.implicit.source, scope);
}

// A condition over a property that the caller may not see keeps no row, as in `$filter`.
function planFiltering(checked: (scope: Scope) => TypedExpr, progress: Progress, around: Scope): Progress {
  const alias = around.aliases.next();
  return {
    ...progress,
    steps: [...progress.steps, { kind: 'filter', alias, condition: checked(scopeOver(progress.relation, alias, around)) }],
  };
}

const always: TypedExpr = constant(true);

// An item may use those before it.
function planCompute(items: readonly ComputeItem[], progress: Progress, around: Scope): Progress {
  const { relation, add } = growing(progress.relation);
  const paths = pathsOf(relation);
  return items.reduce(
    (before: Progress, item) => {
      located(item, () => requireFreeName(item.alias, relation, around, paths));
      const { progress: after, computed } = computeColumn(before, around, (scope) => computedValue(item, scope).expression);
      add(item.alias, dynamicField(computed));
      return after;
    },
    { ...progress, relation },
  );
}

type Rank = Extract<Transformation, { kind: 'rank' }>;
type Window = Extract<Transformation, { kind: 'skip' | 'top' }>;

/** `topcount` and `bottomcount`: a number of rows, in the order of a value. */
function planRank({ method, amount, by }: Rank, progress: Progress, around: Scope): Progress {
  const alias = around.aliases.next();
  const scope = scopeOver(progress.relation, alias, around);
  const limit = rankCount(amount, method, scope);
  const order = [
    { expression: checkOrderValue(by, scope), descending: method === 'topcount' },
    ...orderAt(alias, { ...progress.relation, order: [] }),
  ];
  return { ...progress, steps: [...progress.steps, { kind: 'window', alias, order, limit }] };
}

/** `top` and `skip`, in the order that the rows have. */
function planWindow({ kind, count }: Window, progress: Progress, around: Scope): Progress {
  const alias = around.aliases.next();
  const step = {
    kind: 'window',
    alias,
    order: orderAt(alias, progress.relation),
    ...(kind === 'top' ? { limit: count } : { offset: count }),
  } as const;
  return { ...progress, steps: [...progress.steps, step] };
}

/** `orderby`: the terms become columns, so that later steps still know them; ties keep the order they had. */
function planOrderby(items: Extract<Transformation, { kind: 'orderby' }>['items'], progress: Progress, around: Scope): Progress {
  const before = progress.relation.order;
  let current = progress;
  const order = items.map(({ expression, descending }) => {
    const { progress: after, computed } = computeColumn(current, around, (scope) => checkOrderValue(expression, scope));
    current = after;
    return { ...computed, descending };
  });
  return { ...current, relation: { ...current.relation, order: [...order, ...before] } };
}

function rankCount(expr: CommonExpr, method: string, scope: Scope): number {
  if (expr.kind !== 'literal') throw errors.notImplemented(`${method} with a computed amount`).at(scope.option);
  const amount = checkLiteral(expr, scope.option);
  const value = Number(amount.value);
  if (amount.type === 'Edm.Int64' && value > 0) return value;
  throw mismatchAt(expr.at, scope, `${method} needs a whole number above 0 as its first parameter`).in(expr);
}
