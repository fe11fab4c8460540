import { memoized } from '../../runtime/edm/memoized.js';
import type { Element, Pair } from './element.js';
import type { Sides } from './finders.js';
import type { RuleId } from './rules.js';
import type { Surface } from './surface.js';

/** Removed members that another type of the hierarchy has now: a base type, or another type whose values are stored along. */
export function movedPairs(
  gone: readonly Element[],
  pairs: ReadonlyMap<string, Pair>,
  open: readonly Element[],
  { old, now }: Sides,
): readonly Pair[] {
  const inherited = gone.flatMap((before) => inheritedOf(before, pairs, now));
  const others = gone.filter((element) => !inherited.some(({ before }) => before === element));
  return [...apartFrom(inherited, old), ...others.flatMap((before) => movedOf(before, pairs, open, now))];
}

// A property that its type no longer declares, with the inherited one that replaces it.
function inheritedOf(before: Element, pairs: ReadonlyMap<string, Pair>, now: Surface): readonly Pair[] {
  const owner = pairs.get(before.parent ?? '')?.after;
  const found =
    owner === undefined ? undefined : membersOf(owner, now).find(({ name, kind }) => name === before.name && kind === before.kind);
  return owner === undefined || found === undefined
    ? []
    : [{ before, after: { ...found, path: `${owner.path}/${found.name}` }, rule: 'property-inherited' }];
}

// The rules of properties that move to a derived type, or a sibling: its rows and values are stored together.
const movedRules: { readonly [kind: string]: RuleId } = { Property: 'property-moved', NavigationProperty: 'navigation-moved' };

// A property with its counterparts in other types of its hierarchy.
function movedOf(before: Element, pairs: ReadonlyMap<string, Pair>, open: readonly Element[], now: Surface): readonly Pair[] {
  const owner = pairs.get(before.parent ?? '')?.after;
  const rule = before.facts['inValue'] === true ? 'member-moved' : movedRules[before.kind];
  if (owner === undefined || rule === undefined || !keepsPlace(before)) return [];
  return open
    .filter(({ name, kind }) => name === before.name && kind === before.kind)
    .filter(({ parent = '' }) => parent !== owner.path && sharesTable(owner, now.get(parent), now))
    .map((after) => ({ before, after, rule }));
}

// Joins by other columns, tables of pairs and contained records have another place.
function keepsPlace({ kind, facts }: Element): boolean {
  return kind === 'Property' || !(facts['collection'] === true || facts['containsTarget'] === true || facts['byConstraint'] === true);
}

// Whether one table, or one property for complex types, has the values of both types.
function sharesTable(type: Element, other: Element | undefined, surface: Surface): boolean {
  const [line, others] = [type, other].map((each) => (each === undefined ? [] : [each, ...basesOf(each, surface)]));
  const common = line?.filter((each) => others?.includes(each)) ?? [];
  return common.some(({ kind, path }) => kind === 'ComplexType' || declaredTypes(surface).has(path));
}

const declaredTypes = memoized(
  (surface: Surface): ReadonlySet<unknown> =>
    new Set(
      [...surface.values()].flatMap(({ kind, facts }) =>
        kind === 'EntitySet' || kind === 'Singleton' ? [facts['type']] : facts['containsTarget'] === true ? [facts['target']] : [],
      ),
    ),
);

// Properties with one name in two types of a table have a column each, and the inherited one has that of the first.
function apartFrom(inherited: readonly Pair[], old: Surface): readonly Pair[] {
  const ownerOf = ({ before: { parent = '' } }: Pair): Element | undefined => old.get(parent);
  return inherited.map((one, index) => {
    const owner = ownerOf(one);
    const isSecond = inherited
      .slice(0, index)
      .some(
        (first) =>
          first.before.name === one.before.name && first.after.at === one.after.at && owner && sharesTable(owner, ownerOf(first), old),
      );
    return isSecond && owner?.kind === 'EntityType' ? { ...one, rule: 'property-inherited-apart' } : one;
  });
}

/** The members of all base types. */
export function membersOf(type: Element, surface: Surface): readonly Element[] {
  return basesOf(type, surface).flatMap((base) => [...surface.values()].filter(({ parent }) => parent === base.path));
}

// The base types, the nearest first; circular ones are reported elsewhere.
function basesOf(type: Element, surface: Surface, seen: ReadonlySet<string> = new Set()): readonly Element[] {
  const { baseType } = type.facts;
  const base = typeof baseType === 'string' && !seen.has(baseType) ? surface.get(baseType) : undefined;
  return base === undefined ? [] : [base, ...basesOf(base, surface, new Set([...seen, base.path]))];
}
