import type { EntityType, Limits } from '../../edm/entity-type.js';
import { errors } from '../../errors/catalogue.js';
import type { KeysetValue } from '../keyset-value.js';
import type { QueryOptions } from '../../uri/query-options.js';
import { effectiveTop, pageSize, requireSkip } from '../limits.js';
import { planHooks } from '../hooks.js';
import { planComputed, planCondition, requireFilter, rootScope } from '../options/plan-filter.js';
import { planOrder } from '../options/plan-order.js';
import { requireReadable } from '../caller.js';
import { readingOptions } from '../check/unplanned.js';
import type { RecordTarget } from '../path/path-target.js';
import { planSelection } from '../expand/plan-selection.js';
import type { ReadPlan, Selection, PageRead } from '../read-plan.js';
import type { PlanContext } from '../scope.js';
import { both, conditionOf } from '../expr-facts.js';

/** A page of a collection: the plan reads one record more than the page holds, to know whether another follows. */
export interface CollectionPlan {
  readonly read: ReadPlan;
  /** Records of this page at most; 0 when only the count was asked for. */
  readonly size: number;
  /** `$top` as it is carried out. */
  readonly top: number | undefined;
  /** Where `$top` is the total: the records that are still to come with this page. */
  readonly remaining: number | undefined;
}

/** The start of a page, from its `$skiptoken`. */
export interface PageStart {
  readonly after: readonly KeysetValue[];
  readonly remaining?: number;
}

/** A collection with all its options: limits, defaults, permissions, an order made total. */
export function planCollection(
  target: RecordTarget,
  options: QueryOptions,
  context: PlanContext,
  start?: PageStart,
  preferred?: number,
): CollectionPlan {
  requireReadable(target.type, context.caller);
  if (!target.sets) requireFilter(target.type, [...(target.conditions ?? []), ...(options.filter ? [options.filter] : [])]);
  if (target.sets || target.union)
    return planPage(planHooks.get('planCrossSet')(target, options, context), target.type, options, context, start, preferred);
  const root = rootScope(target, context);
  if (options.apply) {
    const applied = planHooks.get('planApplied')(target, options, root, context.settings);
    const placed = { ...applied, selection: addressed(applied.selection, target) };
    return planPage(placed, target.type, options, context, start, preferred);
  }
  const computed = planComputed(options, target.type, root);
  const filter = both(conditionOf(target), planCondition(options, computed.scope));
  const order = planOrder(options.orderby, target.type, target.alias, computed.scope);
  const page: PageRead = {
    selection: addressed(planSelection(target.type, target.alias, options, computed, context.settings, 1), target),
    parents: target.parents,
    key: target.key,
    order,
    ...(filter && { filter }),
  };
  return planPage(page, target.type, options, context, start, preferred);
}

// Adds the window to the read of a page.
function planPage(
  page: PageRead,
  type: EntityType,
  options: QueryOptions,
  { settings }: PlanContext,
  start: PageStart | undefined,
  preferred: number | undefined,
): CollectionPlan {
  const top = effectiveTop(type, options, settings);
  requireSkip(type, options.skip);
  const size = top === undefined || preferred !== undefined ? pageSize(type, options, preferred) : top;
  const window = planWindow(top, size, type.limits, start);
  const read: ReadPlan = {
    ...page,
    limit: window.size + 1,
    count: options.count ?? false,
    ...(start && { after: start.after }),
    ...(options.skip !== undefined && start === undefined && { offset: options.skip }),
  };
  return { read, top, ...window };
}

function planWindow(
  top: number | undefined,
  size: number,
  { topIsPageSize }: Limits,
  start: PageStart | undefined,
): Pick<CollectionPlan, 'size' | 'remaining'> {
  if (top === undefined) return { size, remaining: undefined };
  if (topIsPageSize) return { size: top, remaining: undefined };
  const remaining = start?.remaining ?? top;
  return { size: Math.min(size, remaining), remaining };
}

/** A single record: `$select`, `$compute` and `$expand` only. */
export function planEntity(target: RecordTarget, options: QueryOptions, context: PlanContext): ReadPlan {
  requireReadable(target.type, context.caller);
  requireSingleOptions(options);
  const computed = planComputed(options, target.type, rootScope(target, context));
  const filter = conditionOf(target);
  return {
    selection: addressed(planSelection(target.type, target.alias, options, computed, context.settings, 1), target),
    parents: target.parents,
    key: target.key,
    ...(filter && { filter }),
    order: [],
    count: false,
  };
}

// Entities of sets have their own addresses; those of contained ones begin at the path of the request.
function addressed(selection: Selection, { address }: RecordTarget): Selection {
  return selection.type.contained && address ? { ...selection, address } : selection;
}

function requireSingleOptions(options: QueryOptions): void {
  const option = readingOptions.find((name) => options[name] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used with a single record.`).at(`$${option}`);
}

/** The number of filtered entities: `/$count`. */
export function planCount(target: RecordTarget, options: QueryOptions, context: PlanContext): ReadPlan {
  const { apply, filter, search, compute } = options;
  const counted = { ...(apply && { apply }), ...(filter && { filter }), ...(search && { search }), ...(compute && { compute }) };
  return { ...planCollection(target, counted, context).read, order: [] };
}
