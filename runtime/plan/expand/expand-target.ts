import { joinAlong } from '../path/navigation-join.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { planOrder } from '../options/plan-order.js';
import { planSelection } from './plan-selection.js';
import type { ExpandPage, Selection, ExpandPlan } from '../read-plan.js';
import { parentDistance } from './expand-items.js';
import { both, isOfTypes } from '../expr-facts.js';
import { isDirect, type EntityType } from '../../edm/index.js';
import { requireShownKey, hiddenKey } from '../caller.js';
import { keyColumns } from '../options/plan-select.js';
import type { ComputePlan } from '../options/plan-compute.js';
import type { JoinStep } from '../typed-expr.js';
import { memberScope, type Scope } from '../scope.js';
import { requireSkip, type PlanOptions, effectiveTop } from '../limits.js';
import { printOptions } from '../../uri/print-options.js';
import { planComputed, planCondition } from '../options/plan-filter.js';
import type { Navigation } from '../../edm/index.js';
import { placeOf } from '../shown-path.js';

/** The record that is expanded. */
export interface Place {
  readonly type: EntityType;
  /** The types that have the expanded property, if not all. */
  readonly owner?: readonly string[];
  readonly alias: string;
  readonly scope: Scope;
  readonly settings: PlanOptions;
  readonly depth: number;
}

/** An expansion whose item has been checked. */
export interface Expansion extends Pick<ExpandPlan, 'existsWhere' | 'listed'> {
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
export function planTarget(expansion: Expansion, place: Place): ExpandPlan {
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

function planRecords(
  { form, options, navigation, target, declared, types }: Expansion,
  joinStep: JoinStep,
  place: Place,
): Pick<ExpandPlan, 'up' | 'selection' | 'filter' | 'order'> {
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
