import type { NavigationProperty, StructuredType } from '../csdl/csdl.js';
import { faults } from '../faults.js';
import type { BuiltComplex } from './build-complex.js';
import type { BuiltField } from './build-fields.js';
import type { Context } from './context.js';

/**
 * The navigation properties of the complex values that records have, each as one of the record itself under its path:
 * `Address/Country`. Its constraint is told by paths too, and without one the record has the column.
 */
export function nestedNavigation(type: StructuredType, fields: ReadonlyMap<string, BuiltField>, context: Context): readonly NavigationProperty[] {
  return [...fields.values()].flatMap((built) => withinValue(built, { owner: type.name, path: [], through: [] }, context));
}

interface Way {
  /** The entity type. */
  readonly owner: string;
  readonly path: readonly string[];
  /** The complex types on the way, since one may contain itself. */
  readonly through: readonly BuiltComplex[];
}

function withinValue({ property, field }: BuiltField, { owner, path, through }: Way, context: Context): readonly NavigationProperty[] {
  const complex = context.complexTypes.get(field.complex ?? '');
  if (complex === undefined) return [];
  const here = [...path, property.name];
  const navigation = [complex, ...complex.bases.map((base) => context.complexTypes.get(base))].flatMap((one) => one?.definition.properties.filter((inner) => inner.kind === 'NavigationProperty') ?? []);
  const why = field.collection ? 'a collection' : through.includes(complex) ? 'a value of its own type' : undefined;
  if (why !== undefined) {
    for (const inner of navigation) context.report(faults.nestedNavigation(inner.at, `${owner}/${[...here, inner.name].join('/')}`, why));
    return [];
  }
  return [
    ...navigation.map((inner) => atPath(inner, here)),
    ...[...complex.fields.values()].flatMap((inner) => withinValue(inner, { owner, path: here, through: [...through, complex] }, context)),
  ];
}

// The referenced property is the target's, whatever leads there; nothing leads back to a value.
function atPath(property: NavigationProperty, path: readonly string[]): NavigationProperty {
  const constraints = property.constraints.map((constraint) => ({ ...constraint, property: [...path, constraint.property].join('/') }));
  return { ...property, name: [...path, property.name].join('/'), constraints, partner: undefined };
}
