import type { EntityType } from '../../edm/index.js';

const variants = new WeakMap<EntityType, EntityType>();
const keyed = new WeakSet<EntityType>();

/**
 * The entity type for reading by key, with the permissions of that where they differ from the collection's
 * (Capabilities.ReadByKeyRestrictions).
 */
export function readByKey(type: EntityType): EntityType {
  const { readByKey: read, ...others } = type.permissions;
  if (read === undefined) return type;
  const known = variants.get(type) ?? { ...type, permissions: { ...others, read } };
  variants.set(type, known);
  keyed.add(known);
  return known;
}

/** Another type of the same entity, with the permissions by which it was found. */
export function foundAlike(type: EntityType, other: EntityType): EntityType {
  return keyed.has(other) ? readByKey(type) : type;
}
