import { columnOf, type EntityContainer, type EntityType, isDirect } from '../edm/index.js';
import { wholeShape } from './complex-selection.js';
import { derivedTypesOf, typesWithin } from './path/derivation.js';
import type { SelectedColumn, SelectedLink, SelectedStream } from './read-plan.js';
import { memoized } from '../edm/memoized.js';

type Members<Member> = (type: EntityType, container: EntityContainer) => readonly Member[];

/** The structural properties of a type and its derived types, as columns. */
export const hierarchyColumns = ofHierarchy<SelectedColumn>((type, container) =>
  Object.entries(type.fields).map(([name, field]) => ({
    name,
    column: columnOf(type, name),
    field,
    ...(field.complex !== undefined && { shape: wholeShape(container, field) }),
  })),
);

/** The navigation properties of a type and its derived types. */
export const hierarchyLinks = ofHierarchy<SelectedLink>((type) => linkNamesOf(type).map((name) => ({ name })));

/** The media streams of a type and its derived types. */
export const hierarchyStreams = ofHierarchy<SelectedStream>(({ streams = {} }) =>
  Object.entries(streams).map(([name, stream]) => ({ name, stream })),
);

// Cached, so that data derived from a member is found again. Members of one name in unrelated derived types are different.
function ofHierarchy<Member extends SelectedLink>(own: Members<Member>): Members<Member> {
  return memoized((type, container) => {
    const found = [...own(type, container)];
    for (const owner of derivedTypesOf(type, container)) {
      const { qualifiedName, derivedTypes = [] } = owner;
      const inherited = new Set(found.filter((member) => isOf(owner, member)).map(({ name }) => name));
      const of = new Set([qualifiedName, ...derivedTypes]);
      for (const member of own(owner, container)) if (!inherited.has(member.name)) found.push({ ...member, owner: qualifiedName, of });
    }
    return found;
  });
}

/** The names of a type's own navigation properties, without those of complex values. */
export function linkNamesOf({ navigation }: EntityType): readonly string[] {
  return Object.keys(navigation).filter(isDirect);
}

/** Whether a type has the member. */
export function isOf({ qualifiedName }: EntityType, { of }: SelectedLink): boolean {
  return of === undefined || of.has(qualifiedName);
}

/** The types that entities may have, if others than this one. */
export function variantsOf(type: EntityType, container: EntityContainer): readonly EntityType[] | undefined {
  if (!type.discriminated) return undefined;
  const types = typesWithin(type, container);
  return types.length === 1 && types[0] === type ? undefined : types;
}
