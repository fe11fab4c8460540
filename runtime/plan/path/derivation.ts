import { own, qualify, type EntityContainer, type EntityType, type RecordType } from '../../edm/index.js';
import { foundAlike } from './by-key.js';

/** The entity type of a qualified name, in whatever spelling it was sent: at its first place, or at that of another type. */
export function entityTypeNamed(container: EntityContainer, name: string, sibling?: EntityType): EntityType | undefined {
  const type = namedTypes(container).get(`${qualify(container, name)}${sibling?.place ?? ''}`);
  return type && sibling ? foundAlike(type, sibling) : type;
}

/** The type of records that operations are called with or answer, in a table or not. */
export function recordTypeNamed(container: EntityContainer, name: string): RecordType | undefined {
  return entityTypeNamed(container, name) ?? own(container.transientTypes ?? {}, qualify(container, name));
}

/** Whether a qualified name is the type's own, or that of a type that it derives from. */
export function isTypeOrBase({ qualifiedName, baseTypes = [] }: EntityType, name: string): boolean {
  return qualifiedName === name || baseTypes.includes(name);
}

/** The types that a record may be of where this one is declared: itself, unless it is abstract, and those that derive from it. */
export function typesWithin(type: EntityType, container: EntityContainer): readonly EntityType[] {
  return [type, ...derivedTypesOf(type, container)].filter(({ abstract }) => !abstract);
}

/** The types that derive from it, however far, each behind the type that it derives from. */
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
