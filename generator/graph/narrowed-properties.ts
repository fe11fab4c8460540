import type { NavigationProperty, Property } from '../csdl/csdl.js';
import type { BuiltField } from './build-fields.js';
import { basesOf, type Scope } from './scope.js';

/**
 * Whether a property may redefine an inherited one: derived types may give it a derived type (CSDL XML 4.01, 7 and 8).
 */
export function isNarrower(property: Property | NavigationProperty, inherited: Property | NavigationProperty, scope: Scope): boolean {
  const [type, before] = [scope.qualify(property.type), scope.qualify(inherited.type)];
  return property.kind === inherited.kind && property.collection === inherited.collection && basesOf(type, scope).includes(before);
}

/** A redefined property is stored in the inherited column. */
export function narrowedBy(built: BuiltField, inherited: BuiltField | undefined): BuiltField {
  if (inherited === undefined) return built;
  const { column: _, ...field } = built.field;
  const { column } = inherited.field;
  return { ...built, column: inherited.column, field: { ...field, narrows: true, ...(column !== undefined && { column }) } };
}
