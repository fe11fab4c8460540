import type { NavigationProperty } from '../csdl/csdl.js';
import type { BuiltType } from './build-type.js';
import { grouped } from './grouped.js';

/** What a type leads to, by what others look for: one pass over a type with many navigation properties, and not one for each of them. */
interface NavigationIndex {
  readonly byName: ReadonlyMap<string, NavigationProperty>;
  /** By the last name of the Partner that they say. */
  readonly byPartner: ReadonlyMap<string, readonly NavigationProperty[]>;
}

const indexes = new WeakMap<readonly NavigationProperty[], NavigationIndex>();

/** The navigation property of that name or path, inherited ones among them. */
export function navigationNamed(name: string | undefined, type: BuiltType): NavigationProperty | undefined {
  return name === undefined ? undefined : indexOf(type).byName.get(name);
}

/** Those that may say that a property of this name, or of this path, is their Partner: the types on the way are not looked at. */
export function sayingPartner(name: string, type: BuiltType): readonly NavigationProperty[] {
  return indexOf(type).byPartner.get(lastOf(name)) ?? [];
}

function indexOf({ navigation }: BuiltType): NavigationIndex {
  const known = indexes.get(navigation);
  if (known !== undefined) return known;
  // The one that comes first has the name.
  const byName = new Map(navigation.toReversed().map((property) => [property.name, property]));
  const byPartner = grouped(
    navigation.filter(({ partner }) => partner !== undefined),
    ({ partner = '' }) => lastOf(partner),
  );
  const index = { byName, byPartner };
  indexes.set(navigation, index);
  return index;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
