import type { NavigationProperty, StructuredType } from '../csdl/csdl.js';
import { terms } from '../csdl/terms.js';
import { faults } from '../faults.js';
import type { BuiltField } from './build-fields.js';
import type { Context } from './context.js';
import { withinComplex, type FoundWithin, type NestedMember, type Within } from './within-complex.js';

/** The navigation properties in an entity type's complex values. */
export function nestedNavigation(
  type: StructuredType,
  fields: ReadonlyMap<string, BuiltField>,
  context: Context,
): FoundWithin<NestedMember<NavigationProperty>> {
  return withinComplex(fields, {
    complexTypes: context.complexTypes,
    declared: (owner) =>
      owner.definition.properties.flatMap((property) => (property.kind === 'NavigationProperty' ? [{ property, owner }] : [])),
    refuseAll: (most) =>
      context.report(
        faults.notSupported(
          type.at,
          `${type.name}, whose complex values lead to other records in more than ${most} places`,
          'Put the navigation properties into entity types.',
        ),
      ),
  });
}

/**
 * A navigation property of a single complex value as one of the entity: `Address/Country`, or
 * `Address/Ns.Villa/Builder` for a derived type. Its constraint has paths, and without one the entity's row has the
 * column.
 */
export function asRecordProperty({ found, path }: Within<NestedMember<NavigationProperty>>, context: Context): NavigationProperty {
  return atPath(noted(found, context), path);
}

// External annotations of the complex type's property apply to each path.
function noted({ property, owner }: NestedMember<NavigationProperty>, { notesOf }: Context): NavigationProperty {
  const note = notesOf(`${owner.qualifiedName}/${property.name}`, []).find(terms.deletesTarget);
  return note === undefined ? property : { ...property, annotations: [...property.annotations, note] };
}

// The referenced property belongs to the target; a value has no back-reference.
function atPath(property: NavigationProperty, path: readonly string[]): NavigationProperty {
  const constraints = property.constraints.map((constraint) => ({ ...constraint, property: [...path, constraint.property].join('/') }));
  return { ...property, name: [...path, property.name].join('/'), constraints, partner: undefined };
}
