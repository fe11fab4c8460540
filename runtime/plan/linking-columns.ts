import { keyColumnOf, propertyOf, type EntityType, type Navigation } from '../edm/index.js';

/** Whether a single-valued navigation property's column is in the entity's own table, not in the target's. */
export function isOwnColumn(navigation: Navigation, target: EntityType): boolean {
  const keys = new Set(target.key.map((name) => keyColumnOf(target, name)));
  return !navigation.collection && Object.values(navigation.join).every((column) => column === '#id' || keys.has(column));
}

/**
 * Whether several rows may match a single-valued navigation property: the targets hold the reference, and rows from
 * before a change of the model may share one.
 */
export function mayMeetSeveral(navigation: Navigation, target: EntityType): boolean {
  const { collection, contains, container, through } = navigation;
  return !(collection || contains || container || through) && !isOwnColumn(navigation, target);
}

/** The type whose row changes with a relation; with a join table the one whose property was written. */
export function holderOf(navigation: Navigation, type: EntityType, target: EntityType): EntityType {
  return navigation.through !== undefined || isOwnColumn(navigation, target) ? type : target;
}

/** The properties that store a reference: the entity's own or the target's; none with a join table. */
export function linkingProperties(type: EntityType, navigation: Navigation, target: EntityType): readonly string[] {
  if (isOwnColumn(navigation, target))
    return Object.keys({ ...navigation.join, ...navigation.mirrors }).map((column) => propertyOf(type, column));
  return [...Object.values(navigation.join), ...Object.values(navigation.mirroredBy ?? {})].map((column) => propertyOf(target, column));
}
