import type { EntityType, ItemNavigation, Stream } from '../edm/index.js';
import { shownName } from '../plan/shown-path.js';
import type { PayloadFormat } from './payload-format.js';
import { isUpdatable } from './record-writer.js';

/** A link that items have, and what it has behind the address of what it is of. */
export interface ItemFact {
  readonly fact: 'mediaEditLink' | 'mediaReadLink' | 'associationLink' | 'navigationLink';
  readonly behind: string;
}

/** The links of what items have, by its path from the record without casts. */
export type ToldOfItems = ReadonlyMap<string, readonly ItemFact[]>;

/**
 * Which links the items of a type's collections have. Full metadata has all of them (JSON format 4.5.11 and 4.6.14).
 * Minimal metadata leaves out what a client can tell by itself: the items of an ordered collection have addresses, and
 * any others have none, so that where the records are which these contain is always said (CSDL XML 4.01, 8.4).
 */
export function toldOfItems(type: EntityType, metadata: PayloadFormat['metadata']): ToldOfItems | undefined {
  const { itemStreams = {}, itemNavigation = {} } = type;
  if (metadata === 'none') return undefined;
  const isFull = metadata === 'full';
  const told = new Map<string, readonly ItemFact[]>();
  for (const [path, navigation] of Object.entries(itemNavigation)) if (isFull || navigation.linked) add(told, path, factsOfNavigation(navigation, isFull));
  if (isFull) for (const [path, stream] of Object.entries(itemStreams)) add(told, path, factsOfStream(type, stream));
  return told.size === 0 ? undefined : told;
}

// Of two paths that differ in a cast the first is told: a type has one of them only.
function add(told: Map<string, readonly ItemFact[]>, path: string, facts: readonly ItemFact[]): void {
  const name = shownName(path);
  if (!told.has(name)) told.set(name, facts);
}

// What an item contains has no id, so that there are no references to it.
function factsOfNavigation({ contains }: ItemNavigation, isFull: boolean): readonly ItemFact[] {
  const link: ItemFact = { fact: 'navigationLink', behind: '' };
  return isFull && contains === undefined ? [{ fact: 'associationLink', behind: '/$ref' }, link] : [link];
}

function factsOfStream(type: EntityType, { readOnly }: Stream): readonly ItemFact[] {
  return [...(isUpdatable(type) && !readOnly ? [{ fact: 'mediaEditLink', behind: '' } as const] : []), { fact: 'mediaReadLink', behind: '' }];
}
