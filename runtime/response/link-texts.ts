import { isDirect, type EntityType, type ItemNavigation, type Stream } from '../edm/index.js';
import { shownName } from '../plan/shown-path.js';
import type { PayloadFormat } from './payload-format.js';
import { isUpdatable } from './record-writer.js';

/** The members that link to what a value has: what stands in front of the value's address, and behind it. */
export type LinkText = readonly [before: string, behind: string];

/** The links of what complex values have, by its path from the record without casts, and the paths of values that are told of under others. */
export interface ToldOfValues {
  readonly links: ReadonlyMap<string, readonly LinkText[]>;
  readonly again: ReadonlyMap<string, string>;
}

/**
 * Which links the complex values of a type have. Full metadata has all of them (JSON format 4.5.11 and 4.6.14); those of
 * the streams of single values stand with what else is told of these. Minimal metadata leaves out what a client can tell
 * by itself: the items of an ordered collection have addresses, and any others have none, so that where the records are
 * which these contain is always said (CSDL XML 4.01, 8.4).
 */
export function toldOfValues(type: EntityType, metadata: PayloadFormat['metadata']): ToldOfValues | undefined {
  if (metadata === 'none') return undefined;
  const isFull = metadata === 'full';
  const told = new Map<string, readonly LinkText[]>();
  for (const [path, navigation] of Object.entries(type.itemNavigation ?? {}))
    if (isFull || navigation.linked) add(told, path, ofItems(navigation, isFull));
  if (isFull) addFull(told, type);
  return told.size === 0
    ? undefined
    : {
        links: told,
        again: new Map(Object.entries(type.recursiveValues ?? {}).map((paths) => [shownName(paths[0]), shownName(paths[1])])),
      };
}

type Fact = 'mediaEditLink' | 'mediaReadLink' | 'associationLink' | 'navigationLink';

function addFull(told: Map<string, readonly LinkText[]>, type: EntityType): void {
  // Where a value may be of two types, one of which has the record's own stream of that name, it is told with that.
  const own = new Set(Object.keys(type.streams ?? {}).map(shownName));
  for (const [path, stream] of Object.entries(type.itemStreams ?? {}))
    if (!own.has(shownName(path))) add(told, path, ofStream(type, stream));
  // What leads to records of any type is no value's, and has the name of its property alone here.
  for (const path of Object.keys(type.navigation)) if (!isDirect(path)) add(told, path, ['associationLink', 'navigationLink']);
}

// Of two paths that differ in a cast the first is told: a type has one of them only. What is percent-encoded needs no escape.
function add(told: Map<string, readonly LinkText[]>, path: string, facts: readonly Fact[]): void {
  const shown = shownName(path);
  if (told.has(shown)) return;
  const name = shown.slice(shown.lastIndexOf('/') + 1);
  told.set(
    shown,
    facts.map((fact) => [
      `,${JSON.stringify(`${name}@odata.${fact}`)}:"`,
      `/${encodeURIComponent(name)}${fact === 'associationLink' ? '/$ref' : ''}"`,
    ]),
  );
}

// What an item contains has no id, so that there are no references to it.
function ofItems({ contains }: ItemNavigation, isFull: boolean): readonly Fact[] {
  return isFull && contains === undefined ? ['associationLink', 'navigationLink'] : ['navigationLink'];
}

function ofStream(type: EntityType, { readOnly }: Stream): readonly Fact[] {
  return isUpdatable(type) && !readOnly ? ['mediaEditLink', 'mediaReadLink'] : ['mediaReadLink'];
}
