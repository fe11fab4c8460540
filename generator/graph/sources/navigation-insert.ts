import { localName } from '../../../runtime/edm/lookup.js';
import type { Report } from '../../faults.js';
import { terms } from '../../csdl/terms.js';
import { booleanValue, recordValues, restrictionValue } from '../../csdl/vocabulary.js';
import type { BuiltSet, BuiltTypes, Context, Places, Restriction } from '../built-model.js';
import type { Place } from '../storage.js';
import { isRelated, placeOfTarget } from './places.js';

/** The restrictions that a set's NavigationRestrictions have for one navigation property. */
export function restrictedAlong(name: string, { restriction }: Pick<BuiltSet, 'restriction'>, report: Report): Restriction {
  const listed = restriction(terms.navigation)?.member('RestrictedProperties');
  const items = recordValues(listed, terms.navigationProperty, report);
  const found = items.find((item) => {
    const path = item.member('NavigationProperty');
    return path?.kind === 'path' && path.value === name;
  });
  // An unreadable list may restrict this one.
  const isRead = listed === undefined || listed.kind === 'collection' || listed.kind === 'null';
  if (!isRead) return (term) => restrictionValue(listed, term, () => undefined);
  return (term) => restrictionValue(found?.member(localName(term)), term, report);
}

/**
 * Whether entities may be created along a navigation property, as NavigationRestrictions of the source say; undefined
 * where they do not, or depend on the entity. Where they demand permissions, which only sets have, they allow nothing.
 */
export function insertableAlong(name: string, set: Pick<BuiltSet, 'restriction'>): boolean | undefined {
  const record = restrictedAlong(name, set, () => undefined)(terms.insert);
  const value = record?.member('Insertable');
  if (value?.kind !== 'constant') return undefined;
  const isAllowed = booleanValue(value, terms.insert, false, () => undefined);
  return isAllowed && record?.member('Permissions') !== undefined ? undefined : isAllowed;
}

/** The entity sources whose entities are created along some navigation property. */
export function insertedAlong(
  sets: ReadonlyMap<Place | undefined, BuiltSet>,
  places: Places,
  types: BuiltTypes,
  context: Context,
): ReadonlySet<Place> {
  const found = new Set<Place>();
  const silent = { ...context, report: () => undefined };
  for (const [place, set] of sets) {
    if (place === undefined || set.restriction(terms.navigation) === undefined) continue;
    for (const type of types.values()) {
      if (!isRelated(types.get(place.declared), type)) continue;
      for (const property of type.navigation) {
        if (property.containsTarget || insertableAlong(property.name, set) !== true) continue;
        const target = types.get(context.scope.qualify(property.type));
        const source = target && placeOfTarget(property, type, target, { place, places, types, context: silent });
        if (source) found.add(source);
      }
    }
  }
  return found;
}
