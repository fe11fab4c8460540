import type { Csdl, NavigationProperty, Property, PropertyRef, StructuredType } from '../csdl/csdl.js';
import { lineOf, namesOf, type Names } from './names.js';

/**
 * The model with a property for each part of a key that is the key of a directly related record (CSDL XML 4.01, 6.5): it
 * has the alias for a name, and a constraint says that it is what the other record's is. `$metadata` says what was written.
 */
export function relateKeys(csdl: Csdl): Csdl {
  const names = namesOf(csdl, []);
  const schemas = csdl.schemas.map((schema) => ({ ...schema, elements: schema.elements.map((element) => (element.kind === 'EntityType' ? withRelatedKeys(element, names) : element)) }));
  const isChanged = schemas.some(({ elements }, index) => elements.some((element, place) => element !== csdl.schemas[index]?.elements[place]));
  return isChanged ? { ...csdl, schemas } : csdl;
}

/** A part of a key that is that of a related record. */
interface RelatedPart {
  readonly ref: PropertyRef & { readonly alias: string };
  readonly property: Property;
  /** Its path from the other record. */
  readonly referenced: string;
}

function withRelatedKeys(type: StructuredType, names: Names): StructuredType {
  const [key = [], ...further] = type.keys;
  const related = type.properties.flatMap((property) => (property.kind === 'NavigationProperty' ? partsOf(property, key, names).map((part) => ({ ...part, navigation: property })) : []));
  if (related.length === 0) return type;
  const aliases = new Map(related.map(({ ref }) => [ref.name, ref.alias]));
  const properties = type.properties.map((property) => {
    const parts = related.filter(({ navigation }) => navigation === property);
    return property.kind === 'NavigationProperty' && parts.length > 0 ? { ...property, constraints: parts.map(({ ref, referenced }) => ({ at: ref.at, annotations: [], property: ref.alias, referencedProperty: referenced })) } : property;
  });
  return {
    ...type,
    keys: [key.map((ref) => ({ ...ref, name: aliases.get(ref.name) ?? ref.name, alias: aliases.has(ref.name) ? undefined : ref.alias })), ...further],
    properties: [...related.map(({ property }) => property), ...properties],
  };
}

// All of the other record's key or none (6.5); a constraint of the property's own says already what it repeats.
function partsOf({ name, type, collection, nullable, constraints }: NavigationProperty, key: readonly PropertyRef[], names: Names): readonly RelatedPart[] {
  const refs = key.filter((ref) => ref.name.startsWith(`${name}/`));
  const target = names.elements.get(names.qualify(type));
  if (refs.length === 0 || collection || nullable !== false || constraints.length > 0 || target?.kind !== 'EntityType') return [];
  const line = lineOf(target, names);
  const other = line.map(({ keys }) => keys[0] ?? []).find((one) => one.length > 0) ?? [];
  const parts = other.flatMap((one): readonly RelatedPart[] => {
    const ref = refs.find((mine) => mine.name === `${name}/${one.name}`);
    const property = line.flatMap(({ properties }) => properties).find((found) => found.kind === 'Property' && found.name === one.name);
    if (ref?.alias === undefined || property?.kind !== 'Property') return [];
    return [{ ref: { ...ref, alias: ref.alias }, referenced: one.name, property: { ...property, at: ref.at, name: ref.alias, annotations: [], defaultValue: undefined, type: names.qualify(property.type) } }];
  });
  return parts.length === other.length && parts.length === refs.length ? parts : [];
}
