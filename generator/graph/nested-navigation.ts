import type { NavigationProperty, StructuredType } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';
import type { Context } from './context.js';
import { withinComplex } from './within-complex.js';

/**
 * The navigation properties of the complex values that records have, each as one of the record itself under its path:
 * `Address/Country`. Its constraint is told by paths too, and without one the record has the column.
 */
export function nestedNavigation(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, context: Context): readonly NavigationProperty[] {
  const within = withinComplex(fields, {
    complexTypes: context.complexTypes,
    at: ({ at }: NavigationProperty) => at,
    declared: (complex) => declaredNavigation(complex, context),
    refuse: ({ at, name }, path, why) => context.report(faults.nestedNavigation(at, [type.name, ...path, name].join('/'), why)),
  });
  return within.map(({ found, path }) => atPath(found, path));
}

function declaredNavigation(complex: BuiltComplex, { complexTypes }: Context): readonly NavigationProperty[] {
  return [complex, ...complex.bases.map((base) => complexTypes.get(base))].flatMap((one) => one?.definition.properties.filter((inner) => inner.kind === 'NavigationProperty') ?? []);
}

// The referenced property is the target's, whatever leads there; nothing leads back to a value.
function atPath(property: NavigationProperty, path: readonly string[]): NavigationProperty {
  const constraints = property.constraints.map((constraint) => ({ ...constraint, property: [...path, constraint.property].join('/') }));
  return { ...property, name: [...path, property.name].join('/'), constraints, partner: undefined };
}
