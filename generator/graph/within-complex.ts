import { anyComplex } from './any-complex.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';

/** What is looked for in the complex values that records have. */
interface Wanted<Found> {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
  /** What a complex type has of it, with what it inherits. */
  readonly declared: (complex: BuiltComplex) => readonly Found[];
  /** Where it is declared. */
  readonly at: (found: Found) => number;
  /** Told of what lies in a collection, in a value of its own type, or in one of a type that derives from the declared one, where no path leads to it; `path` leads to the value. */
  readonly refuse: (found: Found, path: readonly string[], why: string) => void;
}

/** Something that a complex value has, and the names that lead to the value. */
interface Within<Found> {
  readonly found: Found;
  readonly path: readonly string[];
}

/** What is looked for in the complex values behind these properties, however deep. */
export function withinComplex<Found>(fields: ReadonlyMap<string, BuiltField>, wanted: Wanted<Found>): readonly Within<Found>[] {
  return [...fields.values()].flatMap((built) => withinValue(built, { path: [], through: [] }, wanted));
}

interface Way {
  readonly path: readonly string[];
  /** The complex types on the way, since one may contain itself. */
  readonly through: readonly BuiltComplex[];
}

function withinValue<Found>({ property, field }: BuiltField, { path, through }: Way, wanted: Wanted<Found>): readonly Within<Found>[] {
  const complex = wanted.complexTypes.get(field.complex ?? '');
  if (complex === undefined) return [];
  const here = [...path, property.name];
  const declared = wanted.declared(complex);
  const why = field.collection ? 'a collection' : through.includes(complex) ? 'a value of its own type' : undefined;
  if (why !== undefined) {
    for (const found of declared) wanted.refuse(found, here, why);
    return [];
  }
  refuseDerived(complex, declared, here, wanted);
  const deeper = [...complex.fields.values()].flatMap((inner) => withinValue(inner, { path: here, through: [...through, complex] }, wanted));
  return [...declared.map((found) => ({ found, path: here })), ...deeper];
}

// Each once, though what derives further has it too.
function refuseDerived<Found>(complex: BuiltComplex, declared: readonly Found[], path: readonly string[], wanted: Wanted<Found>): void {
  const known = new Set(declared.map(wanted.at));
  for (const derived of derivedOf(complex, wanted.complexTypes)) {
    for (const found of wanted.declared(derived).filter((one) => !known.has(wanted.at(one)))) {
      known.add(wanted.at(found));
      wanted.refuse(found, path, `a value of ${derived.name}, which derives from the type that is declared there`);
    }
  }
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
