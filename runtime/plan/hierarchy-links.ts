import { isDirect, type EntityContainer, type EntityType } from '../edm/index.js';
import { derivedTypesOf } from './path/derivation.js';
import type { SelectedLink } from './read-plan.js';

const links = new WeakMap<EntityType, readonly SelectedLink[]>();

/** The navigation properties that records read as a type may have: its own, and those of the types that derive from it. */
export function hierarchyLinks(type: EntityType, container: EntityContainer): readonly SelectedLink[] {
  const known = links.get(type) ?? buildLinks(type, container);
  links.set(type, known);
  return known;
}

/** The names of a type's navigation properties that are the record's own, and not a complex value's. */
export function linkNamesOf({ navigation, anyNavigation = {} }: EntityType): readonly string[] {
  return [...Object.keys(navigation), ...Object.keys(anyNavigation)].filter(isDirect);
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

/** Whether records of a type have the navigation property. */
export function isOf({ qualifiedName }: EntityType, { of }: SelectedLink): boolean {
  return of === undefined || of.has(qualifiedName);
}
