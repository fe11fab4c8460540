import type { Element } from './element.js';
import type { Pair } from './match.js';
import type { Surface } from './surface.js';

/** A property that its type no longer declares, with the inherited one that replaces it. */
export function inheritedOf(before: Element, pairs: ReadonlyMap<string, Pair>, now: Surface): readonly Pair[] {
  const owner = pairs.get(before.parent ?? '')?.after;
  const found =
    owner === undefined ? undefined : membersOf(owner, now).find(({ name, kind }) => name === before.name && kind === before.kind);
  return owner === undefined || found === undefined
    ? []
    : [{ before, after: { ...found, path: `${owner.path}/${found.name}` }, rule: 'property-inherited' }];
}

/** The members that a type inherits from a new base type, as if it declared them. */
export function gainedOf({ before, after }: Pick<Pair, 'before' | 'after'>, old: Surface, now: Surface): readonly Element[] {
  if (before.facts['baseType'] !== undefined || after.facts['baseType'] === undefined) return [];
  return membersOf(after, now)
    .filter(({ name }) => !old.has(`${before.path}/${name}`))
    .map((member) => ({ ...member, parent: after.path, path: `${after.path}/${member.name}` }));
}

// The members of all base types; circular ones are reported elsewhere.
function membersOf(type: Element, surface: Surface, seen: ReadonlySet<string> = new Set()): readonly Element[] {
  const { baseType } = type.facts;
  const base = typeof baseType === 'string' && !seen.has(baseType) ? surface.get(baseType) : undefined;
  if (base === undefined) return [];
  const own = [...surface.values()].filter(({ parent }) => parent === base.path);
  return [...own, ...membersOf(base, surface, new Set([...seen, base.path]))];
}
