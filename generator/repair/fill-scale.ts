import type { Csdl, Facets, SchemaElement } from '../csdl/csdl.js';
import { isSame, mapElements, mapProperties } from '../csdl/map-elements.js';
import { faults, type Report } from '../faults.js';

/**
 * Adds `Scale="variable"` to decimals without a scale. The standard's default is no digits after the point (CSDL XML
 * 4.01, 7.2.4), which documents with prices and latitudes do not mean.
 */
export function fillScale(csdl: Csdl, report: Report): Csdl {
  const filled = mapElements(csdl, (element) => fillElement(element, report));
  return filled === csdl ? csdl : { ...filled, changed: true };
}

function fillElement(element: SchemaElement, report: Report): SchemaElement {
  switch (element.kind) {
    case 'EntityType':
    case 'ComplexType':
      return mapProperties(element, (property) =>
        property.kind === 'Property' ? fillItem(property, property.type, `Property ${element.name}/${property.name}`, report) : property,
      );
    case 'Action':
    case 'Function': {
      const parameters = element.parameters.map((parameter) =>
        fillItem(parameter, parameter.type, `Parameter ${element.name}/${parameter.name}`, report),
      );
      const returnType =
        element.returnType && fillItem(element.returnType, element.returnType.type, `The result of ${element.name}`, report);
      return returnType === element.returnType && isSame(parameters, element.parameters) ? element : { ...element, parameters, returnType };
    }
    case 'TypeDefinition':
      return fillItem(element, element.underlyingType, `Type definition ${element.name}`, report);
    case 'EnumType':
    case 'Term':
    case 'EntityContainer':
      return element;
  }
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
