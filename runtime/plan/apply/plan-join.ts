import { targetOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { unreachable } from '../../errors/unreachable.js';
import type { JoinTransformation, Transformation } from '../../uri/transformations.js';
import type { JoinStep } from '../apply-plan.js';
import { accessTo } from '../caller.js';
import { hopAlong } from '../check/stored-expr.js';
import { collectionAlong } from '../check/collection-along.js';
import { withLinks } from '../links.js';
import { nameOf } from '../shown-path.js';
import { both, planFilter } from '../plan-filter.js';
import { planOrder } from '../plan-order.js';
import { markWhere } from './plan-rank.js';
import { planSearch } from '../plan-search.js';
import { columnAt, requireFreeName, withNavigation, type Place, type Progress } from '../relation.js';
import type { Scope } from '../scope.js';
import type { TypedExpr } from '../typed-expr.js';

/** `join` and `outerjoin`: a row for each record that a collection of the row leads to (Data Aggregation 3.5.1). */
export function planJoin(transformation: JoinTransformation, progress: Progress, place: Place): Progress {
  const { kind, path, alias: name, transformations = [] } = transformation;
  const { scope } = place;
  requireFreeName(name, progress.relation, scope);
  const { navigation, progress: before } = collectionAlong(path, progress, place);
  // Within `groupby` a row that leads to nothing keeps its group alive, as one that a filter drops.
  const kept = place.partition.length > 0 && kind === 'join';
  const type = targetOf(scope.container, navigation);
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(navigation.target);
  const alias = scope.aliases.next();
  const hop = hopAlong(navigation, type, alias, scope.aliases);
  const column = `#.${alias}`;
  const inner: Scope = { ...scope, implicit: { kind: 'record', source: hop, type }, variables: new Map() };
  const start: Joined = { order: planOrder(undefined, type, hop.alias, inner) };
  const joined = transformations.reduce((narrowed, one) => narrow(narrowed, one, { inner, kind }), start);
  const number = joined.order === start.order ? undefined : `#.${hop.alias}`;
  const step: JoinStep = {
    kind: 'join',
    alias,
    hop,
    column,
    outer: kind === 'outerjoin' || kept,
    ...joined,
    ...(number !== undefined && { number }),
  };
  const identity = [...before.relation.identity, { column: number ?? column, type: 'Edm.Int64' as const, nullable: step.outer }];
  const joinedTo = { target: navigation.target, join: { [column]: '#id' }, source: nameOf(path) };
  const relation = withLinks(withNavigation({ ...before.relation, identity }, name, joinedTo), name, joinedTo, scope.container);
  const after: Progress = { ...before, relation, steps: [...before.steps, step] };
  return kept ? markWhere((marked) => leadsSomewhere(column, marked), after, place) : after;
}

type Joined = Pick<JoinStep, 'filter' | 'order' | 'limit' | 'offset'>;

function leadsSomewhere(column: string, { implicit }: Scope): TypedExpr {
  if (implicit.kind !== 'record') throw errors.internal();
  const left = columnAt(implicit.source.alias, { column, type: 'Edm.Int64', nullable: true });
  return {
    kind: 'comparison',
    type: 'Edm.Boolean',
    nullable: false,
    operator: 'ne',
    left,
    right: { kind: 'literal', type: 'null', nullable: true, value: null },
  };
}

// What keeps some of the related records can be done where they are looked up; what makes others of them cannot.
function narrow(before: Joined, transformation: Transformation, { inner, kind }: { readonly inner: Scope; readonly kind: string }): Joined {
  if (before.limit !== undefined && transformation.kind !== 'identity')
    throw errors.notImplemented(`${transformation.kind} behind top in ${kind}`).at(inner.option);
  switch (transformation.kind) {
    case 'identity':
      return before;
    case 'filter':
    case 'search': {
      if (before.offset !== undefined) throw errors.notImplemented(`${transformation.kind} behind skip in ${kind}`).at(inner.option);
      const filter = both(before.filter, conditionOf(transformation, inner));
      return { ...before, ...(filter && { filter }) };
    }
    case 'orderby':
      return orderedBy(before, transformation, inner);
    case 'top':
      return { ...before, limit: transformation.count };
    case 'skip':
      return { ...before, offset: (before.offset ?? 0) + transformation.count };
    case 'aggregate':
    case 'groupby':
    case 'compute':
    case 'concat':
    case 'rank':
    case 'expand':
    case 'join':
    case 'outerjoin':
    case 'ancestors':
    case 'descendants':
    case 'traverse':
    case 'nest':
    case 'addnested':
    case 'function':
      throw notWithin(kind, transformation, inner);
    default:
      return unreachable(transformation);
  }
}

function notWithin(kind: string, transformation: Transformation, { option }: Scope): Error {
  const name = transformation.kind === 'rank' ? transformation.method : transformation.kind;
  return errors.notImplemented(`${name} within ${kind}`, insteadOf(transformation)).at(option);
}

// One value of all related records needs no row for each of them.
function insteadOf({ kind }: Transformation): string | undefined {
  return kind === 'aggregate'
    ? 'Write compute(‹related›/aggregate(‹relatedNumber› with max) as Most).'
    : kind === 'rank'
      ? 'Write orderby(‹number› desc)/top(3).'
      : undefined;
}

function conditionOf(transformation: Extract<Transformation, { kind: 'filter' | 'search' }>, scope: Scope): ReturnType<typeof planFilter> {
  if (transformation.kind === 'filter') return planFilter(transformation.condition, scope, scope.option);
  if (scope.implicit.kind !== 'record') throw errors.internal();
  return planSearch(transformation.search, scope.implicit.type, scope.implicit.source, scope);
}

// A later order comes first, and ties keep the order they had.
function orderedBy(before: Joined, { items }: Extract<Transformation, { kind: 'orderby' }>, scope: Scope): Joined {
  if (before.offset !== undefined) throw errors.notImplemented('orderby behind skip in join').at(scope.option);
  if (scope.implicit.kind !== 'record') throw errors.internal();
  return { ...before, order: planOrder(items, scope.implicit.type, scope.implicit.source.alias, scope) };
}
