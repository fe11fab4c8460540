import type { Csdl, NavigationProperty, Property, SchemaElement, StructuredType } from '../../csdl/csdl.js';
import { isStructured, mapElements } from '../../csdl/map-elements.js';
import { faults, type Report } from '../../faults.js';
import { lineOf, namesOf, type Names } from '../../repair/names.js';
import { valueTypes } from './value-types.js';

/** The model without properties of abstract built-in types (CSDL XML 4.01, 3.4), each of which is reported; complex types that only terms use may have them. */
export function omitAbstract(csdl: Csdl, report: Report): Csdl {
  const names = namesOf(csdl, []);
  const stored = valueTypes(csdl, names.qualify);
  return mapElements(csdl, (element, { namespace }) => {
    if (!isStructured(element)) return element;
    const isUsed = element.kind === 'EntityType' || stored.has(`${namespace}.${element.name}`);
    const omitted = element.properties.filter((property) => {
      const abstract = abstractTypeOf(property.type, names);
      if (abstract !== undefined && isUsed)
        report(faults.abstractProperty(property.at, `${element.name}/${property.name}`, abstract, hintOf(property, abstract)));
      return abstract !== undefined;
    });
    if (omitted.length === 0) return element;
    return { ...without(element, omitted), leftOut: [...(element.leftOut ?? []), ...omitted.map(({ name }) => name)] };
  });
}

/** The model without properties that redefine an inherited one (CSDL XML 4.01, 7 and 8), each of which is reported. */
export function omitRedefined(csdl: Csdl, report: Report): Csdl {
  const names = namesOf(csdl, []);
  return mapElements(csdl, (element) => {
    if (!isStructured(element)) return element;
    const redefined = redefinedIn(element, names);
    for (const { at, name } of redefined) report(faults.redefined(at, `${element.name}/${name}`));
    return redefined.length === 0 ? element : without(element, redefined);
  });
}

function redefinedIn(type: StructuredType, names: Names): StructuredType['properties'] {
  const [, ...bases] = lineOf(type, names);
  const inherited = new Set(bases.flatMap(({ properties }) => properties.map(({ name }) => name)));
  return type.properties.filter(({ name }) => inherited.has(name));
}

function without(type: StructuredType, omitted: StructuredType['properties']): StructuredType {
  return { ...type, properties: type.properties.filter((property) => !omitted.includes(property)) };
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
