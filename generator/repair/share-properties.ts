import type { Csdl, NavigationProperty, Property, StructuredType } from '../csdl/csdl.js';
import { elementsOf, isStructured, mapElements, mapProperties } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { lineOf, namesOf, type Names } from './names.js';

/** A navigation property to one entity, required or not, and the nullable properties of its constraint. */
interface Reference {
  readonly type: StructuredType;
  readonly property: NavigationProperty;
  readonly target: StructuredType;
  /** The type that declares the properties. */
  readonly owner: StructuredType;
  /** The qualified name of the declaring type, and the names of the properties. */
  readonly shared: string;
}

/**
 * Marks navigation properties to different types that have one dependent property, such as customer, owner and
 * regarding of Dataverse: the property has the key of the one that is set, so none of them can be a foreign key. The
 * same holds for an inherited property that entities of other types have too.
 */
export function shareProperties(csdl: Csdl, report: Report): Csdl {
  const names = namesOf(csdl, []);
  const qualified = new Map<unknown, string>([...names.elements].map(([name, element]) => [element, name]));
  const references = elementsOf(csdl, 'EntityType').flatMap(({ element }) => referencesOf(element, names, qualified));
  const marked = new Set(references.filter((reference) => isOthers(reference, names)).map(({ property }) => property));
  for (const [shared, group] of grouped(references, (reference) => reference.shared)) {
    if (!group.some((one) => group.some((other) => !isRelated(one.target, other.target, names)))) continue;
    for (const { property } of group) marked.add(property);
    report(faults.sharedProperty(group[0]?.property.at ?? 0, shared, group.map(({ property }) => property.name).join(', ')));
  }
  const withMark = (property: Property | NavigationProperty): Property | NavigationProperty =>
    property.kind === 'NavigationProperty' && marked.has(property) ? { ...property, sharesProperty: true } : property;
  return mapElements(csdl, (element) => (element.kind === 'EntityType' ? mapProperties(element, withMark) : element));
}

function referencesOf(type: StructuredType, names: Names, qualified: ReadonlyMap<unknown, string>): readonly Reference[] {
  const line = lineOf(type, names);
  return type.properties.flatMap((property) => {
    if (property.kind !== 'NavigationProperty' || property.collection || property.constraints.length === 0) return [];
    const target = names.elements.get(names.qualify(property.type));
    const own = property.constraints.map((constraint) => constraint.property).sort();
    const owner = line.find(({ properties }) => properties.some(({ name }) => name === own[0]));
    const isOptional = own.every((name) => owner?.properties.some((one) => one.name === name && one.nullable !== false));
    if (target?.kind !== 'EntityType' || owner === undefined || !isOptional) return [];
    return [{ type, property, target, owner, shared: `${qualified.get(owner) ?? owner.name}/${own.join(', ')}` }];
  });
}

// Entities of other types have the property without the navigation property, so that its values need not be keys.
function isOthers({ type, owner }: Reference, names: Names): boolean {
  if (owner === type) return false;
  const lines = [...names.elements.values()].flatMap((one) => (isStructured(one) && !one.abstract ? [lineOf(one, names)] : []));
  return lines.some((line) => line.includes(owner) && !line.includes(type));
}

function isRelated(one: StructuredType, other: StructuredType, names: Names): boolean {
  return lineOf(one, names).includes(other) || lineOf(other, names).includes(one);
}
