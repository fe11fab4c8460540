import { type EntityContainer, type EntityType, own, qualify, type RecordType } from '../../edm/index.js';
import { memoized } from '../../edm/memoized.js';

/** The entity type with a qualified name, aliases resolved: in its first entity source, or in that of another type. */
export function entityTypeNamed(container: EntityContainer, name: string, sibling?: EntityType): EntityType | undefined {
  const type = namedTypes(container).get(`${qualify(container, name)}${sibling?.place ?? ''}`);
  return type && sibling ? foundAlike(type, sibling) : type;
}

/** The type of an operation's parameter or result, stored or transient. */
export function recordTypeNamed(container: EntityContainer, name: string): RecordType | undefined {
  return entityTypeNamed(container, name) ?? own(container.transientTypes ?? {}, qualify(container, name));
}

/** Whether a qualified name is that of the type or of one of its base types. */
export function isTypeOrBase({ qualifiedName, baseTypes = [] }: EntityType, name: string): boolean {
  return qualifiedName === name || baseTypes.includes(name);
}

/** The concrete types of entities declared as this type: itself, unless abstract, and derived ones. */
export function typesWithin(type: EntityType, container: EntityContainer): readonly EntityType[] {
  return [type, ...derivedTypesOf(type, container)].filter(({ abstract }) => !abstract);
}

/** All derived types, each after its base type. */
export function derivedTypesOf(type: EntityType, container: EntityContainer): readonly EntityType[] {
  return (type.derivedTypes ?? [])
    .flatMap((name) => namedTypes(container).get(`${name}${type.place ?? ''}`) ?? [])
    .map((derived) => foundAlike(derived, type));
}

const namedTypes = memoized(
  ({ entityTypes }: EntityContainer): ReadonlyMap<string, EntityType> =>
    new Map(Object.values(entityTypes).map((type) => [`${type.qualifiedName}${type.place ?? ''}`, type])),
);

const keyed = new WeakSet<EntityType>();

/** The entity type for reading by key, with the permissions of Capabilities.ReadByKeyRestrictions where they differ. */
export const readByKey = memoized((type: EntityType): EntityType => {
  const { readByKey: read, ...others } = type.permissions;
  if (read === undefined) return type;
  const variant = { ...type, permissions: { ...others, read } };
  keyed.add(variant);
  return variant;
});

/** Another type of the same entity, with the permissions by which it was found. */
function foundAlike(type: EntityType, other: EntityType): EntityType {
  return keyed.has(other) ? readByKey(type) : type;
}

/** The parts that a synthetic type defines. */
type OwnParts = Pick<EntityType, 'name' | 'navigation' | 'limits' | 'routes'> & Partial<Pick<EntityType, 'qualifiedName'>>;

/** A transient type that combines others, based on one of them: it has no properties, and may be read by whoever may read that one. */
export function syntheticType(base: EntityType, own: OwnParts): EntityType {
  const {
    keyGeneration: _,
    etag: __,
    transitions: ___,
    entitySet: ____,
    baseTypes: _____,
    derivedTypes: ______,
    open: _______,
    streams: ________,
    place: _________,
    ...rest
  } = base;
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
