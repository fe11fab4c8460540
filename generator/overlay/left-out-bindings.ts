import type { Csdl, NavigationProperty, Property } from '../csdl/csdl.js';
import { elementsOf, isStructured, mapMembers } from '../csdl/map-elements.js';
import { lineOf, namesOf, type Names } from '../repair/names.js';

type Omitted = ReadonlySet<Property | NavigationProperty>;

/** The document without the bindings of navigation properties that the overlay omits from the document before. */
export function withoutBindings(csdl: Csdl, before: Csdl): Csdl {
  const [names, omitted] = [namesOf(before, []), omittedOf(csdl, before)];
  if (omitted.size === 0) return csdl;
  return mapMembers(csdl, (member) => {
    if (member.kind !== 'EntitySet' && member.kind !== 'Singleton') return member;
    const type = member.kind === 'EntitySet' ? member.entityType : member.type;
    return { ...member, bindings: member.bindings.filter(({ path }) => !leadsThrough(path.split('/'), type, names, omitted)) };
  });
}

function omittedOf(csdl: Csdl, before: Csdl): Omitted {
  const now = new Map(elementsOf(csdl, 'EntityType', 'ComplexType').map(({ name, element }) => [name, element.properties]));
  return new Set(
    elementsOf(before, 'EntityType', 'ComplexType').flatMap(({ name: type, element }) =>
      element.properties.filter(({ name }) => !now.get(type)?.some((property) => property.name === name)),
    ),
  );
}

// Whether a path from a type has an omitted property: inherited, after a cast, or in a complex value too.
function leadsThrough([first, ...rest]: readonly string[], type: string, names: Names, omitted: Omitted): boolean {
  const element = names.elements.get(names.qualify(type));
  if (first === undefined || !isStructured(element)) return false;
  if (first.includes('.')) return leadsThrough(rest, first, names, omitted);
  const property = lineOf(element, names)
    .flatMap(({ properties }) => properties)
    .find(({ name }) => name === first);
  return property !== undefined && (omitted.has(property) || leadsThrough(rest, property.type, names, omitted));
}
