import { isDirect, type EntityContainer, type EntityType } from '../edm/index.js';
import { derivedTypesOf } from './path/derivation.js';
import type { SelectedLink } from './read-plan.js';

const links = new WeakMap<EntityType, readonly SelectedLink[]>();

/** The navigation properties of a type and its derived types. */
export function hierarchyLinks(type: EntityType, container: EntityContainer): readonly SelectedLink[] {
  const known = links.get(type) ?? buildLinks(type, container);
  links.set(type, known);
  return known;
}

/** The names of a type's own navigation properties, without those of complex values. */
export function linkNamesOf({ navigation }: EntityType): readonly string[] {
  return Object.keys(navigation).filter(isDirect);
}

function buildLinks(type: EntityType, container: EntityContainer): readonly SelectedLink[] {
  const found: SelectedLink[] = linkNamesOf(type).map((name) => ({ name }));
  for (const owner of derivedTypesOf(type, container)) {
    const of = new Set([owner.qualifiedName, ...(owner.derivedTypes ?? [])]);
    const inherited = new Set(found.filter((link) => isOf(owner, link)).map(({ name }) => name));
    for (const name of linkNamesOf(owner)) if (!inherited.has(name)) found.push({ name, owner: owner.qualifiedName, of });
  }
  return found;
}

/** Whether a type has the navigation property. */
export function isOf({ qualifiedName }: EntityType, { of }: SelectedLink): boolean {
  return of === undefined || of.has(qualifiedName);
}
