import type { Annotation, ContainerMember, Csdl, NavigationProperty } from '../csdl/csdl.js';
import { collection, listNote, path, record } from '../csdl/make-annotation.js';
import { elementsOf, mapMembers } from '../csdl/map-elements.js';
import { terms } from '../csdl/terms.js';
import { lineOf, namesOf, type Names } from './names.js';

/** Adds an index for every join without a foreign key. */
export function indexJoins(csdl: Csdl): Csdl {
  const known = namesOf(csdl, []);
  const { qualify } = known;
  const wanted = new Map<string, readonly (readonly string[])[]>();
  for (const property of elementsOf(csdl, 'EntityType').flatMap(({ element }) => element.properties)) {
    const names = property.kind === 'NavigationProperty' ? joinOf(property) : [];
    const target = qualify(property.type);
    if (names.length === 0 || !names.every((name) => hasProperty(target, name, known))) continue;
    wanted.set(target, [...(wanted.get(target) ?? []), names]);
  }
  if (wanted.size === 0) return csdl;
  return mapMembers(csdl, (member) => {
    const indexes = member.kind === 'EntitySet' ? wanted.get(qualify(member.entityType)) : undefined;
    return indexes === undefined ? member : { ...member, annotations: withIndexes(member, indexes, qualify) };
  });
}

// A misspelt constraint has its own fault. A type of another document may have any property.
function hasProperty(target: string, path: string, names: Names): boolean {
  const type = names.elements.get(target);
  if (type?.kind !== 'EntityType') return true;
  const line = lineOf(type, names);
  const [first] = path.split('/');
  return line.at(-1)?.baseType !== undefined || line.some(({ properties }) => properties.some(({ name }) => name === first));
}

// The joined properties of the target; a partner's constraint has a foreign key.
function joinOf({ joinedBy, collection, constraints, partner }: NavigationProperty): readonly string[] {
  if (joinedBy !== undefined) return joinedBy.map((pair) => pair.property);
  return collection && partner === undefined ? constraints.map((pair) => pair.referencedProperty) : [];
}

function withIndexes(
  { at, annotations }: ContainerMember,
  indexes: readonly (readonly string[])[],
  qualify: (name: string) => string,
): readonly Annotation[] {
  const items = indexes.map((names) => {
    const paths = names.map((value) => path({ at, value }));
    return record(at, { Properties: collection(at, paths) });
  });
  const index = annotations.findIndex(({ term, qualifier }) => qualify(term) === terms.indexes && qualifier === undefined);
  const found = annotations[index];
  if (found?.value?.kind !== 'collection') return [...annotations, listNote(at, terms.indexes, items)];
  return annotations.with(index, { ...found, value: { ...found.value, items: [...found.value.items, ...items] } });
}
