import type { NavigationProperty, StructuredType } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltField } from './build-fields.js';
import type { Context } from './context.js';
import { withinComplex } from './within-complex.js';

/**
 * The navigation properties of the complex values that records have, each as one of the record itself under its path:
 * `Address/Country`, or `Address/Ns.Villa/Builder` where only a derived type has it. Its constraint is told by paths too, and without one the record has the column.
 */
export function nestedNavigation(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, context: Context): readonly NavigationProperty[] {
  const within = withinComplex(fields, {
    complexTypes: context.complexTypes,
    declared: ({ definition }) => definition.properties.filter((property) => property.kind === 'NavigationProperty'),
    refuseAll: (most) => context.report(faults.notSupported(type.at, `${type.name}, whose complex values lead to other records in more than ${most} places,`, 'Put the navigation properties into entity types.')),
    refuse: ({ at, name }, path, why) => context.report(faults.nestedNavigation(at, [type.name, ...path, name].join('/'), why)),
  });
  return within.map(({ found, path }) => atPath(found, path));
}

// The referenced property is the target's, whatever leads there; nothing leads back to a value.
function atPath(property: NavigationProperty, path: readonly string[]): NavigationProperty {
  const constraints = property.constraints.map((constraint) => ({ ...constraint, property: [...path, constraint.property].join('/') }));
  return { ...property, name: [...path, property.name].join('/'), constraints, partner: undefined };
}
