import type { EntityType } from '../edm/index.js';

/** What a type that stands for several ones has of its own. */
type OwnParts = Pick<EntityType, 'name' | 'navigation' | 'limits' | 'routes'> & Partial<Pick<EntityType, 'qualifiedName'>>;

/** A type of records that are in no table: of one of those behind it nothing is left but what every type must have. It has no properties, and whoever may read those behind it may read it. */
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
