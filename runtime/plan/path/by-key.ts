import type { EntityType } from '../../edm/index.js';

const variants = new WeakMap<EntityType, EntityType>();
const keyed = new WeakSet<EntityType>();

/**
 * The type of a record that a path finds by its key: with the permissions for that in the place of those for the
 * collection, where they are others (Capabilities.ReadByKeyRestrictions).
 */
export function readByKey(type: EntityType): EntityType {
  const { readByKey: read, ...others } = type.permissions;
  if (read === undefined) return type;
  const known = variants.get(type) ?? { ...type, permissions: { ...others, read } };
  variants.set(type, known);
  keyed.add(known);
  return known;
}

/** A type of the same records, which were found as the other says. */
export function foundAlike(type: EntityType, other: EntityType): EntityType {
  return keyed.has(other) ? readByKey(type) : type;
}
