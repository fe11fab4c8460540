import type { EntityContainer, EntityType, Field, Navigation } from './entity-type.js';

/** The own member of a table under a name from outside, so that `constructor` is not a field. */
export function own<Value>(table: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The structural property of that name. */
export function fieldOf(type: EntityType, name: string): Field | undefined {
  return own(type.fields, name);
}

/** The navigation property of that name. */
export function navigationOf(type: EntityType, name: string): Navigation | undefined {
  return own(type.navigation, name);
}

/** The entity type that an entity set exposes. */
export function entityTypeOfSet(container: EntityContainer, set: string): EntityType | undefined {
  const name = own(container.entitySets, set);
  return name === undefined ? undefined : own(container.entityTypes, name);
}

/** The entity type that a navigation property leads to; a generated target always exists. */
export function targetOf(container: EntityContainer, navigation: Navigation): EntityType {
  const type = own(container.entityTypes, navigation.target);
  if (type === undefined) throw new Error(`The container has no entity type ${navigation.target}.`);
  return type;
}

/** The column that stores a property. */
export function columnOf(type: EntityType, name: string): string {
  return fieldOf(type, name)?.column ?? name;
}

/** A type's qualified name, its alias replaced by the namespace; a name without either is in the container's own. */
export function qualify({ namespace, aliases = {} }: EntityContainer, name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return `${namespace}.${name}`;
  return `${own(aliases, name.slice(0, dot)) ?? name.slice(0, dot)}${name.slice(dot)}`;
}
