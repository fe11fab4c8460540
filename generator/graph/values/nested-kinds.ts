import type { NavigationProperty, Property, StructuredType } from '../../csdl/csdl.js';
import { terms } from '../../csdl/terms.js';
import { faults, type Report } from '../../faults.js';
import { memoized } from '../../../runtime/edm/memoized.js';
import type { BuiltComplex, BuiltTypes, Context, FoundWithin, NestedMember, ValueContext, Within, BuiltFields } from '../built-model.js';
import { membersOf, pathOf, withinComplex } from './nested-members.js';
import { isStream } from './value-types.js';

/** The navigation properties in an entity type's complex values, which do not contain entities. */
export function nestedNavigation(type: StructuredType, own: BuiltFields, context: Context): FoundWithin<NestedMember<NavigationProperty>> {
  const refuseAll = (most: number): void => refuseMany(type, `${most} navigation properties`, context.report);
  const { single, unsupported } = withinComplex(own, { ...navigationMembers(context.complexTypes), refuseAll });
  return {
    single: single.filter((one) => !contains(one)),
    unsupported: [...unsupported, ...single.filter(contains).map((one) => ({ ...one, within: 'a complex value' as const }))],
  };
}

function contains({ found: { property } }: Within<NestedMember<NavigationProperty>>): boolean {
  return property.containsTarget;
}

const navigationMembers = memoized((complexTypes: ReadonlyMap<string, BuiltComplex>) =>
  membersOf(complexTypes, (owner) =>
    owner.definition.properties.flatMap((property) => (property.kind === 'NavigationProperty' ? [{ property, owner }] : [])),
  ),
);

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

/** The context with complex types by qualified name. */
export interface StreamContext extends ValueContext {
  readonly complexTypes: ReadonlyMap<string, BuiltComplex>;
}

/** The stream properties in an entity type's complex values. */
export function nestedStreams(type: StructuredType, fields: BuiltFields, context: StreamContext): FoundWithin<NestedMember<Property>> {
  const refuseAll = (most: number): void => refuseMany(type, `${most} streams`, context.report);
  return withinComplex(fields, { ...streamMembers(context.complexTypes, context), refuseAll });
}

function refuseMany({ at, name }: StructuredType, many: string, report: Report): void {
  report(faults.notSupported(at, `${name}, whose complex values have more than ${many}`, 'Declare them in entity types.'));
}

const streamMembers = memoized((complexTypes: ReadonlyMap<string, BuiltComplex>, context: StreamContext) =>
  membersOf(complexTypes, (complex) => ownStreams(complex, context)),
);

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

/**
 * Reports navigation properties and streams that are not supported at their place in complex values; once each, at the
 * first path.
 */
export function checkNested(types: BuiltTypes, report: Report): void {
  const reported = new Set<object>();
  for (const { name, nested } of types.values())
    for (const one of nested.unsupported) {
      const { property } = one.found;
      if (reported.has(property)) continue;
      reported.add(property);
      const path = `${name}/${pathOf(one)}`;
      if (property.kind === 'Property') report(faults.nestedStream(property.at, path, one.within));
      else report(faults.nestedNavigation(property.at, path, one.within, one.within === 'a complex value' ? ' with ContainsTarget' : ''));
    }
}

/** Whether a member of a complex type is supported in some value: a fault is one that no entity type supports. */
export function usableMembers(types: BuiltTypes): (member: object) => boolean {
  const all = [...types.values()].map(({ nested }) => nested);
  const single = new Set<object>(all.flatMap((one) => one.single.map(({ found }) => found.property)));
  const unsupported = new Set<object>(all.flatMap((one) => one.unsupported.map(({ found }) => found.property)));
  return (member) => single.has(member) || !unsupported.has(member);
}
