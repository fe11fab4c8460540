import { suggestion } from '../../runtime/errors/suggest.js';
import type { Csdl, Facets, NavigationProperty, Property, Schema, SchemaElement, StructuredType, TypeReference } from '../csdl/csdl.js';
import { isSame, isStructured, mapElements, mapProperties } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';
import { namespaceOf } from '../csdl/names-in.js';
import { lineOf, namesOf, type Names } from './names.js';
import { omitUnneeded } from './omit-unneeded.js';

/**
 * Repairs a document: undefined types, missing or nullable keys, digits that the database does not store. Each repair
 * is reported; strict mode stops, lenient mode continues, and `$metadata` has the repaired document.
 */
export function repairDocument(written: Csdl, included: readonly Schema[], report: Report): Csdl {
  const csdl = omitUnneeded(written, included, namesOf(written, included), report);
  const names = namesOf(csdl, included);
  const repaired = mapElements(csdl, (element) => repairElement(element, names, report));
  return repaired === csdl ? csdl : { ...withoutDangling(repaired, csdl, names), changed: true };
}

// Bindings and partners that refer to omitted navigation properties are removed, too; these have been reported.
function withoutDangling(repaired: Csdl, { schemas }: Csdl, { qualify, elements }: Names): Csdl {
  const own = new Set(schemas.flatMap(({ elements: all }) => all));
  const isDropped = (type: string, path: string): boolean => {
    const element = elements.get(qualify(type));
    if (element?.kind !== 'EntityType' || !own.has(element)) return false;
    const property = element.properties.find(({ name }) => name === path);
    return property?.kind === 'NavigationProperty' && !elements.has(qualify(property.type));
  };
  const alone = (property: Property | NavigationProperty): Property | NavigationProperty =>
    property.kind === 'NavigationProperty' && property.partner !== undefined && isDropped(property.type, property.partner)
      ? { ...property, partner: undefined }
      : property;
  return mapElements(repaired, (element) => {
    if (isStructured(element)) return mapProperties(element, alone);
    if (element.kind !== 'EntityContainer') return element;
    const members = element.members.map((member) =>
      member.kind === 'EntitySet'
        ? { ...member, bindings: member.bindings.filter(({ path }) => !isDropped(member.entityType, path)) }
        : member,
    );
    return { ...element, members };
  });
}

function repairElement(element: SchemaElement, names: Names, report: Report): SchemaElement {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return repairKey(repairProperties(element, names, report), names, report);
    case 'Action':
    case 'Function': {
      const parameters = element.parameters.map((parameter) => repairType(parameter, `Parameter ${parameter.name}`, names, report));
      const returnType = element.returnType && repairType(element.returnType, `The result of ${element.name}`, names, report);
      return isSame(parameters, element.parameters) && returnType === element.returnType ? element : { ...element, parameters, returnType };
    }
    case 'TypeDefinition':
      return repairPrecision(element, element.underlyingType, `Type definition ${element.name}`, report);
    case 'EnumType':
    case 'Term':
    case 'EntityContainer':
      return element;
  }
}

function repairProperties(type: StructuredType, names: Names, report: Report): StructuredType {
  const properties = type.properties.flatMap((property): readonly (Property | NavigationProperty)[] => {
    if (property.kind === 'Property')
      return [
        names.elements.get(names.qualify(property.type))?.kind === 'EntityType'
          ? asNavigation(property, report)
          : repairType(property, `Property ${property.name}`, names, report),
      ];
    const isKnown = property.type.startsWith('Edm.') || names.elements.has(names.qualify(property.type));
    // A text that is no type name has been reported.
    if (!isKnown && property.type !== '') reportUnknown(property, `${type.name}/${property.name}`, names, report);
    return isKnown ? [property] : [];
  });
  if (isSame(properties, type.properties)) return type;
  const kept = new Set<object>(properties);
  return {
    ...type,
    properties,
    leftOut: [...(type.leftOut ?? []), ...type.properties.flatMap((property) => (kept.has(property) ? [] : [property.name]))],
  };
}

