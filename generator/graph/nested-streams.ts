import type { Property, StructuredType } from '../csdl/csdl.js';
import type { RecursiveValues } from '../../runtime/edm/index.js';
import { faults } from '../faults.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';
import { isStream } from './build-streams.js';
import type { ValueContext } from './context.js';
import { withinComplex } from './within-complex.js';

/** What streams are looked for in: complex types by qualified name beside what every value needs. */
export interface StreamContext extends ValueContext {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
}

/** A stream property of a complex type. */
interface DeclaredStream {
  readonly property: Property;
  /** The qualified name of the complex type that declares it. */
  readonly owner: string;
}

/** A stream property of a complex value that records have. */
interface NestedStream extends DeclaredStream {
  /** From the record: `Address/Photo`, `Address/Ns.Villa/Plan`. */
  readonly path: string;
  /** Each item of a collection has one, or each value within others of its type, and keeps in its own JSON which it is. */
  readonly isItem: boolean;
}

/** The stream properties of the complex values that records have: those of single values are streams of the record itself, under their paths. */
export function nestedStreams(
  type: StructuredType,
  fields: ReadonlyMap<string, BuiltField>,
  context: StreamContext,
): { readonly streams: readonly NestedStream[]; readonly again: RecursiveValues } {
  const { within, again } = withinComplex(fields, {
    complexTypes: context.complexTypes,
    declared: (complex) => ownStreams(complex, context),
    refuseAll: (most) =>
      context.report(
        faults.notSupported(
          type.at,
          `${type.name}, whose complex values have more than ${most} streams,`,
          'Declare the streams in entity types.',
        ),
      ),
  });
  return {
    streams: within.map(({ found, path, isItem }) => ({ ...found, path: [...path, found.property.name].join('/'), isItem })),
    again,
  };
}

/** The stream properties of a complex type, those that it inherits first. */
export function declaredStreams(complex: BuiltComplex, context: StreamContext): readonly DeclaredStream[] {
  const inherited = complex.bases.toReversed().flatMap((name) => context.complexTypes.get(name) ?? []);
  return [...inherited, complex].flatMap((type) => ownStreams(type, context));
}

function ownStreams({ qualifiedName: owner, definition: { properties } }: BuiltComplex, context: StreamContext): readonly DeclaredStream[] {
  return properties.flatMap((property) => (property.kind === 'Property' && isStream(property, context) ? [{ property, owner }] : []));
}
