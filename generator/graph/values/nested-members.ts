import type { BuiltComplex, BuiltField, FoundWithin, NestedMember, Unsupported, Within, BuiltFields } from '../built-model.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import { memoized } from '../../../runtime/edm/memoized.js';

/** The members of one kind in complex values. */
interface Members<Found> {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
  /** The declared members of the complex types that have some. */
  readonly declared: ReadonlyMap<BuiltComplex, readonly Found[]>;
  /** The types whose values contain such a member, at any depth. */
  readonly reaching: ReadonlySet<BuiltComplex>;
}

/** The kind of member to collect from complex values. */
interface Wanted<Found> extends Members<Found> {
  /** Called where the values have more of it than a record can have. */
  readonly refuseAll: (most: number) => void;
}

/** The path from a record to a member of one of its complex values. */
export function pathOf({ found, path }: Within<NestedMember>): string {
  return [...path, found.property.name].join('/');
}

/** Looks for members in the complex values of properties, however deep. */
export function withinComplex<Found>(fields: BuiltFields, wanted: Wanted<Found>): FoundWithin<Found> {
  if (![...fields.values()].some(({ field }) => field.complex !== undefined)) return { single: [], unsupported: [] };
  const walk: Walk<Found> = { ...wanted, single: [], unsupported: [], refused: new Set() };
  for (const built of fields.values()) walkValue(built, { path: [], around: [] }, walk);
  if (walk.single.length <= mostWithin) return walk;
  wanted.refuseAll(mostWithin);
  return { single: [], unsupported: [] };
}

/** A table has at most 1 600 columns. */
const mostWithin = 1_000;

interface Walk<Found> extends Wanted<Found> {
  readonly single: Within<Found>[];
  readonly unsupported: Unsupported<Found>[];
  /** The types with `unsupported` members. */
  readonly refused: Set<BuiltComplex>;
}

interface Way {
  readonly path: readonly string[];
  /** The types of the values on the way. */
  readonly around: readonly BuiltComplex[];
}

// Types that refer to each other have more paths than can be walked: only paths to a wanted member are, up to the limit
// of an entity's members.
function walkValue<Found>({ property, field }: BuiltField, { path, around }: Way, walk: Walk<Found>): void {
  const complex = walk.complexTypes.get(field.complex ?? '');
  if (complex === undefined || !walk.reaching.has(complex) || walk.single.length > mostWithin) return;
  const here = [...path, property.name];
  if (field.collection) return refuse(complex, here, 'the items of a collection', walk);
  if (around.includes(complex)) return refuse(complex, here, 'a value of its own type', walk);
  for (const { type, cast } of partsOf(complex, walk.complexTypes)) {
    const to = [...here, ...cast];
    for (const found of walk.declared.get(type) ?? []) walk.single.push({ found, path: to });
    for (const inner of type.own.values()) walkValue(inner, { path: to, around: [...around, complex, type] }, walk);
  }
}

function refuse<Found>(complex: BuiltComplex, path: readonly string[], within: Unsupported<Found>['within'], walk: Walk<Found>): void {
  if (walk.refused.has(complex) || !walk.reaching.has(complex)) return;
  walk.refused.add(complex);
  for (const { type, cast } of partsOf(complex, walk.complexTypes)) {
    const to = [...path, ...cast];
    for (const found of walk.declared.get(type) ?? []) walk.unsupported.push({ found, path: to, within });
    for (const { property, field } of type.own.values()) {
      const inner = walk.complexTypes.get(field.complex ?? '');
      if (inner) refuse(inner, [...to, property.name], within, walk);
    }
  }
}

/** A base or derived type of a value, and the cast to it. */
interface Part {
  readonly type: BuiltComplex;
  readonly cast: readonly string[];
}

// The inherited and own members of a value, and those of derived types.
function partsOf(complex: BuiltComplex, complexTypes: ReadonlyMap<string, BuiltComplex>): readonly Part[] {
  const inherited = complex.bases.toReversed().flatMap((name) => complexTypes.get(name) ?? []);
  return [
    ...[...inherited, complex].map((type) => ({ type, cast: [] })),
    ...derivedOf(complex, complexTypes).map((type) => ({ type, cast: [type.qualifiedName] })),
  ];
}

function derivedOf({ qualifiedName }: BuiltComplex, complexTypes: ReadonlyMap<string, BuiltComplex>): readonly BuiltComplex[] {
  return (derivedByBase(complexTypes).get(qualifiedName) ?? []).map(({ type }) => type);
}

const derivedByBase = memoized((complexTypes: ReadonlyMap<string, BuiltComplex>) =>
  grouped(
    [...complexTypes.values()].flatMap((type) => type.bases.map((base) => ({ type, base }))),
    ({ base }) => base,
  ),
);

/** Collects the members of one kind of all complex types. */
export function membersOf<Found>(
  complexTypes: ReadonlyMap<string, BuiltComplex>,
  declaredBy: (complex: BuiltComplex) => readonly Found[],
): Members<Found> {
  const declared = new Map(
    [...complexTypes.values()].flatMap((type) => {
      const found = declaredBy(type);
      return found.length === 0 ? [] : [[type, found] as const];
    }),
  );
  return { complexTypes, declared, reaching: reachingTypes([...declared.keys()], complexTypes) };
}

// From the types that declare a wanted member backwards: to derived types, and to types with values of these.
function reachingTypes(declaring: readonly BuiltComplex[], complexTypes: ReadonlyMap<string, BuiltComplex>): ReadonlySet<BuiltComplex> {
  const holders = grouped(
    [...complexTypes.values()].flatMap((type) => [...type.own.values()].map(({ field }) => ({ type, complex: field.complex }))),
    ({ complex = '' }) => complex,
  );
  const reaching = new Set<BuiltComplex>();
  const seen = new Set<BuiltComplex>();
  const waiting = [...declaring];
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    const related = [type, ...type.bases.flatMap((name) => complexTypes.get(name) ?? []), ...derivedOf(type, complexTypes)];
    for (const one of related) {
      reaching.add(one);
      waiting.push(...(holders.get(one.qualifiedName) ?? []).map(({ type: holder }) => holder));
    }
  }
  return reaching;
}
