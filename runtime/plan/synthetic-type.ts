import type { EntityType } from '../edm/index.js';

/** The parts that a synthetic type defines. */
type OwnParts = Pick<EntityType, 'name' | 'navigation' | 'limits' | 'routes'> & Partial<Pick<EntityType, 'qualifiedName'>>;

/**
 * A transient type that combines others, based on one of them: it has no properties, and may be read by whoever may
 * read that one.
 */
export function syntheticType(behind: EntityType, own: OwnParts): EntityType {
  const {
    keyGeneration: _,
    etag: __,
    transitions: ___,
    entitySet: ____,
    baseTypes: _____,
    derivedTypes: ______,
    open: _______,
    streams: ________,
    ...rest
  } = behind;
  return {
    ...rest,
    key: [],
    fields: {},
    permissions: { read: undefined, insert: undefined, update: undefined, delete: undefined },
    ...own,
  };
}

/** The name of the type between two transformations of `$apply`. */
export const transformedSet = 'The transformed set';

/** Whether a type is that of a transformed set: its rows have properties only, and cannot be cast. */
export function isTransformed({ name }: EntityType): boolean {
  return name === transformedSet;
}
