import { editDistance } from '../../runtime/errors/suggest.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { type Element, withoutSignature } from './element.js';
import type { RuleId } from './rules.js';
import type { Surface } from './surface.js';

/** The two models. */
export interface Sides {
  readonly old: Surface;
  readonly now: Surface;
}

/** Looks for the counterpart of an element without an exact match. */
export interface Finder {
  readonly among: (before: Element, home: string, free: readonly Element[], sides: Sides) => Element | undefined;
  readonly rules: { readonly [kind: string]: RuleId };
}

const valueTypeRules = {
  ComplexType: 'value-type-renamed',
  EnumType: 'value-type-renamed',
  TypeDefinition: 'value-type-renamed',
} as const;

/** The rules of declared renames, which come before equal names: those may be exchanged or used anew. */
export const declaredRules: { readonly [kind: string]: RuleId } = {
  EntityType: 'type-renamed',
  ...valueTypeRules,
  Member: 'enum-member-renamed',
  Property: 'property-renamed',
  NavigationProperty: 'navigation-renamed',
  EntitySet: 'set-renamed',
  Singleton: 'set-renamed',
};

/** The finders, in order: each runs over all elements, so that a similar name never takes an element with a better one. */
export const finders: readonly Finder[] = [
  {
    among: ({ parent, name }, _home, free) => (parent === undefined ? free.find((other) => other.name === name) : undefined),
    rules: { EntityType: 'type-moved', ComplexType: 'type-moved', EnumType: 'type-moved', TypeDefinition: 'type-moved' },
  },
  { among: typeOfSet, rules: { EntityType: 'type-renamed' } },
  { among: typeInPlace, rules: { EntityType: 'type-renamed', ...valueTypeRules } },
  { among: sameNumber, rules: { Member: 'enum-member-renamed' } },
  { among: ({ kind }, _home, free) => (kind === 'EntityContainer' ? free[0] : undefined), rules: { EntityContainer: 'container-renamed' } },
  { among: sameOperation, rules: {} },
  { among: setOfType, rules: { EntitySet: 'set-renamed', Singleton: 'set-renamed' } },
  { among: likeProperty, rules: { Property: 'property-rename-suspected' } },
];

/** Whether another entity source has entities of its type, in another table. */
export function hasOtherSource({ path, facts }: Element, surface: Surface): boolean {
  return [...surface.values()].some(
    (other) => (other.kind === 'EntitySet' || other.kind === 'Singleton') && other.path !== path && other.facts['type'] === facts['type'],
  );
}

// Overloads match although their parameters or binding types differ.
function sameOperation({ kind, facts }: Element, home: string, free: readonly Element[]): Element | undefined {
  if (kind !== 'Action' && kind !== 'Function') return undefined;
  const overloads = free.filter(({ path }) => withoutSignature(path) === withoutSignature(home));
  return overloads.find((other) => other.facts['binding'] === facts['binding']) ?? (overloads.length === 1 ? overloads[0] : undefined);
}

// The type of an entity set that stays: its rows follow.
function typeOfSet({ kind, path }: Element, _home: string, free: readonly Element[], { old, now }: Sides): Element | undefined {
  if (kind !== 'EntityType') return undefined;
  const sets = [...old.values()].filter((element) => element.kind === 'EntitySet' && element.facts['type'] === path);
  return free.find((other) => !old.has(other.path) && sets.some((set) => now.get(set.path)?.facts['type'] === other.path));
}

// The type of a property that stays: values keep their place whatever the type's name, and contained rows the table of
// their navigation property.
function typeInPlace({ kind, path }: Element, _home: string, free: readonly Element[], { old, now }: Sides): Element | undefined {
  const fact = kind === 'EntityType' ? 'target' : 'type';
  const uses = (kind === 'EntityType' ? containmentsByTarget : propertiesByType)(old).get(path) ?? [];
  return free.find((other) => !old.has(other.path) && uses.some((use) => now.get(use.path)?.facts[fact] === other.path));
}

const propertiesByType = memoized((surface: Surface) =>
  grouped(
    [...surface.values()].filter(({ kind }) => kind === 'Property'),
    ({ facts }) => String(facts['type']),
  ),
);
const containmentsByTarget = memoized((surface: Surface) =>
  grouped(
    [...surface.values()].filter(({ facts }) => facts['containsTarget'] === true),
    ({ facts }) => String(facts['target']),
  ),
);

/** The rule of a rename without RenamedFrom, which stored data would not follow. */
export function suspicionOf({ among }: Finder, before: Element, old: Surface): RuleId | undefined {
  if (among === setOfType && hasOtherSource(before, old)) return 'set-rename-suspected';
  return among === typeInPlace && before.kind === 'ComplexType' && before.facts['baseType'] !== undefined
    ? 'value-type-rename-suspected'
    : undefined;
}

// Rows store a member's number, not its name.
function sameNumber({ kind, facts }: Element, home: string, free: readonly Element[]): Element | undefined {
  const owner = home.slice(0, home.lastIndexOf('/'));
  return kind === 'Member' ? free.find((other) => other.parent === owner && other.facts['value'] === facts['value']) : undefined;
}

function setOfType({ facts, kind }: Element, _home: string, free: readonly Element[]): Element | undefined {
  return kind === 'EntitySet' || kind === 'Singleton' ? free.find((other) => other.facts['type'] === facts['type']) : undefined;
}

/** The similarity from which a name counts as renamed. */
const likeness = 0.8;

function likeProperty({ kind, name, facts }: Element, home: string, free: readonly Element[]): Element | undefined {
  if (kind !== 'Property') return undefined;
  const owner = home.slice(0, home.lastIndexOf('/'));
  return free.find(
    (other) =>
      other.parent === owner &&
      other.facts['type'] === facts['type'] &&
      other.facts['collection'] === facts['collection'] &&
      similarity(name, other.name) > likeness,
  );
}

function similarity(left: string, right: string): number {
  const length = Math.max(left.length, right.length);
  return 1 - editDistance(left.toLowerCase(), right.toLowerCase(), length) / length;
}
