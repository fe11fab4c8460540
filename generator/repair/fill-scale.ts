import type { Csdl, Facets, Schema, SchemaElement, StructuredType } from '../csdl/csdl.js';
import { faults, type Report } from '../faults.js';

/**
 * Adds `Scale="variable"` to decimals without a scale. The standard's default is no digits after the point (CSDL XML
 * 4.01, 7.2.4), which documents with prices and latitudes do not mean.
 */
export function fillScale(csdl: Csdl, report: Report): Csdl {
  const schemas = csdl.schemas.map((schema): Schema => ({
    ...schema,
    elements: schema.elements.map((element) => fillElement(element, report)),
  }));
  const isChanged = schemas.some(({ elements }, index) =>
    elements.some((element, place) => element !== csdl.schemas[index]?.elements[place]),
  );
  return isChanged ? { ...csdl, schemas, changed: true } : csdl;
}

function fillElement(element: SchemaElement, report: Report): SchemaElement {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return fillProperties(element, report);
    case 'Action':
    case 'Function': {
      const parameters = element.parameters.map((parameter) =>
        fillItem(parameter, parameter.type, `Parameter ${element.name}/${parameter.name}`, report),
      );
      const returnType =
        element.returnType && fillItem(element.returnType, element.returnType.type, `The result of ${element.name}`, report);
      const isSame = returnType === element.returnType && parameters.every((parameter, index) => parameter === element.parameters[index]);
      return isSame ? element : { ...element, parameters, returnType };
    }
    case 'TypeDefinition':
      return fillItem(element, element.underlyingType, `Type definition ${element.name}`, report);
    case 'EnumType':
    case 'Term':
    case 'EntityContainer':
      return element;
  }
}

function fillProperties(type: StructuredType, report: Report): StructuredType {
  const properties = type.properties.map((property) =>
    property.kind === 'Property' ? fillItem(property, property.type, `Property ${type.name}/${property.name}`, report) : property,
  );
  return properties.some((property, index) => property !== type.properties[index]) ? { ...type, properties } : type;
}

// A precision without a scale is taken literally: whole numbers with so many digits.
function fillItem<Item extends Pick<Facets, 'precision' | 'scale'> & { readonly at: number }>(
  item: Item,
  type: string,
  label: string,
  report: Report,
): Item {
  if (type !== 'Edm.Decimal' || item.precision !== undefined || item.scale !== undefined) return item;
  report(faults.scale(item.at, label));
  return { ...item, scale: 'variable' };
}
