import type { ContainerMember, Csdl, NavigationProperty, Property, Schema, SchemaElement, StructuredType } from './csdl.js';
import { grouped } from '../../runtime/edm/grouped.js';

type OfKind<Element, Kind> = Element extends { readonly kind: infer Own } ? ([Own & Kind] extends [never] ? never : Element) : never;

/** An element with its qualified name. */
interface NamedElement<Element> {
  readonly name: string;
  readonly namespace: string;
  readonly element: Element;
}

/** The elements of some kinds, in the order of the document. */
export function elementsOf<Kind extends SchemaElement['kind']>(
  { schemas }: Pick<Csdl, 'schemas'>,
  ...kinds: readonly Kind[]
): readonly NamedElement<OfKind<SchemaElement, Kind>>[] {
  const isWanted = (element: SchemaElement): element is OfKind<SchemaElement, Kind> => kinds.some((kind) => kind === element.kind);
  return schemas.flatMap(({ namespace, elements }) =>
    elements.filter(isWanted).map((element) => ({ name: `${namespace}.${element.name}`, namespace, element })),
  );
}

/** All elements by their qualified names; overloads share one. */
export function elementsByName(schemas: readonly Schema[]): ReadonlyMap<string, readonly SchemaElement[]> {
  const all = schemas.flatMap(({ namespace, elements }) => elements.map((element) => ({ name: `${namespace}.${element.name}`, element })));
  return new Map([...grouped(all, ({ name }) => name)].map(([name, same]) => [name, same.map(({ element }) => element)]));
}

/** The members of the entity container. */
export function containerMembers(csdl: Pick<Csdl, 'schemas'>): readonly ContainerMember[] {
  return elementsOf(csdl, 'EntityContainer').flatMap(({ element }) => element.members);
}

/** Whether an element is an entity type or a complex type. */
export function isStructured(element: SchemaElement | undefined): element is StructuredType {
  return element?.kind === 'EntityType' || element?.kind === 'ComplexType';
}

/** The document with other elements; the same document where none is another one. */
export function mapElements(csdl: Csdl, map: (element: SchemaElement, schema: Schema) => SchemaElement): Csdl {
  const schemas = csdl.schemas.map((schema) => {
    const elements = schema.elements.map((element) => map(element, schema));
    return isSame(elements, schema.elements) ? schema : { ...schema, elements };
  });
  return isSame(schemas, csdl.schemas) ? csdl : { ...csdl, schemas };
}

/** The document with other members of its entity container. */
export function mapMembers(csdl: Csdl, map: (member: ContainerMember) => ContainerMember): Csdl {
  return mapElements(csdl, (element) => (element.kind === 'EntityContainer' ? { ...element, members: element.members.map(map) } : element));
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
