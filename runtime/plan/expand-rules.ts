import { fieldOf, navigationOf, type EntityType, type Navigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ExpandItem } from '../uri/query-options.js';
import { accessTo, isHidden, rootOf, type Caller } from './caller.js';
import { maxExpandDepth } from './limits.js';
import type { ExpandPlan } from './read-plan.js';

/** Rejects an expansion that the model does not offer. */
export function requireExpandable(name: string, { expandable }: Navigation): void {
  if (expandable === false) throw errors.typeMismatch(`${name} cannot be expanded: the model does not allow it.`).at(name);
}

/** Rejects an expansion that the caller may not read: the navigation property or its target. */
export function requireShown(name: string, type: EntityType, target: EntityType, caller: Caller): void {
  const hidden = isHidden(type, name, caller) ? rootOf(name) : accessTo(target, 'read', caller).allowed ? undefined : name;
  if (hidden !== undefined) throw errors.notPermitted(hidden).at(hidden);
}

/** Rejects an expansion beyond the depth limit. */
export function requireDepth({ written }: ExpandItem, { depth, type }: { readonly depth: number; readonly type: EntityType }): void {
  if (written) return;
  const limit = maxExpandDepth(type);
  if (depth > limit) throw errors.limitExceeded(`$expand is nested ${depth} levels deep; the limit is ${limit}.`).at('$expand');
}

/** Rejects a path after a navigation property: nested $select and $expand are options. */
export function requireNoPath({ path: [first, second] }: ExpandItem, target: EntityType): void {
  if (first === undefined || second === undefined) return;
  const option = fieldOf(target, second.name) ? 'select' : navigationOf(target, second.name) ? 'expand' : undefined;
  if (option)
    throw errors
      .typeMismatch(`${first.name}/${second.name} is not a path of $expand; write ${first.name}($${option}=${second.name}).`)
      .at('$expand');
}

const collectionOptions = ['apply', 'filter', 'search', 'orderby', 'top', 'skip', 'count'] as const;

/** Rejects collection options on a single-valued navigation property. */
export function requireCollectionFor(name: string, { options }: ExpandItem, form: ExpandPlan['form'], collection: boolean): void {
  if (collection) return;
  const option = collectionOptions.find((candidate) => options[candidate] !== undefined);
  if (option) throw errors.badOption(`$${option} cannot be used within ${name}, which is to-one.`).at('$expand');
  if (form === 'count') throw errors.badOption(`${name}/$count cannot be expanded: ${name} is to-one.`).at('$expand');
}
