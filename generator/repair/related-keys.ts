import type { Csdl, NavigationProperty, Property, PropertyRef, ReferentialConstraint, StructuredType } from '../csdl/csdl.js';
import { mapElements } from '../csdl/map-elements.js';
import { hiddenMark } from '../../runtime/edm/lookup.js';
import { lineOf, namesOf, propertiesOf, type Names } from './names.js';

/**
 * Adds a property for each part of a key that is a directly related entity's key (CSDL XML 4.01, 6.5): it has the alias
 * as its name and a constraint to the related key. A property that the document constrains itself is used instead.
 * `$metadata` keeps the original.
 */
export function relateKeys(csdl: Csdl): Csdl {
  const names = namesOf(csdl, []);
  return mapElements(csdl, (element) => (element.kind === 'EntityType' ? withRelatedKeys(element, names) : element));
}

/** A related entity whose key is part of a key. */
interface RelatedRecord {
  /** The path before the navigation property, in a complex value: `About/`. */
  readonly within: string;
  readonly navigation: NavigationProperty;
  /** The parts of the key that are its, with their paths from there. */
  readonly refs: readonly { readonly ref: PropertyRef; readonly referenced: string }[];
}

/** A key part of a related entity, and the property in its place. */
interface RelatedPart {
  readonly ref: PropertyRef;
  readonly named: PropertyRef;
  /** The added property, and the constraint that it mirrors. */
  readonly added?: { readonly navigation: NavigationProperty; readonly property: Property; readonly constraint: ReferentialConstraint };
}

function withRelatedKeys(type: StructuredType, names: Names): StructuredType {
  const [key = [], ...further] = type.keys;
  const parts = relatedRecords(key, type, names).flatMap((record) => partsOf(record, type, names));
  if (parts.length === 0) return type;
  const added = parts.flatMap((part) => part.added ?? []);
  const properties = type.properties.map((property) => {
    const constraints = added.filter(({ navigation }) => navigation === property).map(({ constraint }) => constraint);
    return property.kind === 'NavigationProperty' && constraints.length > 0
      ? { ...property, constraints: [...property.constraints, ...constraints] }
      : property;
  });
  return {
    ...type,
    keys: [key.map((ref) => parts.find((part) => part.ref === ref)?.named ?? ref), ...further],
    properties: [...added.map(({ property }) => property), ...properties],
  };
}

function relatedRecords(key: readonly PropertyRef[], type: StructuredType, names: Names): readonly RelatedRecord[] {
  const records = new Map<string, RelatedRecord>();
  for (const ref of key) {
    const found = ref.name.includes('/') ? alongPath(ref.name.split('/'), type, names) : undefined;
    if (found === undefined) continue;
    const { within, navigation, referenced } = found;
    const path = `${within}${navigation.name}`;
    records.set(path, { within, navigation, refs: [...(records.get(path)?.refs ?? []), { ref, referenced }] });
  }
  return [...records.values()];
}

// Through single complex values to the first navigation property.
function alongPath(
  segments: readonly string[],
  type: StructuredType,
  names: Names,
): (Pick<RelatedRecord, 'within' | 'navigation'> & { readonly referenced: string }) | undefined {
  let owner: StructuredType | undefined = type;
  for (const [index, segment] of segments.entries()) {
    const property: Property | NavigationProperty | undefined = owner && propertiesOf(owner, names).find(({ name }) => name === segment);
    if (property === undefined || property.collection) return undefined;
    if (property.kind === 'NavigationProperty')
      return {
        within: index === 0 ? '' : `${segments.slice(0, index).join('/')}/`,
        navigation: property,
        referenced: segments.slice(index + 1).join('/'),
      };
    const complex = names.elements.get(names.qualify(property.type));
    owner = complex?.kind === 'ComplexType' ? complex : undefined;
  }
  return undefined;
}

// All of the other record's key or none (6.5).
function partsOf(record: RelatedRecord, type: StructuredType, names: Names): readonly RelatedPart[] {
  const { navigation, refs } = record;
  const target = names.elements.get(names.qualify(navigation.type));
  if (navigation.nullable !== false || target?.kind !== 'EntityType') return [];
  const line = lineOf(target, names);
  const other = line.map(({ keys }) => keys[0] ?? []).find((one) => one.length > 0) ?? [];
  const parts = other.flatMap((one): readonly RelatedPart[] => {
    const ref = refs.find(({ referenced }) => referenced === one.name)?.ref;
    const property = line.flatMap(({ properties }) => properties).find((found) => found.name === one.name);
    return ref && property?.kind === 'Property' ? partOf(ref, property, record, type, names) : [];
  });
  return parts.length === other.length && parts.length === refs.length ? parts : [];
}

// An existing constraint determines the mirroring property. A nested one cannot get another.
function partOf(
  ref: PropertyRef,
  other: Property,
  { within, navigation }: RelatedRecord,
  { properties }: StructuredType,
  names: Names,
): readonly RelatedPart[] {
  const { at, alias } = ref;
  if (alias === undefined) return [];
  const repeated = navigation.constraints.find(({ referencedProperty }) => referencedProperty === other.name);
  if (repeated) return [{ ref, named: { ...ref, name: `${within}${repeated.property}`, related: true } }];
  if (within !== '' || !properties.includes(navigation)) return [];
  const name = `${hiddenMark}${alias}`;
  const property: Property = { ...other, at, name, annotations: [], defaultValue: undefined, type: names.qualify(other.type) };
  return [
    {
      ref,
      named: { ...ref, name, related: true },
      added: { navigation, property, constraint: { at, annotations: [], property: name, referencedProperty: other.name } },
    },
  ];
}
