import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';

/** What is looked for in the complex values that records have. */
interface Wanted<Found> {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
  /** What a complex type has of it, with what it inherits. */
  readonly declared: (complex: BuiltComplex) => readonly Found[];
  /** Told of what lies in a collection, or in a value of its own type, where no path leads to it; `path` leads to the value. */
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
  const deeper = [...complex.fields.values()].flatMap((inner) => withinValue(inner, { path: here, through: [...through, complex] }, wanted));
  return [...declared.map((found) => ({ found, path: here })), ...deeper];
}
