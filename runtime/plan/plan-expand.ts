import { type EntityType, fieldOf, isDirect, type Navigation, targetOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { located } from '../errors/odata-error.js';
import { suggestion } from '../errors/suggest.js';
import { printOptions } from '../uri/print-options.js';
import type { ExpandItem, QueryOptions } from '../uri/query-options.js';
import { hiddenKey, requireShownKey } from './caller.js';
import { joinAlong } from './navigation-join.js';
import { memberScope, type Scope } from './scope.js';
import { effectiveTop, requireSkip, type PlanOptions } from './limits.js';
import { planHooks } from './hooks.js';
import { planCompute, type ComputePlan } from './plan-compute.js';
import { planCondition } from './plan-filter.js';
import {
  expandStars,
  type NamedItem,
  parentDistance,
  requireCollectionFor,
  requireDepth,
  requireExpandable,
  requireNavigation,
  requireNoPath,
  requireShown,
  unfoldLevels,
} from './expand-items.js';
import { planOrder } from './plan-order.js';
import { keyColumns } from './plan-select.js';
import { planSelection } from './plan-selection.js';
import { isTransformed } from './path/derivation.js';
import type { ExpandPage, ExpandPlan, Selection } from './read-plan.js';
import { nameOf, placeOf } from './shown-path.js';
import { castSegment, isOfTypes, type TypeCast } from './check/type-cast.js';
import type { JoinStep } from './typed-expr.js';
import { castValueAt } from './check/property-expr.js';
import { refuseUnplannedOptions, unplannedAnnotation } from './check/unplanned.js';
import { both } from './expr-facts.js';

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
  const [, behind] = item.path;
  const cast = behind && castSegment(behind.name, declared, place.scope.container);
  const target = cast?.type ?? declared;
  requireShown(name, place.type, target, place.scope.caller);
  requireNoPath(item, target);
  const form = formOf(cast ? { ...item, path: item.path.filter((segment) => segment !== behind) } : item, target);
  requireCollectionFor(name, item, form, navigation.collection ?? false);
  const expansion = {
    name,
    form,
    navigation,
    target,
    declared,
    ...(cast?.types && { types: cast.types }),
    ...existsWhere(named, place),
  };
  if (item.options.apply) return planAppliedTarget({ ...expansion, options: item.options }, place);
  return planTarget({ ...expansion, options: unfoldLevels(named, navigation, target, isLast(place)) }, place);
}

/** The condition under which a navigation property of a derived value exists. */
function existsWhere({ name, through = [] }: NamedItem, { type, alias, scope }: Place): Pick<ExpandPlan, 'existsWhere' | 'listed'> {
  // Grouped rows lack the value.
  const condition = fieldOf(type, through[0] ?? '') && castValueAt({ type, alias }, through, scope.container);
  return condition === undefined ? {} : { existsWhere: condition, ...listedAs({ name, through }) };
}

/** A context URL has the casts that were asked for. */
function listedAs({ name, through = [] }: Pick<NamedItem, 'name' | 'through'>): Pick<ExpandPlan, 'listed'> {
  return through.some((step) => step.includes('.')) ? { listed: [...through, name.slice(name.lastIndexOf('/') + 1)].join('/') } : {};
}

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

function planTarget({ name, form, options, navigation, target, declared, types, ...shown }: Expansion, place: Place): ExpandPlan {
  const joinStep: JoinStep = { ...joinAlong(navigation, target, place.alias, place.scope.aliases), ...(types && { types }) };
  const inner = memberScope(place.scope, { kind: 'record', source: joinStep, type: target });
  const computed = planCompute(options.compute, target, inner);
  const collection = navigation.collection ?? false;
  const filter = both(place.owner && isOfTypes(place.alias, place.owner), planCondition(options, computed.scope));
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
    ...parentDistance(navigation, place.type, declared, place.scope.container),
    selection: { ...planShown({ form, options, target }, joinStep, computed, place), ...(types && { declared }) },
    order: collection && form !== 'count' ? planOrder(options.orderby, target, joinStep.alias, computed.scope) : [],
    count: options.count ?? false,
    ...(filter && { filter }),
    ...(top !== undefined && { top }),
    ...(options.skip !== undefined && { skip: options.skip }),
    ...(collection && form !== 'count' && top === undefined && planPage(target, options, place)),
  };
}

// The result of $apply over the targets (Data Aggregation 3), whose rows are no entities.
function planAppliedTarget(
  { name, options, navigation, target, types, existsWhere: condition, listed }: Expansion,
  place: Place,
): ExpandPlan {
  if (options.levels !== undefined)
    throw errors
      .badOption(`$levels cannot be used together with $apply in ${name}: the result of $apply has no navigation properties.`)
      .at('$expand');
  const joinStep: JoinStep = { ...joinAlong(navigation, target, place.alias, place.scope.aliases), ...(types && { types }) };
  const owner = place.owner && isOfTypes(place.alias, place.owner);
  const records = { type: target, alias: joinStep.alias, parents: [], key: [], via: undefined, ...(owner && { filter: owner }) };
  const inner: Scope = { ...place.scope, implicit: { kind: 'record', source: joinStep, type: target } };
  const { apply, selection, order, filter } = planHooks.get('planApplied')(records, options, inner, place.settings, place.depth + 1);
  const top = effectiveTop(target, { ...options, expand: [] }, place.settings);
  requireSkip(target, options.skip);
  return {
    ...placeOf(name),
    ...(condition && { existsWhere: condition }),
    ...(listed !== undefined && { listed }),
    ...(navigation.source !== undefined && { source: navigation.source }),
    form: 'records',
    collection: true,
    joinStep,
    apply: { ...apply, base: { ...apply.base, joinStep } },
    ...pathOf(name, types && target, place),
    selection,
    order,
    count: options.count ?? false,
    ...(filter && { filter }),
    ...(top !== undefined ? { top } : planPage(target, options, place)),
    ...(options.skip !== undefined && { skip: options.skip }),
  };
}

/** The path from the entity to an expansion. */
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

/** The form of an item: entities, references or a count, by the segment after its name. */
export function formOf({ path }: ExpandItem, target: EntityType): ExpandPlan['form'] {
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
