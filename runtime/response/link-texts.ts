import { isDirect, type EntityType } from '../edm/index.js';
import { shownName } from '../plan/shown-path.js';
import type { PayloadFormat } from './payload-format.js';

/** The link members of a value: the text before the value's address, and the text after it. */
export type LinkText = readonly [before: string, behind: string];

/** The links of the complex values of a type, by the path of each navigation property from the record, without casts. */
export type ValueLinks = ReadonlyMap<string, readonly LinkText[]>;

/**
 * The links that the complex values of a type have. Full metadata has all of them (JSON format 4.5.11 and 4.6.14); those of
 * streams are written with the streams. Other metadata has none, since clients can construct them.
 */
export function valueLinksOf(type: EntityType, metadata: PayloadFormat['metadata']): ValueLinks | undefined {
  if (metadata !== 'full') return undefined;
  const links = new Map<string, readonly LinkText[]>();
  for (const path of Object.keys(type.navigation)) if (!isDirect(path)) add(links, path);
  return links.size === 0 ? undefined : links;
}

// Of two paths that differ in a cast the first is used: a type has only one of them. Percent-encoded text needs no JSON
// escape.
function add(links: Map<string, readonly LinkText[]>, path: string): void {
  const shown = shownName(path);
  if (links.has(shown)) return;
  const name = shown.slice(shown.lastIndexOf('/') + 1);
  const linkTo = (fact: string, suffix: string): LinkText => [
    `,${JSON.stringify(`${name}@odata.${fact}`)}:"`,
    `/${encodeURIComponent(name)}${suffix}"`,
  ];
  links.set(shown, [linkTo('associationLink', '/$ref'), linkTo('navigationLink', '')]);
}
