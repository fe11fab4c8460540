import type { NavigationProperty, Property } from '../csdl/csdl.js';
import type { BuiltField } from './build-fields.js';
import { basesOf, type Scope } from './scope.js';

/**
 * Whether a property may stand for the inherited one of its name: a derived type gives a property anew with a type that
 * derives from the one that it had, which is what records of the derived type have then (CSDL XML 4.01, 7 and 8).
 */
export function isNarrower(property: Property | NavigationProperty, inherited: Property | NavigationProperty, scope: Scope): boolean {
  const [type, before] = [scope.qualify(property.type), scope.qualify(inherited.type)];
  return property.kind === inherited.kind && property.collection === inherited.collection && basesOf(type, scope).includes(before);
}

/** A property that stands for an inherited one is stored where that is. */
export function narrowedBy(built: BuiltField, inherited: BuiltField | undefined): BuiltField {
  if (inherited === undefined) return built;
  const { column: _, ...field } = built.field;
  const { column } = inherited.field;
  return { ...built, column: inherited.column, field: { ...field, narrows: true, ...(column !== undefined && { column }) } };
}
