import type { Csdl, NavigationProperty, Property, SchemaElement, StructuredType } from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { namesOf, type Names } from '../../repair/names.js';
import { valueTypes } from './value-types.js';

/** The model without properties of abstract built-in types (CSDL XML 4.01, 3.4), each of which is reported; complex types that only terms use may have them. */
export function omitAbstract(csdl: Csdl, report: Report): Csdl {
  const names = namesOf(csdl, []);
  const stored = valueTypes(csdl, names.qualify);
  const schemas = csdl.schemas.map((schema) => ({
    ...schema,
    elements: schema.elements.map((element) => {
      if (element.kind !== 'EntityType' && element.kind !== 'ComplexType') return element;
      const isUsed = element.kind === 'EntityType' || stored.has(`${schema.namespace}.${element.name}`);
      return omitFrom(element, names, isUsed ? report : () => undefined);
    }),
  }));
  return { ...csdl, schemas };
}

function omitFrom(type: StructuredType, names: Names, report: Report): StructuredType {
  const omitted = type.properties.filter((property) => {
    const abstract = abstractTypeOf(property.type, names);
    if (abstract !== undefined)
      report(faults.abstractProperty(property.at, `${type.name}/${property.name}`, abstract, hintOf(property, abstract)));
    return abstract !== undefined;
  });
  if (omitted.length === 0) return type;
  return {
    ...type,
    properties: type.properties.filter((property) => !omitted.includes(property)),
    leftOut: [...(type.leftOut ?? []), ...omitted.map(({ name }) => name)],
  };
}

const abstractTypes: ReadonlySet<string> = new Set(['Edm.ComplexType', 'Edm.EntityType', 'Edm.PrimitiveType']);

/** The abstract built-in type of a name, directly or through a type definition (CSDL XML 4.01, 11.1). */
export function abstractTypeOf(
  type: string,
  { elements, qualify }: { readonly elements: ReadonlyMap<string, SchemaElement>; readonly qualify: (name: string) => string },
): string | undefined {
  const definition = elements.get(qualify(type));
  const name = definition?.kind === 'TypeDefinition' ? qualify(definition.underlyingType) : type;
  return abstractTypes.has(name) ? name : undefined;
}

function hintOf({ kind }: Property | NavigationProperty, abstract: string): string {
  if (kind === 'NavigationProperty') return 'Name the entity type of the target; several types can share an abstract base type.';
  return abstract === 'Edm.EntityType'
    ? 'Use <NavigationProperty> for entities.'
    : 'Name a concrete type, or use Edm.Untyped for any JSON value.';
}
