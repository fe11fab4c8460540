import { keyColumnOf, propertyOf, type EntityType, type Navigation } from '../edm/index.js';

/** Whether a to-one navigation's column is the record's own; otherwise the other record holds it. */
export function isOwnColumn(navigation: Navigation, target: EntityType): boolean {
  const keys = new Set(target.key.map((name) => keyColumnOf(target, name)));
  return !navigation.collection && Object.values(navigation.join).every((column) => column === '#id' || keys.has(column));
}

/**
 * Whether several records may be those that a navigation property to one leads to: they hold what joins the two, and rows
 * from a time when the model let several do so are still there.
 */
export function mayMeetSeveral(navigation: Navigation, target: EntityType): boolean {
  const { collection, contains, container, through } = navigation;
  return !(collection || contains || container || through) && !isOwnColumn(navigation, target);
}

/** The type whose records change where two are related; of many to many the one whose property is written. */
export function holderOf(navigation: Navigation, type: EntityType, target: EntityType): EntityType {
  return navigation.through !== undefined || isOwnColumn(navigation, target) ? type : target;
}

/** The properties that say to which record another one belongs: its own, or those of the other; none where a table says it. */
export function linkingProperties(type: EntityType, navigation: Navigation, target: EntityType): readonly string[] {
  if (isOwnColumn(navigation, target))
    return Object.keys({ ...navigation.join, ...navigation.repeats }).map((column) => propertyOf(type, column));
  return [...Object.values(navigation.join), ...Object.values(navigation.copies ?? {})].map((column) => propertyOf(target, column));
}
