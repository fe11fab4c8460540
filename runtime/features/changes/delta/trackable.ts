import type { EntityType } from '../../../edm/entity-type.js';
import { propertyOf } from '../../../edm/index.js';
import { errors } from '../../../errors/catalogue.js';
import { ODataError } from '../../../errors/odata-error.js';
import type { Exchange } from '../../../http/service.js';
import { hiddenKey } from '../../../plan/caller.js';
import { changesInstead } from '../../../plan/check/unplanned.js';
import type { CollectionTarget } from '../../../plan/path/path-target.js';
import type { ExpandPlan } from '../../../plan/read-plan.js';
import { planCollection, type CollectionPlan } from '../../../plan/read/plan-read.js';
import type { TypedExpr } from '../../../plan/typed-expr.js';
import { columnsIn, isOfRow } from '../before-image.js';
import { readFilter } from '../visible-changes.js';
import { isIssued, outdated } from './delta-token.js';

/** Plans the query of a delta link. Throws 410 where a former model permitted it, such as with a property that is gone. */
export function planTracked(target: CollectionTarget, exchange: Exchange, deltatoken: string): CollectionPlan {
  try {
    if (!isTrackedSet(target))
      throw errors.notImplemented('The option $deltatoken', changesInstead(exchange.service.container)).at('$deltatoken');
    const plan = planCollection(target, exchange.options, exchange.context);
    if (!isTrackable(target, plan, exchange)) throw untracked(exchange).at('$deltatoken');
    return plan;
  } catch (failure) {
    const isOfQuery = failure instanceof ODataError && [400, 501].includes(failure.status) && !isExpandedIn40(exchange);
    throw isOfQuery && isIssued(deltatoken, exchange) ? outdated('its query can no longer be tracked', exchange) : failure;
  }
}

function untracked(exchange: Exchange): ODataError {
  if (isExpandedIn40(exchange))
    return errors.notImplemented('The option $deltatoken with $expand in OData 4.0', 'Send OData-MaxVersion: 4.01, or omit $expand.');
  return errors.notImplemented('The option $deltatoken for this query', 'Read the records again.');
}

/** Whether a collection is a whole tracked set. */
function isTrackedSet({ type, parents, key, types, filter, sets, union, suffix }: CollectionTarget): boolean {
  const isWhole = parents.length === 0 && key.length === 0 && types === undefined && filter === undefined && !sets && !union;
  return isWhole && type.tracking !== undefined && type.setType === undefined && (suffix === '' || suffix === '$count');
}

/**
 * Whether the log has every change of membership in a read: it depends on the rows themselves, not on other rows or on
 * the time. The standard lets a service decline otherwise (protocol 8.2.8.6).
 */
export function isTrackable(target: CollectionTarget, { read }: Pick<CollectionPlan, 'read'>, exchange: Exchange): boolean {
  const { options, caller, service } = exchange;
  const { type } = target;
  if (!isTrackedSet(target) || options.apply !== undefined || options.compute !== undefined) return false;
  // Removed records are named by their keys.
  if (hiddenKey(type, caller) !== undefined) return false;
  if (isExpandedIn40(exchange)) return false;
  const { selection, filter } = read;
  return (
    isLogged(filter) &&
    isFilterable(type, filter, selection.alias) &&
    isLogged(readFilter(type, caller, service.container)?.condition) &&
    selection.expands.every((expand) => isExpandTracked(expand, type, exchange))
  );
}

/** Whether the query expands in version 4.0, whose deltas have no place for related records. */
function isExpandedIn40({ version, options }: Pick<Exchange, 'version' | 'options'>): boolean {
  return version === '4.0' && options.expand !== undefined;
}

function isLogged(condition: TypedExpr | undefined): boolean {
  return condition === undefined || isOfRow(condition);
}

function isFilterable(type: EntityType, filter: TypedExpr | undefined, alias: string): boolean {
  const { filterable } = type.tracking ?? {};
  if (filter === undefined || filterable === undefined) return true;
  return columnsIn(filter, alias).every((column) => filterable.includes(propertyOf(type, column)));
}

// The related records are sent whole, and only their own changes are found.
function isExpandTracked(expand: ExpandPlan, type: EntityType, { caller, service }: Exchange): boolean {
  const { name, form, filter, order, selection, within, joinStep } = expand;
  return (
    type.tracking?.expandable.includes(name) === true &&
    form === 'records' &&
    within === undefined &&
    joinStep.through === undefined &&
    selection.expands.length === 0 &&
    selection.computed.length === 0 &&
    isLogged(filter) &&
    order.every(({ expression }) => isLogged(expression)) &&
    isLogged(readFilter(selection.type, caller, service.container)?.condition)
  );
}
