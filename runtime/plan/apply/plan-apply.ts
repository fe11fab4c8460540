import type { EntityType } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { unreachable } from '../../errors/unreachable.js';
import type { SearchExpr } from '../../expression/ast.js';
import type { ComputeItem } from '../../uri/query-options.js';
import type { ComposedTransformation, Transformation } from '../../uri/transformations.js';
import { computedValue } from '../plan-compute.js';
import { planConcat } from './plan-concat.js';
import { planFilter } from '../plan-filter.js';
import { planAggregate, planGroupby } from './plan-group.js';
import { planJoin } from './plan-join.js';
import { planAddNested, planExpandTransformation } from './plan-nested.js';
import { planOrder } from '../plan-order.js';
import { markWhere, planOrderby, planRank, planWindow } from './plan-rank.js';
import { planSearch } from '../plan-search.js';
import { planTraverse, planWalk } from './plan-walk.js';
import { planThese } from './plan-these.js';
import {
  computeColumn,
  dynamicField,
  growing,
  pathsOf,
  relationOf,
  requireFreeName,
  scopeOver,
  type Place,
  type Progress,
  type Relation,
  type RelationColumn,
} from '../relation.js';
import type { Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';
import { hasFrom, unfoldFrom } from './unfold-from.js';

const mostTransformations = 20;
const mostValues = 100;

/** `$apply`: each transformation takes the set that the one before it gives. */
export function planApply(transformations: readonly Transformation[], base: EntityType, scope: Scope): Progress {
  const count = countAll(transformations);
  if (count > mostTransformations) {
    throw errors.limitExceeded(`$apply has ${count} transformations, and the limit is ${mostTransformations}.`).at('$apply');
  }
  const values = countValues(transformations);
  if (values > mostValues) throw errors.limitExceeded(`$apply computes ${values} values, and the limit is ${mostValues}.`).at('$apply');
  const place: Place = { scope: { ...scope, option: '$apply', onRestricted: refuse }, partition: [] };
  return planSequence(transformations, { relation: relationOf(base, identityOf(base, scope)), steps: [] }, place);
}

// Records are told apart by what makes their order total.
function identityOf(base: EntityType, scope: Scope): readonly RelationColumn[] {
  return planOrder(undefined, base, '', scope).flatMap(({ expression }) => (expression.kind === 'column' ? [expression] : []));
}

// A sum or a group would show what the caller must not see.
function refuse(name: string): never {
  throw errors.notPermitted(name).at(name);
}

function countAll(transformations: readonly Transformation[]): number {
  return transformations.reduce((count, one) => count + 1 + within(one).reduce((sum, inner) => sum + countAll(inner), 0), 0);
}

// What `compute` and `aggregate` make; each computed value is a subquery of its own.
function countValues(transformations: readonly Transformation[]): number {
  return transformations.reduce(
    (count, one) => count + (one.kind === 'compute' || one.kind === 'aggregate' ? one.items.length : 0) + countValues(within(one).flat()),
    0,
  );
}

function within(transformation: Transformation): readonly (readonly Transformation[])[] {
  if (transformation.kind === 'concat') return transformation.sequences;
  if (transformation.kind === 'ancestors' || transformation.kind === 'descendants')
    return [transformation.start, transformation.subset ?? []];
  if (transformation.kind === 'traverse') return [transformation.subset ?? []];
  if (transformation.kind === 'addnested') return transformation.items.map(({ transformations }) => transformations);
  if (transformation.kind === 'groupby')
    return [
      transformation.transformations ?? [],
      ...transformation.groups.map((group) => (group.kind === 'rolluprecursive' ? (group.subset ?? []) : [])),
    ];
  return transformation.kind === 'join' || transformation.kind === 'outerjoin' ? [transformation.transformations ?? []] : [];
}

function planSequence(transformations: readonly Transformation[], progress: Progress, place: Place): Progress {
  return transformations.reduce(
    (before, transformation) => planTransformation(transformation, planThese(transformation, before, place), place),
    progress,
  );
}

function planTransformation(transformation: Transformation, progress: Progress, place: Place): Progress {
  switch (transformation.kind) {
    case 'identity':
      return progress;
    case 'filter':
      return planFiltering((scope) => planFilter(transformation.condition, scope, '$apply') ?? always, progress, place);
    case 'search':
      return planFiltering((scope) => searchOver(transformation.search, progress.relation, scope), progress, place);
    case 'compute':
      return planCompute(transformation.items, progress, place);
    case 'aggregate':
      return hasFrom(transformation.items)
        ? planSequence(unfoldFrom(transformation.items, place.scope), progress, place)
        : planAggregate(transformation.items, progress, place);
    case 'rank':
      return planRank(transformation, progress, place);
    case 'orderby':
      return planOrderby(transformation.items, progress, place);
    case 'skip':
    case 'top':
      return planWindow(transformation, progress, place);
    case 'function':
      throw refusal(transformation, place);
    default:
      return planComposed(transformation, progress, place);
  }
}

function planComposed(transformation: ComposedTransformation, progress: Progress, place: Place): Progress {
  switch (transformation.kind) {
    case 'groupby':
      return planGroupby(
        transformation,
        progress,
        place,
        (before, inner) => planSequence(transformation.transformations ?? [], before, inner),
        planSequence,
      );
    case 'concat':
      return planConcat(
        transformation.sequences.map((sequence) => (before) => planSequence(sequence, before, place)),
        progress,
        place,
      );
    case 'join':
    case 'outerjoin':
      return planJoin(transformation, progress, place);
    case 'expand':
      return planExpandTransformation(transformation, progress, place);
    case 'addnested':
      return planAddNested(transformation, progress, place);
    case 'ancestors':
    case 'descendants':
      return planWalk(transformation, progress, place, planSequence);
    case 'traverse':
      return planTraverse(transformation, progress, place, planSequence);
    case 'nest':
      throw refusal(transformation, place);
    default:
      return unreachable(transformation);
  }
}

function refusal(transformation: Extract<Transformation, { kind: 'nest' | 'function' }>, { scope }: Place): Error {
  if (transformation.kind === 'function') return errors.notImplemented(`The transformation ${transformation.name}`).at(scope.option);
  return errors
    .notImplemented('nest elsewhere than at the end of $apply', 'Send a request for each of its sequences; $batch takes several at once.')
    .at(scope.option);
}

/** A search of the records that a set still holds; what was grouped has no words of its own. */
export function searchOver(query: SearchExpr, { entity, type }: Relation, scope: Scope): TypedExpr {
  if (!entity || scope.implicit.kind !== 'record')
    throw errors
      .notImplemented('A search of what is no record any more', 'Search first, as in search(word)/groupby((‹text›)).')
      .at(scope.option);
  return planSearch(query, type, scope.implicit.source, scope);
}

// A condition over a property that the caller may not see keeps no row, as in `$filter`.
function planFiltering(checked: (scope: Scope) => TypedExpr, progress: Progress, place: Place): Progress {
  if (place.partition.length > 0) return markWhere(checked, progress, place);
  const alias = place.scope.aliases.next();
  return {
    ...progress,
    steps: [...progress.steps, { kind: 'filter', alias, condition: checked(scopeOver(progress.relation, alias, place.scope)) }],
  };
}

const always: TypedExpr = { kind: 'constant', type: 'Edm.Boolean', nullable: false, value: true };

// An item may use those before it.
function planCompute(items: readonly ComputeItem[], progress: Progress, place: Place): Progress {
  const { relation, add } = growing(progress.relation);
  const paths = pathsOf(relation);
  return items.reduce(
    (before: Progress, item) => {
      requireFreeName(item.alias, relation, place.scope, paths);
      const { progress: after, computed } = computeColumn(before, place, (scope) => computedValue(item, scope).expression);
      add(item.alias, dynamicField(computed));
      return after;
    },
    { ...progress, relation },
  );
}
