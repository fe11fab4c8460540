import type { ComplexType, StructuredType } from './complex-type.js';
import type { EntityContainer } from './entity-container.js';
import type { EntityType } from './entity-type.js';
import type { Field } from './field.js';
import type { Navigation } from './navigation.js';
import { primitives } from './primitive.js';

/** The abstract type that every entity type derives from (CSDL XML 4.01, 3.4). */
export const anyEntity = 'Edm.EntityType';

/** The own member of a table under a name from outside, so that `constructor` is not a field. */
export function own<Value>(table: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The structural property of that name. */
export function fieldOf(type: StructuredType, name: string): Field | undefined {
  return own(type.fields, name);
}

/** The navigation property of that name. */
export function navigationOf(type: StructuredType, name: string): Navigation | undefined {
  return own(type.navigation, name);
}

/** Whether a navigation property is the record's own, and not one of a complex value. */
export function isDirect(name: string): boolean {
  return !name.includes('/');
}

/** The entity type that an entity set exposes. */
export function entityTypeOfSet(container: EntityContainer, set: string): EntityType | undefined {
  const name = own(container.entitySets, set);
  return name === undefined ? undefined : own(container.entityTypes, name);
}

/** The entity type that a singleton is of. */
export function entityTypeOfSingleton({ entityTypes, singletons = {} }: EntityContainer, singleton: string): EntityType | undefined {
  const name = own(singletons, singleton);
  return name === undefined ? undefined : own(entityTypes, name);
}

/** The entity type that a navigation property leads to; a generated target always exists. */
export function targetOf(container: EntityContainer, navigation: Pick<Navigation, 'target'>): EntityType {
  const type = own(container.entityTypes, navigation.target);
  if (type === undefined) throw new Error(`The container has no entity type ${navigation.target}.`);
  return type;
}

/** The column that stores a property. */
export function columnOf(type: StructuredType, name: string): string {
  return fieldOf(type, name)?.column ?? name;
}

/** What stores a property of the key, which may lie within a complex value. */
export function keyFieldOf(type: Pick<EntityType, 'fields' | 'keyFields'>, name: string): Field | undefined {
  return own(type.keyFields ?? {}, name) ?? own(type.fields, name);
}

/** Whether a property is part of the key, under its own name or another one. */
export function isOfKey({ key, keyFields = {} }: Pick<EntityType, 'key' | 'keyFields'>, property: string): boolean {
  return key.includes(property) || Object.values(keyFields).some(({ path }) => path === property);
}

/** The column of a property of the key. */
export function keyColumnOf(type: Pick<EntityType, 'fields' | 'keyFields'>, name: string): string {
  return keyFieldOf(type, name)?.column ?? name;
}

/** The internal column with a number that no two records of a table have in common. */
export function rowColumn({ transient }: Pick<EntityType, 'transient'>): string {
  return transient ? '#place' : '#id';
}

/** A type's qualified name, its alias replaced by the namespace; a name without either is in the container's own. */
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

/** The complex type of a qualified name. */
export function complexTypeNamed({ complexTypes = {} }: EntityContainer, qualifiedName: string): ComplexType | undefined {
  return own(complexTypes, qualifiedName);
}

/** Whether what a value says of its type is this one, or one that derives from it. */
export function isOfComplexType(said: unknown, type: string, container: EntityContainer): boolean {
  if (typeof said !== 'string') return false;
  const name = qualify(container, said.slice(said.lastIndexOf('#') + 1));
  return name === type || (complexTypeNamed(container, type)?.derived.includes(name) ?? false);
}

/** Whether a property is stored as an array; a collection of values that are JSON is one of them. */
export function isArray({ collection, type }: Pick<Field, 'collection' | 'type'>): boolean {
  return collection === true && primitives[type].sql !== 'jsonb';
}

/** The property that a column stores; an internal column goes by its own name. */
export function propertyOf(type: EntityType, column: string): string {
  return Object.keys(type.fields).find((name) => columnOf(type, name) === column) ?? column;
}
