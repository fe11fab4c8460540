import { navigationOf, targetOf, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { suggestion } from '../errors/suggest.js';
import { unreachable } from '../errors/unreachable.js';
import type { MemberExpr } from '../expression/ast.js';
import type { JoinTransformation, Transformation } from '../uri/transformations.js';
import type { JoinStep } from './apply-plan.js';
import { accessTo } from './caller.js';
import { hopAlong } from './check-path.js';
import { both, planFilter } from './plan-filter.js';
import { planOrder } from './plan-order.js';
import { planSearch } from './plan-search.js';
import { requireFreeName, withNavigation, type Place, type Progress, type Relation } from './relation.js';
import type { Scope } from './scope.js';

/** `join` and `outerjoin`: a row for each record that a collection of the row leads to (Data Aggregation 3.5.1). */
export function planJoin(transformation: JoinTransformation, progress: Progress, place: Place): Progress {
  const { kind, path, alias: name, transformations = [] } = transformation;
  const { scope } = place;
  if (place.partition.length > 0) throw errors.notImplemented(`${kind} within groupby`).at(scope.option);
  requireFreeName(name, progress.relation, scope);
  const navigation = collectionOf(path, progress.relation, scope);
  const type = targetOf(scope.container, navigation);
  if (!accessTo(type, 'read', scope.caller).allowed) scope.onRestricted(navigation.target);
  const alias = scope.aliases.next();
  const hop = hopAlong(navigation, type, alias, scope.aliases);
  const column = `#.${alias}`;
  const inner: Scope = { ...scope, implicit: { kind: 'record', source: hop, type }, variables: new Map() };
  const start: Joined = { order: planOrder(undefined, type, hop.alias, inner) };
  const joined = transformations.reduce((before, one) => narrow(before, one, { inner, kind }), start);
  const number = joined.order === start.order ? undefined : `#.${hop.alias}`;
  const step: JoinStep = { kind: 'join', alias, hop, column, outer: kind === 'outerjoin', ...joined, ...(number !== undefined && { number }) };
  const identity = [...progress.relation.identity, { column: number ?? column, type: 'Edm.Int64' as const, nullable: step.outer }];
  const relation = withNavigation({ ...progress.relation, identity }, name, { target: navigation.target, join: { [column]: '#id' }, source: path.path[0]?.name ?? name });
  return { ...progress, relation, steps: [...progress.steps, step] };
}

type Joined = Pick<JoinStep, 'filter' | 'order' | 'limit' | 'offset'>;

/** The collection-valued navigation property that a path of one name is. */
export function collectionOf({ path, at }: MemberExpr, { type }: Relation, scope: Scope): Navigation {
  const [first, second] = path;
  const navigation = first && navigationOf(type, first.name);
  if (first === undefined || navigation === undefined) {
    throw errors.unknownName(`navigation property ${first?.name ?? ''}`, type.name, suggestion(first?.name ?? '', Object.keys(type.navigation))).at(scope.option);
  }
  if (second) throw errors.notImplemented(`A path of several names in ${scope.option}, ${first.name}/${second.name},`).at(scope.option);
  if (!navigation.collection) throw errors.typeMismatch(`${first.name} leads to one record, and a collection is needed, at position ${at + 1}.`).at(scope.option);
  return navigation;
}

// What keeps some of the related records can be done where they are looked up; what makes others of them cannot.
function narrow(before: Joined, transformation: Transformation, { inner, kind }: { readonly inner: Scope; readonly kind: string }): Joined {
  if (before.limit !== undefined && transformation.kind !== 'identity') throw errors.notImplemented(`${transformation.kind} behind top in ${kind}`).at(inner.option);
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
    case 'nest':
    case 'addnested':
    case 'function':
      throw errors.notImplemented(`${transformation.kind === 'rank' ? transformation.method : transformation.kind} within ${kind}`, insteadOf(transformation)).at(inner.option);
    default:
      return unreachable(transformation);
  }
}

// One value of all related records needs no row for each of them.
function insteadOf({ kind }: Transformation): string | undefined {
  return kind === 'aggregate' ? 'Write compute(Media/aggregate(Order with max) as Most).' : kind === 'rank' ? 'Write orderby(Order desc)/top(3).' : undefined;
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
