import type { Csdl, NavigationProperty, Property, Schema, SchemaElement, StructuredType } from './csdl.js';

/** The document with other elements; the same document where none is another one. */
export function mapElements(csdl: Csdl, map: (element: SchemaElement, schema: Schema) => SchemaElement): Csdl {
  const schemas = csdl.schemas.map((schema) => {
    const elements = schema.elements.map((element) => map(element, schema));
    return isSame(elements, schema.elements) ? schema : { ...schema, elements };
  });
  return isSame(schemas, csdl.schemas) ? csdl : { ...csdl, schemas };
}

/** The type with other properties; the same type where none is another one. */
export function mapProperties<Type extends StructuredType>(
  type: Type,
  map: (property: Property | NavigationProperty) => Property | NavigationProperty,
): Type {
  const properties = type.properties.map(map);
  return isSame(properties, type.properties) ? type : { ...type, properties };
}

/** Whether two lists have the same items. */
export function isSame<Item>(items: readonly Item[], others: readonly Item[]): boolean {
  return items.length === others.length && items.every((item, index) => item === others[index]);
}
