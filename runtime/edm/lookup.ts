import type { Stream } from './stream.js';
import type { EntityContainer } from './entity-container.js';
import type { ComplexType, EntityType, StructuredType } from './entity-type.js';
import type { Field } from './field.js';
import type { Navigation } from './navigation.js';
import type { Operation } from './operation.js';
import type { KeyGeneration } from './rules.js';
import { primitives } from './primitive.js';
import { memoized } from './memoized.js';
import { isIdentifier } from './identifier.js';

/** The abstract type that every entity type derives from (CSDL XML 4.01, 3.4). */
export const anyEntity = 'Edm.EntityType';

/** The own member of a table with a client-supplied name, so that `constructor` is not a field. */
export function own<Value>(table: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The structural property with the name. */
export function fieldOf(type: StructuredType, name: string): Field | undefined {
  return own(type.fields, name);
}

/** The navigation property with the name. */
export function navigationOf(type: StructuredType, name: string): Navigation | undefined {
  return own(type.navigation, name);
}

/** The media stream with the name. */
export function streamOf({ streams = {} }: Pick<EntityType, 'streams'>, name: string): Stream | undefined {
  return own(streams, name);
}

/** Whether a navigation property belongs to the entity itself, not to a complex value. */
export function isDirect(name: string): boolean {
  return !name.includes('/');
}

/** The entity type of an entity set. */
export function entityTypeOfSet(container: EntityContainer, set: string): EntityType | undefined {
  const name = own(container.entitySets, set);
  return name === undefined ? undefined : own(container.entityTypes, name);
}

/** The entity type of a singleton. */
export function entityTypeOfSingleton({ entityTypes, singletons = {} }: EntityContainer, singleton: string): EntityType | undefined {
  const name = own(singletons, singleton);
  return name === undefined ? undefined : own(entityTypes, name);
}

/** The target type of a navigation property; a generated target always exists. */
export function targetOf(container: EntityContainer, navigation: Pick<Navigation, 'target'>): EntityType {
  const type = own(container.entityTypes, navigation.target);
  if (type === undefined) throw new Error(`The container has no entity type ${navigation.target}.`);
  return type;
}

/** The column that stores a property. */
export function columnOf(type: StructuredType, name: string): string {
  return fieldOf(type, name)?.column ?? name;
}

/** The field of a key property, which may be nested in a complex value. */
export function keyFieldOf(type: Pick<EntityType, 'fields' | 'keyFields'>, name: string): Field | undefined {
  return own(type.keyFields ?? {}, name) ?? own(type.fields, name);
}

/** The key property that the service generates. */
export function generatedKeyProperty({ key: [first], keyGeneration }: GeneratedKey): string | undefined {
  return keyGeneration && (keyGeneration.property ?? first);
}

interface GeneratedKey {
  readonly key: readonly string[];
  readonly keyGeneration?: KeyGeneration | undefined;
}

/** Whether a property is part of the key, under its own name or an alias. */
export function isOfKey({ key, keyFields = {} }: Pick<EntityType, 'key' | 'keyFields'>, property: string): boolean {
  return key.includes(property) || Object.values(keyFields).some(({ path }) => path === property);
}

/** The column of a key property. */
export function keyColumnOf(type: Pick<EntityType, 'fields' | 'keyFields'>, name: string): string {
  return keyFieldOf(type, name)?.column ?? name;
}

/** The internal column that identifies a row. */
export function rowColumn({ transient }: Pick<EntityType, 'transient'>): string {
  return transient ? '#place' : '#id';
}

/** A qualified name with its alias resolved; a simple name is in the container's namespace. */
export function qualify({ namespace, aliases = {} }: EntityContainer, name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return `${namespace}.${name}`;
  return `${own(aliases, name.slice(0, dot)) ?? name.slice(0, dot)}${name.slice(dot)}`;
}

/** The type of a complex property; a generated one always exists. */
export function complexTypeOf(container: EntityContainer, { complex = '' }: Pick<Field, 'complex'>): ComplexType {
  const type = complexTypeNamed(container, complex);
  if (type === undefined) throw new Error(`The container has no complex type ${complex}.`);
  return type;
}

/** The complex type with the qualified name. */
export function complexTypeNamed({ complexTypes = {} }: EntityContainer, qualifiedName: string): ComplexType | undefined {
  return own(complexTypes, qualifiedName);
}

/** The name of a model's element without its namespace. */
export function localName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The type in an `@odata.type`: the fragment of its URL, in 4.01 optionally without its number sign (JSON format 4.6.3). */
export function typeInUrl(url: string): string {
  return url.slice(url.lastIndexOf('#') + 1);
}

/** The declared type of a property's single values: `Edm.String`, `Ns.Address`. */
export function declaredType({ complex, enumeration, definition, shape, type }: Field): string {
  return complex ?? enumeration?.qualifiedName ?? definition ?? shape ?? type;
}

/** The declared type of a property: `Edm.String`, `Collection(Ns.Address)`. */
export function declaredText(field: Field): string {
  return field.collection ? `Collection(${declaredType(field)})` : declaredType(field);
}

/** Whether the `@odata.type` of a value is this type or a derived one. */
export function isOfComplexType(stated: unknown, type: string, container: EntityContainer): boolean {
  if (typeof stated !== 'string') return false;
  const name = qualify(container, typeInUrl(stated));
  return name === type || (complexTypeNamed(container, type)?.derived.includes(name) ?? false);
}

/** Whether a property is stored as an array; collections of JSON values are one `jsonb`. */
export function isArray({ collection, type }: Pick<Field, 'collection' | 'type'>): boolean {
  return collection === true && primitives[type].sql !== 'jsonb';
}

/** The property that a column stores; an internal column keeps its name. */
export function propertyOf(type: EntityType, column: string): string {
  return propertiesByColumn(type.fields, type).get(column) ?? column;
}

// Each update asks for the columns that others mirror. Of several properties that share a column, the first one.
const propertiesByColumn = memoized(
  (fields: EntityType['fields'], type: EntityType): ReadonlyMap<string, string> =>
    new Map(
      Object.keys(fields)
        .toReversed()
        .map((name) => [columnOf(type, name), name]),
    ),
);

/** The overloads of an operation by its name, qualified or of a default namespace (Core.DefaultNamespace). */
export function overloadsNamed(name: string, container: EntityContainer): readonly Operation[] {
  const { operations = {}, defaultNamespaces = [] } = container;
  if (name.includes('.')) return own(operations, qualify(container, name)) ?? [];
  return defaultNamespaces.flatMap((namespace) => own(operations, `${namespace}.${name}`) ?? []);
}

/**
 * The prefix of internal properties, which no identifier begins with: they mirror the key of a related entity that is
 * part of the entity's own key under an alias (CSDL 4.01, 6.5).
 */
export const hiddenMark = '~';

/** Whether clients can name a property; names that begin with `#` are internal. */
export function isShownName(name: string): boolean {
  return !name.startsWith(hiddenMark) && !name.startsWith('#');
}

/** The column of an open type's dynamic properties. */
export const openColumn = '#open';

/** Whether an undeclared name can be that of a dynamic property (ABNF rule odataIdentifier). */
export function isDynamicName({ open }: Pick<StructuredType, 'open'>, name: string): boolean {
  return open === true && isIdentifier(name);
}
