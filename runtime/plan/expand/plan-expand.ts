import { type EntityType, fieldOf, targetOf, isDirect, type Navigation } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { located } from '../../errors/odata-error.js';
import { suggestion } from '../../errors/suggest.js';
import type { ExpandItem, QueryOptions } from '../../uri/query-options.js';
import { type Scope, memberScope } from '../scope.js';
import { type PlanOptions, requireSkip, effectiveTop } from '../limits.js';
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
  parentDistance,
} from './expand-items.js';
import { isTransformed } from '../path/derivation.js';
import type { ExpandPlan, ExpandPage, Selection } from '../read-plan.js';
import { nameOf, placeOf } from '../shown-path.js';
import { castSegment, type TypeCast } from '../path/type-cast.js';
import { castValueAt } from '../check/property-expr.js';
import { refuseUnplannedOptions, unplannedAnnotation } from '../check/unplanned.js';
import { lastName } from '../../edm/lookup.js';
import { joinAlong } from '../path/navigation-join.js';
import { planOrder } from '../options/plan-order.js';
import { planSelection } from './plan-selection.js';
import { both, isOfTypes } from '../expr-facts.js';
import { requireShownKey, hiddenKey } from '../caller.js';
import { keyColumns } from '../options/plan-select.js';
import type { ComputePlan } from '../options/plan-compute.js';
import type { JoinStep } from '../typed-expr.js';
import { printOptions } from '../../uri/print-options.js';
import { planComputed, planCondition } from '../options/plan-filter.js';

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

/** The record that is expanded. */
interface Place {
  readonly type: EntityType;
  /** The types that have the expanded property, if not all. */
  readonly owner?: readonly string[];
  readonly alias: string;
  readonly scope: Scope;
  readonly settings: PlanOptions;
  readonly depth: number;
}

/** An expansion whose item has been checked. */
interface Expansion extends Pick<ExpandPlan, 'existsWhere' | 'listed'> {
  readonly name: string;
  readonly form: ExpandPlan['form'];
  readonly options: QueryOptions;
  readonly navigation: Navigation;
  /** The target type of the expansion, and that of the navigation property. */
  readonly target: EntityType;
  readonly declared: EntityType;
  /** The types that a cast after the name keeps. */
  readonly types?: readonly string[];
}

/** Plans the targets of an expansion: entities, their addresses or number. */
function planTarget(expansion: Expansion, place: Place): ExpandPlan {
  const { name, form, options, navigation, target, declared: _, types, ...shown } = expansion;
  const joinStep: JoinStep = { ...joinAlong(navigation, target, place.alias, place.scope.aliases), ...(types && { types }) };
  const collection = navigation.collection ?? false;
  const top = effectiveTop(target, { ...options, expand: [] }, place.settings);
  requireSkip(target, options.skip);
  return {
    ...placeOf(name),
    ...shown,
    ...(navigation.source !== undefined && { source: navigation.source }),
    form,
    collection,
    joinStep,
    ...pathOf(name, types && target, place),
    ...planRecords(expansion, joinStep, place),
    count: options.count ?? false,
    ...(top !== undefined && { top }),
    ...(options.skip !== undefined && { skip: options.skip }),
    ...(collection && form !== 'count' && top === undefined && planPage(target, options, place)),
  };
}

function planRecords(expansion: Expansion, joinStep: JoinStep, place: Place): Pick<ExpandPlan, 'up' | 'selection' | 'filter' | 'order'> {
  const { form, options, navigation, target, declared, types } = expansion;
  const scope = memberScope(place.scope, { kind: 'record', source: joinStep, type: target });
  const computed = planComputed(options, target, scope);
  const filter = both(place.owner && isOfTypes(place.alias, place.owner), planCondition(options, computed.scope));
  return {
    ...parentDistance(navigation, place.type, declared, place.scope.container),
    selection: { ...planShown({ form, options, target }, joinStep, computed, place), ...(types && { declared }) },
    order: navigation.collection && form !== 'count' ? planOrder(options.orderby, target, joinStep.alias, computed.scope) : [],
    ...(filter && { filter }),
  };
}

function pathOf(name: string, cast: EntityType | undefined, { type, owner }: Place): Pick<ExpandPlan, 'owner' | 'of' | 'path'> {
  const path = [...(owner ? [type.qualifiedName] : []), name, ...(cast ? [cast.qualifiedName] : [])].join('/');
  return { ...(owner && { owner: type.qualifiedName, of: new Set(owner) }), ...((path !== name || !isDirect(name)) && { path }) };
}

function planShown(
  { form, options, target }: Pick<Expansion, 'form' | 'options' | 'target'>,
  { alias, table }: JoinStep,
  computed: ComputePlan,
  place: Place,
): Selection {
  if (form === 'records') return planSelection(target, alias, options, computed, place.settings, place.depth + 1);
  if (form === 'references') requireShownKey(target, place.scope.caller);
  return { type: target, alias, table, columns: [], computed: [], expands: [], etag: false, keyColumns: keyColumns(target) };
}

/**
 * The paging of an expanded collection; the token of the link has the position, so `$skip` is done by then. On a next
 * link `$it` would be the expanded entity (URL conventions 5.1.1.15.4), so expansions that use it are not paged. Nor are
 * those of an entity whose key the caller may not read, because the link has the entity's address.
 */
function planPage(target: EntityType, options: QueryOptions, { type, scope }: Place): Pick<ExpandPlan, 'page'> {
  if (hiddenKey(type, scope.caller) !== undefined) return {};
  const printed = printOptions(options).filter(({ name }) => name !== '$skip');
  return printed.some(asksOfRoot) ? {} : { page: { size: target.limits.maxPageSize, options: printed } };
}

function asksOfRoot({ value }: ExpandPage['options'][number]): boolean {
  return /\$it\b/.test(value.replace(/'[^']*'/g, ''));
}
