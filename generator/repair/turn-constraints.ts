import type { Csdl, NavigationProperty, Property, ReferentialConstraint, StructuredType } from '../csdl/csdl.js';
import { mapElements, mapProperties } from '../csdl/map-elements.js';
import { lineOf, namesOf, propertiesOf, type Names } from './names.js';

/**
 * Moves the constraints of a collection to its single-valued partner, if they are a foreign key: either side may
 * declare them (CSDL XML 4.01, 8.5). `$metadata` keeps the original.
 */
export function turnConstraints(csdl: Csdl): Csdl {
  const names = namesOf(csdl, []);
  const turned = new Map<NavigationProperty, NavigationProperty>();
  for (const element of names.elements.values()) {
    if (element.kind !== 'EntityType') continue;
    for (const property of collectionsOf(element)) {
      const partner = partnerOf(property, element, names);
      if (partner === undefined) continue;
      turned.set(property, { ...property, constraints: [] });
      if (partner.constraints.length === 0) turned.set(partner, { ...partner, constraints: property.constraints.map(turn) });
    }
  }
  const now = (property: Property | NavigationProperty): Property | NavigationProperty =>
    property.kind === 'NavigationProperty' ? (turned.get(property) ?? property) : property;
  return mapElements(csdl, (element) => (element.kind === 'EntityType' ? mapProperties(element, now) : element));
}

function collectionsOf({ properties }: StructuredType): readonly NavigationProperty[] {
  return properties.flatMap((property) =>
    property.kind === 'NavigationProperty' && property.collection && property.constraints.length > 0 && !property.containsTarget
      ? [property]
      : [],
  );
}

// Only one side may declare the partnership.
function partnerOf({ name, partner, type }: NavigationProperty, owner: StructuredType, names: Names): NavigationProperty | undefined {
  const target = names.elements.get(names.qualify(type));
  if (target?.kind !== 'EntityType') return undefined;
  const back = propertiesOf(target, names).filter((property) => property.kind === 'NavigationProperty');
  const line = lineOf(owner, names);
  const leadsBack = (other: NavigationProperty): boolean => line.some((each) => each === names.elements.get(names.qualify(other.type)));
  return back.find(
    (other) =>
      !other.collection &&
      !other.containsTarget &&
      leadsBack(other) &&
      (partner === undefined ? other.partner === name : other.name === partner && (other.partner ?? name) === name),
  );
}

function turn({ property, referencedProperty, ...constraint }: ReferentialConstraint): ReferentialConstraint {
  return { ...constraint, property: referencedProperty, referencedProperty: property };
}
