import { own, qualify, type EntityContainer, type EntityType, type RecordType } from '../../edm/index.js';
import { foundAlike } from './by-key.js';

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

const names = new WeakMap<EntityContainer, ReadonlyMap<string, EntityType>>();

function namedTypes(container: EntityContainer): ReadonlyMap<string, EntityType> {
  const known =
    names.get(container) ?? new Map(Object.values(container.entityTypes).map((type) => [`${type.qualifiedName}${type.place ?? ''}`, type]));
  names.set(container, known);
  return known;
}