// An entity type is no type for values, so the property becomes a navigation property.
function asNavigation({ at, name, type, collection, nullable, annotations }: Property, report: Report): NavigationProperty {
  report(faults.entityProperty(at, `Property ${name}`, type));
  return {
    at,
    name,
    kind: 'NavigationProperty',
    type,
    collection,
    nullable: collection ? undefined : nullable,
    partner: undefined,
    containsTarget: false,
    constraints: [],
    onDelete: undefined,
    annotations,
  };
}

// An undefined type is most often a list of values that the author keeps elsewhere, and values travel as text.
function repairType<Item extends TypeReference & { readonly at: number }>(item: Item, label: string, names: Names, report: Report): Item {
  if (item.type.startsWith('Edm.')) return repairPrecision(item, item.type, label, report);
  if (names.elements.has(names.qualify(item.type))) return item;
  if (item.type !== '') reportUnknown(item, label, names, report);
  return { ...item, type: 'Edm.String' };
}

/** The digits that PostgreSQL stores for seconds and numbers. */
const keptDigits: ReadonlyMap<string, readonly [most: number, what: string]> = new Map<string, readonly [number, string]>([
  ['Edm.DateTimeOffset', [6, 'digits of a second']],
  ['Edm.TimeOfDay', [6, 'digits of a second']],
  ['Edm.Duration', [6, 'digits of a second']],
  ['Edm.Decimal', [1000, 'digits of a number']],
]);

// A value with more digits would change when it is read again.
function repairPrecision<Item extends Pick<Facets, 'precision'> & { readonly at: number }>(
  item: Item,
  type: string,
  label: string,
  report: Report,
): Item {
  const [most, what] = keptDigits.get(type) ?? [Infinity, ''];
  if (item.precision === undefined || item.precision <= most) return item;
  report(faults.precision(item.at, label, String(item.precision), String(most), what));
  return { ...item, precision: most };
}

function reportUnknown({ at, type }: { readonly at: number; readonly type: string }, label: string, names: Names, report: Report): void {
  const name = names.qualify(type);
  const hint = names.suggest(name);
  report(
    names.isDeclared(name) ? faults.unknownType(at, label, type, hint) : faults.unknownNamespace(at, type, namespaceOf(name) || "''", hint),
  );
}

function repairKey(type: StructuredType, names: Names, report: Report): StructuredType {
  const [key = []] = type.keys;
  const inherited = new Set(
    lineOf(type, names)
      .slice(1)
      .flatMap(({ properties }) => properties.map(({ name }) => name)),
  );
  const own = new Set(type.properties.map(({ name }) => name));
  const plain = key.filter(({ name }) => !name.includes('/'));
  const missing = plain.filter(({ name }) => !own.has(name) && !inherited.has(name));
  for (const { at, name } of missing) report(faults.unknownKey(at, type.name, name, suggestion(name, own)));
  const inKey = new Set(plain.map(({ name }) => name));
  const properties = type.properties.map((property) => {
    if (property.kind !== 'Property' || property.nullable === false || property.collection || !inKey.has(property.name)) return property;
    report(faults.nullableKey(property.at, type.name, property.name));
    return { ...property, nullable: false };
  });
  if (missing.length === 0 && isSame(properties, type.properties)) return type;
  return { ...type, properties: [...missing.map(({ at, name }) => keyProperty(at, name)), ...properties] };
}

function keyProperty(at: number, name: string): Property {
  return {
    at,
    name,
    kind: 'Property',
    type: 'Edm.String',
    collection: false,
    nullable: false,
    maxLength: undefined,
    precision: undefined,
    scale: undefined,
    srid: undefined,
    unicode: undefined,
    defaultValue: undefined,
    annotations: [],
  };
}
