import type { AnyNavigation } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { QueryOptions } from '../uri/query-options.js';
import { anyAt, readableArms } from './any-navigation.js';
import { isHidden } from './caller.js';
import { isOfTypes } from './check/type-cast.js';
import { effectiveTop, requireSkip } from './limits.js';
import { both } from './plan-filter.js';
import { requireDepth } from './expand-rules.js';
import { formOf, pathOf, planPage, shownWhere, type Place } from './plan-expand.js';
import type { NamedItem } from './plan-levels.js';
import { readUnion } from './plan-union.js';
import type { ExpandPlan } from './read-plan.js';
import { memberScope } from './scope.js';
import { placeOf } from './shown-path.js';
import { hopToArms } from './union-target.js';

/** The expansion of a collection of records of any type: all of them together, so that order and page are those of the whole; undefined for any other item. */
export function planAnyCollection(named: NamedItem, place: Place): ExpandPlan | undefined {
  const { name, item } = named;
  const any = anyAt(place.type, name);
  if (!any?.collection) return undefined;
  const { options } = item;
  requireDepth(item, place);
  refuseLevels(name, options, place);
  const { hop, type } = hopToAny(name, any, place);
  const form = formOf(item, type);
  const scope = memberScope(place.scope, { kind: 'record', source: hop, type });
  const {
    selection,
    members,
    order,
    filter: asked,
  } = readUnion({ type, alias: hop.alias, union: hop.union ?? [], called: name, form }, options, scope, place.settings, place.depth);
  const filter = both(place.owner && isOfTypes(place.alias, place.owner), asked);
  const top = effectiveTop(type, { ...options, expand: [] }, place.settings);
  requireSkip(type, options.skip);
  return {
    ...placeOf(name),
    ...shownWhere(named, place),
    form,
    collection: true,
    hop: { ...hop, union: members },
    ...pathOf(name, undefined, place),
    selection,
    order: form === 'count' ? [] : order,
    count: options.count ?? false,
    ...(filter && { filter }),
    ...(top !== undefined && { top }),
    ...(options.skip !== undefined && { skip: options.skip }),
    ...(form !== 'count' && top === undefined && planPage(type, options)),
  };
}

function refuseLevels(name: string, { levels }: QueryOptions, { type }: Place): void {
  if (levels !== undefined)
    throw errors
      .notImplemented(
        `$levels of ${name}, which leads to records of any type,`,
        `Write the levels one within the other: $expand=${name}($expand=${type.qualifiedName}/${name}).`,
      )
      .at('$expand');
}

function hopToAny(name: string, any: AnyNavigation, { type, alias, scope }: Place): ReturnType<typeof hopToArms> {
  const arms = readableArms(type, any, scope);
  if (isHidden(type, name, scope.caller) || arms.length === 0) throw errors.notPermitted(name).at(name);
  return hopToArms(arms, alias, scope);
}
