import type { Property, StructuredType } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';
import { isStream } from './build-streams.js';
import type { ValueContext } from './context.js';

/** What streams are looked for in: complex types by qualified name beside what every value needs. */
export interface StreamContext extends ValueContext {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
}

/** A stream property of a complex value that records have. */
interface NestedStream {
  /** From the record: `Address/Photo`. */
  readonly path: string;
  readonly property: Property;
  /** The qualified name of the complex type that declares it. */
  readonly owner: string;
}

/** The stream properties of the complex values that records have: each is a stream of the record itself, under its path. */
export function nestedStreams(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, context: StreamContext): readonly NestedStream[] {
  return [...fields.values()].flatMap((built) => withinValue(built, { owner: type.name, path: [], through: [] }, context));
}

interface Way {
  /** The entity type. */
  readonly owner: string;
  readonly path: readonly string[];
  /** The complex types on the way, since one may contain itself. */
  readonly through: readonly BuiltComplex[];
}

function withinValue({ property, field }: BuiltField, { owner, path, through }: Way, context: StreamContext): readonly NestedStream[] {
  const complex = context.complexTypes.get(field.complex ?? '');
  if (complex === undefined) return [];
  const here = [...path, property.name];
  const found = declaredStreams(complex, context).map(({ property: inner, owner: declaring }) => ({ path: [...here, inner.name].join('/'), property: inner, owner: declaring }));
  const why = field.collection ? 'a collection' : through.includes(complex) ? 'a value of its own type' : undefined;
  if (why !== undefined) {
    for (const stream of found) context.report(faults.nestedStream(stream.property.at, `${owner}/${stream.path}`, why));
    return [];
  }
  return [...found, ...[...complex.fields.values()].flatMap((inner) => withinValue(inner, { owner, path: here, through: [...through, complex] }, context))];
}

/** The stream properties of a complex type, those that it inherits first. */
export function declaredStreams({ qualifiedName, definition, bases }: BuiltComplex, context: StreamContext): readonly Pick<NestedStream, 'property' | 'owner'>[] {
  const inherited = bases.toReversed().flatMap((name) => context.complexTypes.get(name) ?? []);
  return [...inherited, { qualifiedName, definition }].flatMap(({ qualifiedName: owner, definition: { properties } }) => properties.flatMap((property) => (property.kind === 'Property' && isStream(property, context) ? [{ property, owner }] : [])));
}
