import type { RecursiveValues } from '../../runtime/edm/index.js';
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
}

/** Something that a complex value has, and what leads to the value: names, each with a cast behind it where what follows is of a derived type. */
export interface Within<Found> {
  readonly found: Found;
  readonly path: readonly string[];
  /** The collections of which the value is an item or lies within one, outermost first; where values lie within others of their type, all that may be on the way. */
  readonly collections: readonly BuiltField[];
  /** There may be many of the value: it is an item or lies within one, or within a value of its own type. */
  readonly isItem: boolean;
}

/** What is looked for in the complex values behind some properties. */
interface FoundWithin<Found> {
  readonly within: readonly Within<Found>[];
  /** Values of a type that they lie within: the path of each, and that of the value around it, behind which all is told. */
  readonly again: RecursiveValues;
}

/** What is looked for in the complex values behind these properties, however deep. */
export function withinComplex<Found>(fields: ReadonlyMap<string, BuiltField>, wanted: Wanted<Found>): FoundWithin<Found> {
  if (![...fields.values()].some(({ field }) => field.complex !== undefined)) return { within: [], again: {} };
  const walk: Walk<Found> = { ...wanted, found: [], again: [], reaching: reachingTypes(wanted) };
  for (const built of fields.values()) walkValue(built, { path: [], around: [], collections: [], isItem: false }, walk);
  if (isTooMuch(walk)) {
    wanted.refuseAll(mostWithin);
    return { within: [], again: {} };
  }
  return {
    within: walk.found.map((one) => ({ ...one, collections: [...one.collections, ...collectionsBehind(one, walk)] })),
    again: Object.fromEntries(walk.again.map(({ from, to }) => [from, to])),
  };
}

// Each time that a value of its own type comes, those of the collections between the two may be on the way.
function collectionsBehind<Found>({ path: [root] }: Within<Found>, { again }: Walk<Found>): readonly BuiltField[] {
  return again.filter(({ from }) => from.startsWith(`${root}/`)).flatMap(({ collections }) => collections);
}

/** A table has at most 1 600 columns. */
const mostWithin = 1_000;

function isTooMuch<Found>({ found, again }: Walk<Found>): boolean {
  return found.length + again.length > mostWithin;
}

interface Walk<Found> extends Wanted<Found> {
  readonly found: Within<Found>[];
  readonly again: { readonly from: string; readonly to: string; readonly collections: readonly BuiltField[] }[];
  /** The types whose values have some of it, however deep. */
  readonly reaching: ReadonlySet<BuiltComplex>;
}

interface Way {
  readonly path: readonly string[];
  /** The values on the way, since one may contain others of its type. */
  readonly around: readonly ValueAround[];
  readonly collections: readonly BuiltField[];
  readonly isItem: boolean;
}

interface ValueAround {
  /** What it may be of: the declared type, and the one of a cast. */
  readonly types: readonly BuiltComplex[];
  readonly path: string;
  readonly isItem: boolean;
}

// Types that lead to each other have more ways between them than anybody can count, so that only those are gone which lead to something, and no more than a record can have.
function walkValue<Found>(built: BuiltField, { path, around, ...before }: Way, walk: Walk<Found>): void {
  const { property, field } = built;
  const complex = walk.complexTypes.get(field.complex ?? '');
  if (complex === undefined || !walk.reaching.has(complex) || isTooMuch(walk)) return;
  const here = [...path, property.name];
  const collections = field.collection ? [...before.collections, built] : before.collections;
  // Of a single value the record itself has what it leads to; how many lie within each other only a value says.
  const same = around.find(({ types: [declared], isItem }) => isItem && declared === complex);
  if (same) return void walk.again.push({ from: here.join('/'), to: same.path, collections });
  const isItem = before.isItem || field.collection === true || around.some(({ types }) => types.includes(complex));
  for (const { type, cast } of partsOf(complex, walk.complexTypes)) {
    const to = [...here, ...cast];
    for (const found of walk.declared(type)) walk.found.push({ found, path: to, collections, isItem });
    const way = {
      path: to,
      around: [...around, { types: cast.length > 0 ? [complex, type] : [complex], path: here.join('/'), isItem }],
      collections,
      isItem,
    };
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
  return [
    ...[...inherited, complex].map((type) => ({ type, cast: [] })),
    ...derivedOf(complex, complexTypes).map((type) => ({ type, cast: [type.qualifiedName] })),
  ];
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
    for (const { field } of type.own.values())
      if (field.complex !== undefined) holders.set(field.complex, [...(holders.get(field.complex) ?? []), type]);
  }
  const reaching = new Set<BuiltComplex>();
  const seen = new Set<BuiltComplex>();
  const waiting = [...complexTypes.values()].filter((type) => declared(type).length > 0);
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    const related = [
      type,
      ...[...type.bases, anyComplex].flatMap((name) => complexTypes.get(name) ?? []),
      ...derivedOf(type, complexTypes),
    ];
    for (const one of related) {
      reaching.add(one);
      waiting.push(...(holders.get(one.qualifiedName) ?? []));
    }
  }
  return reaching;
}
