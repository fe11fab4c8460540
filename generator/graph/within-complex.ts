import { anyComplex } from './any-complex.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';

/** What is looked for in the complex values that records have. */
interface Wanted<Found> {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
  /** What a complex type declares of it. */
  readonly declared: (complex: BuiltComplex) => readonly Found[];
  /** Told where the values lead to more of it than a record can have. */
  readonly refuseAll: (most: number) => void;
  /** Told of what lies in a value of its own type, where no path leads to it; `path` leads to the value. */
  readonly refuse: (found: Found, path: readonly string[], why: string) => void;
}

/** Something that a complex value has, and what leads to the value: names, each with a cast behind it where what follows is of a derived type. */
export interface Within<Found> {
  readonly found: Found;
  readonly path: readonly string[];
  /** The collections of which the value is an item or lies within one, outermost first. */
  readonly collections: readonly BuiltField[];
}

/** What is looked for in the complex values behind these properties, however deep. */
export function withinComplex<Found>(fields: ReadonlyMap<string, BuiltField>, wanted: Wanted<Found>): readonly Within<Found>[] {
  if (![...fields.values()].some(({ field }) => field.complex !== undefined)) return [];
  const found: Within<Found>[] = [];
  const walk = { ...wanted, found, reaching: reachingTypes(wanted) };
  for (const built of fields.values()) walkValue(built, { path: [], through: [], collections: [] }, walk);
  if (found.length <= mostWithin) return found;
  wanted.refuseAll(mostWithin);
  return [];
}

/** A table has at most 1 600 columns. */
const mostWithin = 1_000;

interface Walk<Found> extends Wanted<Found> {
  readonly found: Within<Found>[];
  /** The types whose values have some of it, however deep. */
  readonly reaching: ReadonlySet<BuiltComplex>;
}

interface Way {
  readonly path: readonly string[];
  /** The complex types on the way, since one may contain itself. */
  readonly through: readonly BuiltComplex[];
  readonly collections: readonly BuiltField[];
}

// Types that lead to each other have more ways between them than anybody can count, so that only those are gone which lead to something, and no more than a record can have.
function walkValue<Found>(built: BuiltField, { path, through, ...before }: Way, walk: Walk<Found>): void {
  const { property, field } = built;
  const complex = walk.complexTypes.get(field.complex ?? '');
  if (complex === undefined || !walk.reaching.has(complex) || walk.found.length > mostWithin) return;
  const here = [...path, property.name];
  const parts = partsOf(complex, walk.complexTypes);
  const collections = field.collection ? [...before.collections, built] : before.collections;
  const why = through.includes(complex) ? 'a value of its own type' : undefined;
  for (const { type, cast } of parts) {
    const to = [...here, ...cast];
    for (const found of walk.declared(type)) {
      if (why === undefined) walk.found.push({ found, path: to, collections });
      else walk.refuse(found, to, why);
    }
    if (why !== undefined) continue;
    const way = { path: to, through: [...through, complex, ...(cast.length > 0 ? [type] : [])], collections };
    for (const inner of type.own.values()) walkValue(inner, way, walk);
  }
}

/** A type that has a part in what a value may be, and the cast that leads to what it declares. */
interface Part {
  readonly type: BuiltComplex;
  readonly cast: readonly string[];
}

// What a value inherits and has itself, and what it has where it is of a derived type.
function partsOf(complex: BuiltComplex, complexTypes: ReadonlyMap<string, BuiltComplex>): readonly Part[] {
  const inherited = complex.bases.toReversed().flatMap((name) => complexTypes.get(name) ?? []);
  return [...[...inherited, complex].map((type) => ({ type, cast: [] })), ...derivedOf(complex, complexTypes).map((type) => ({ type, cast: [type.qualifiedName] }))];
}

const derivedTypes = new WeakMap<ReadonlyMap<string, BuiltComplex>, ReadonlyMap<string, readonly BuiltComplex[]>>();

function derivedOf({ qualifiedName }: BuiltComplex, complexTypes: ReadonlyMap<string, BuiltComplex>): readonly BuiltComplex[] {
  const known = derivedTypes.get(complexTypes) ?? derivedByBase(complexTypes);
  derivedTypes.set(complexTypes, known);
  return known.get(qualifiedName) ?? [];
}

function derivedByBase(complexTypes: ReadonlyMap<string, BuiltComplex>): ReadonlyMap<string, readonly BuiltComplex[]> {
  const found = new Map<string, BuiltComplex[]>();
  const listed = (base: string): BuiltComplex[] => {
    const list = found.get(base) ?? [];
    found.set(base, list);
    return list;
  };
  for (const type of complexTypes.values()) {
    for (const base of [...type.bases, ...(type.qualifiedName === anyComplex ? [] : [anyComplex])]) listed(base).push(type);
  }
  return found;
}

// From the types that declare some of it backwards: to what inherits it or may be of such a type, and to what has values of these.
function reachingTypes<Found>({ complexTypes, declared }: Wanted<Found>): ReadonlySet<BuiltComplex> {
  const holders = new Map<string, BuiltComplex[]>();
  for (const type of complexTypes.values()) {
    for (const { field } of type.own.values()) if (field.complex !== undefined) holders.set(field.complex, [...(holders.get(field.complex) ?? []), type]);
  }
  const reaching = new Set<BuiltComplex>();
  const seen = new Set<BuiltComplex>();
  const waiting = [...complexTypes.values()].filter((type) => declared(type).length > 0);
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    const related = [type, ...[...type.bases, anyComplex].flatMap((name) => complexTypes.get(name) ?? []), ...derivedOf(type, complexTypes)];
    for (const one of related) {
      reaching.add(one);
      waiting.push(...(holders.get(one.qualifiedName) ?? []));
    }
  }
  return reaching;
}
