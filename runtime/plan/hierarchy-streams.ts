import type { EntityContainer, EntityType } from '../edm/index.js';
import { derivedTypesOf } from './path/derivation.js';
import type { SelectedStream } from './read-plan.js';

const none: readonly SelectedStream[] = [];
const streams = new WeakMap<EntityType, readonly SelectedStream[]>();

/** The media streams of a type and its derived types. */
export function hierarchyStreams(type: EntityType, container: EntityContainer): readonly SelectedStream[] {
  const known = streams.get(type) ?? buildStreams(type, container);
  streams.set(type, known);
  return known;
}

function buildStreams(type: EntityType, container: EntityContainer): readonly SelectedStream[] {
  const found: SelectedStream[] = Object.entries(type.streams ?? {}).map(([name, stream]) => ({ name, stream }));
  for (const owner of derivedTypesOf(type, container)) {
    const inherited = new Set(found.filter(({ of }) => of === undefined || of.has(owner.qualifiedName)).map(({ name }) => name));
    const of = new Set([owner.qualifiedName, ...(owner.derivedTypes ?? [])]);
    for (const [name, stream] of Object.entries(owner.streams ?? {}))
      if (!inherited.has(name)) found.push({ name, stream, owner: owner.qualifiedName, of });
  }
  return found.length === 0 ? none : found;
}
