import type { NavigationProperty } from '../../csdl/csdl.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import type { BuiltType } from '../built-model.js';
import { memoized } from '../../../runtime/edm/memoized.js';
import { lastName } from '../../../runtime/edm/lookup.js';

/** An index of a type's navigation properties, built in one pass. */
interface NavigationIndex {
  readonly byName: ReadonlyMap<string, NavigationProperty>;
  /** By the last name of their Partner. */
  readonly byPartner: ReadonlyMap<string, readonly NavigationProperty[]>;
}

/** The navigation property with the name or path, including inherited ones. */
export function navigationNamed(name: string | undefined, type: BuiltType): NavigationProperty | undefined {
  return name === undefined ? undefined : indexOf(type.navigation).byName.get(name);
}

/** The navigation properties that may declare the given one as their Partner; types on the path are not checked. */
export function withPartner(name: string, type: BuiltType): readonly NavigationProperty[] {
  return indexOf(type.navigation).byPartner.get(lastName(name)) ?? [];
}

const indexOf = memoized((navigation: readonly NavigationProperty[]): NavigationIndex => {
  // The first property with a name wins.
  const byName = new Map(navigation.toReversed().map((property) => [property.name, property]));
  const byPartner = grouped(
    navigation.filter(({ partner }) => partner !== undefined),
    ({ partner = '' }) => lastName(partner),
  );
  return { byName, byPartner };
});
