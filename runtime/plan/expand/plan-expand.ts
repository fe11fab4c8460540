import { planTarget, type Place } from './expand-target.js';
import { type EntityType, fieldOf, targetOf } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import type { ExpandItem } from '../../uri/query-options.js';
import { type Scope } from '../scope.js';
import { type PlanOptions } from '../limits.js';
import {
  expandStars,
  type NamedItem,
  requireCollectionFor,
  requireDepth,
  requireExpandable,
  requireNavigation,
  requireNoPath,
  requireShown,
  unfoldLevels,
} from './expand-items.js';
import { isTransformed } from '../path/derivation.js';
import type { ExpandPlan } from '../read-plan.js';
import { nameOf } from '../shown-path.js';
import { castSegment, type TypeCast } from '../path/type-cast.js';
import { castValueAt } from '../check/property-expr.js';
import { refuseUnplannedOptions, unplannedAnnotation } from '../check/unplanned.js';
import { lastName } from '../../edm/lookup.js';

/** Plans the expansions of an entity. `depth` is 1 for the outermost `$expand`. */
export function planExpand(
  items: readonly ExpandItem[],
  type: EntityType,
  alias: string,
  scope: Scope,
  settings: PlanOptions,
  depth: number,
): readonly ExpandPlan[] {
  const seen: Seen[] = [];
  return byOwner(items, type, scope).flatMap(({ cast, items: own }) => {
    const place: Place = { type: cast.type, alias, scope, settings, depth, ...(cast.types && { owner: cast.types }) };
    const items = located(own[0]?.path[0], () => expandStars(own, cast.type, isLast(place), scope));
    return items.map((named) => {
      return located(named.item.path[0], () => {
        requireOnce(named.name, place, seen);
        return planItem(named, place);
      });
    });
  });
}

interface OwnedItems {
  readonly cast: TypeCast;
  readonly items: readonly ExpandItem[];
}

// `Ns.Employee/Boss` is expanded of employees only.
function byOwner(items: readonly ExpandItem[], type: EntityType, { container }: Scope): readonly OwnedItems[] {
  const groups = new Map<EntityType, { cast: TypeCast; items: ExpandItem[] }>();
  for (const item of items) {
    const [first, ...path] = item.path;
    const cast = first && path.length > 0 && !isTransformed(type) ? castSegment(first.name, type, container) : undefined;
    const group = groups.get(cast?.type ?? type) ?? { cast: cast ?? { type }, items: [] };
    group.items.push(cast ? { ...item, path } : item);
    groups.set(group.cast.type, group);
  }
  return [...groups.values()];
}

interface Seen {
  readonly name: string;
  readonly owner: readonly string[] | undefined;
}

function requireOnce(name: string, { owner }: Place, seen: Seen[]): void {
  const again = seen.some(
    (other) =>
      other.name === name && (owner === undefined || other.owner === undefined || owner.some((type) => other.owner?.includes(type))),
  );
  if (again) throw errors.badOption(`${name} is expanded twice.`).at('$expand');
  seen.push({ name, owner });
}

function isLast({ type, depth }: Place): boolean {
  return depth >= type.limits.maxExpandDepth;
}

function planItem(named: NamedItem, place: Place): ExpandPlan {
  const { name, item } = named;
  if (name.startsWith('@')) throw unplannedAnnotation(name, '$expand');
  refuseUnplannedOptions(item.options, place.scope.container);
  const navigation = requireNavigation(name, place);
  requireExpandable(name, navigation);
  requireDepth(item, place);
  const declared = targetOf(place.scope.container, navigation);
  const [, next] = item.path;
  const cast = next && castSegment(next.name, declared, place.scope.container);
  const target = cast?.type ?? declared;
  requireShown(name, place.type, target, place.scope.caller);
  requireNoPath(item, target);
  const form = formOf(cast ? { ...item, path: item.path.filter((segment) => segment !== next) } : item, target);
  requireCollectionFor(name, item, form, navigation.collection ?? false);
  const expansion = {
    name,
    navigation,
    target,
    declared,
    ...(cast?.types && { types: cast.types }),
    ...existsWhere(named, place),
  };
  return planTarget({ ...expansion, options: unfoldLevels(named, navigation, target, isLast(place)), form }, place);
}

// The condition under which a navigation property of a derived value exists. A context URL has the casts that were asked for.
function existsWhere({ name, through = [] }: NamedItem, { type, alias, scope }: Place): Pick<ExpandPlan, 'existsWhere' | 'listed'> {
  // Grouped rows lack the value.
  const condition = fieldOf(type, through[0] ?? '') && castValueAt({ type, alias }, through, scope.container);
  if (condition === undefined) return {};
  const isCast = through.some((step) => step.includes('.'));
  return { existsWhere: condition, ...(isCast && { listed: [...through, lastName(name)].join('/') }) };
}

/** The form of an item: entities, references or a count, by the segment after its name. */
function formOf({ path }: ExpandItem, target: EntityType): ExpandPlan['form'] {
  const [, suffix, ...further] = path;
  if (suffix === undefined) return 'records';
  if (further.length === 0 && suffix.name === '$ref') return 'references';
  if (further.length === 0 && suffix.name === '$count') return 'count';
  if (!suffix.name.startsWith('$'))
    throw errors
      .unknownName(`navigation property ${suffix.name}`, target.name, suggestion(suffix.name, Object.keys(target.navigation)))
      .at('$expand')
      .in(suffix);
  throw errors.notImplemented(`$expand of ${nameOf({ path })}`).at('$expand');
}
