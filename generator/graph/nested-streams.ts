import type { Property, StructuredType } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';
import { isStream } from './build-streams.js';
import type { ValueContext } from './context.js';
import { withinComplex, type FoundWithin, type NestedMember } from './within-complex.js';

/** The context with complex types by qualified name. */
export interface StreamContext extends ValueContext {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
}

/** The stream properties in an entity type's complex values. */
export function nestedStreams(
  type: StructuredType,
  fields: ReadonlyMap<string, BuiltField>,
  context: StreamContext,
): FoundWithin<NestedMember<Property>> {
  return withinComplex(fields, {
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
}

/** The stream properties of a complex type, inherited ones first. */
export function declaredStreams(complex: BuiltComplex, context: StreamContext): readonly NestedMember<Property>[] {
  const inherited = complex.bases.toReversed().flatMap((name) => context.complexTypes.get(name) ?? []);
  return [...inherited, complex].flatMap((type) => ownStreams(type, context));
}

function ownStreams(owner: BuiltComplex, context: StreamContext): readonly NestedMember<Property>[] {
  return owner.definition.properties.flatMap((property) =>
    property.kind === 'Property' && isStream(property, context) ? [{ property, owner }] : [],
  );
}
