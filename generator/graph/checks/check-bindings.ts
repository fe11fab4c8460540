import { suggestion } from '../../../runtime/errors/suggest.js';
import type {
  EntityContainer,
  EntitySet,
  NavigationProperty,
  NavigationPropertyBinding,
  Property,
  Singleton,
  StructuredType,
} from '../../csdl/csdl.js';
import { faults, type Report } from '../../faults.js';
import { grouped } from '../../../runtime/edm/grouped.js';
import {
  isOfOneFamily,
  membersOf,
  propertiesOf,
  qualifiedSegments,
  structuresOf,
  withoutCasts,
  type Scope,
  targetNames,
} from '../names/scope.js';

/** Checks the bindings of a set or singleton, including those of contained entities. */
export function checkBindings(member: EntitySet | Singleton, container: EntityContainer, scope: Scope, report: Report): void {
  const type = typeOf(member, scope);
  if (scope.definitions.get(type)?.kind !== 'EntityType') return;
  const seen = new Set<string>();
  for (const binding of member.bindings) {
    const path = written(binding.path, scope);
    const why = 'is repeated, but a path has one target (CSDL XML 4.01, 13.4.1)';
    if (seen.has(path)) report(faults.binding(binding.at, member.name, binding.path, why, 'Remove one of the two.'));
    else checkBinding(binding, { member, type, container, scope, report });
    seen.add(path);
  }
  checkApart({ member, type, container, scope, report });
}

// Sibling types' navigation properties of one name need one target, since they share a column or table (CSDL XML 4.01,
// 13.4.1: services may do more).
function checkApart({ member, type, container, scope, report }: Place): void {
  const first = new Map<NavigationProperty, NavigationPropertyBinding[]>();
  const same = grouped(member.bindings, ({ path }) => written(path, scope));
  for (const binding of member.bindings) {
    const found = follow(binding.path.split('/'), type, scope);
    // Repeated and unknown targets have been reported.
    const isReported = boundType(binding.target, container, scope) === undefined || same.get(written(binding.path, scope))?.length !== 1;
    if (isReported || found.kind !== 'property' || found.cast !== undefined || found.property.containsTarget) continue;
    const others = first.get(found.property) ?? [];
    const other = others.find(({ path }) => namesOf(path) === namesOf(binding.path));
    const why = `has the target ${binding.target}, but for other types ${other?.target}; the service stores one target per property`;
    const hint = 'Bind both to one set; or create sets for the derived types, and bind those.';
    if (other && other.target !== binding.target) report(faults.binding(binding.at, member.name, binding.path, why, hint));
    first.set(found.property, [...others, binding]);
  }
}

function namesOf(path: string): string {
  return withoutCasts(path.split('/')).join('/');
}

// Aliases are another way to write the same.
function written(path: string, { qualify }: Scope): string {
  return qualifiedSegments(path, qualify).join('/');
}

/**
 * The entity type of a binding's target: a set, a singleton, or a containment of a singleton; undefined for other
 * targets.
 */
function boundType(target: string, container: EntityContainer, scope: Scope): string | undefined {
  const [name, ...rest] = targetNames(target, container.name);
  const member = membersOf(container).get(name ?? '');
  if (member?.kind === 'EntitySet') return rest.length === 0 ? typeOf(member, scope) : undefined;
  if (member?.kind !== 'Singleton') return undefined;
  return rest.reduce<string | undefined>(
    (type, segment, index) => type && containedType(type, segment, index < rest.length - 1, scope),
    typeOf(member, scope),
  );
}

// A path continues after single complex values and single-valued containments only.
function containedType(type: string, segment: string, continues: boolean, scope: Scope): string | undefined {
  if (segment.includes('.')) return scope.qualify(segment);
  const properties = propertiesOf(type, scope);
  const value = continues ? complexOf(segment, properties, scope) : undefined;
  if (value !== undefined && !value.collection) return value.type;
  const property = properties.filter(isNavigation).find(({ name }) => name === segment);
  return property?.containsTarget && !(continues && property.collection) ? scope.qualify(property.type) : undefined;
}

interface Place {
  readonly member: EntitySet | Singleton;
  readonly type: string;
  readonly container: EntityContainer;
  readonly scope: Scope;
  readonly report: Report;
}

function checkBinding({ at, path, target }: NavigationPropertyBinding, { member, type, container, scope, report }: Place): void {
  const wrong = (why: string, hint: string): void => report(faults.binding(at, member.name, path, why, hint));
  const found = follow(path.split('/'), type, scope);
  if (found.kind === 'faulty') return;
  if (found.kind === 'unrelated')
    return wrong(`casts a ${found.owner} to ${found.cast}, which it cannot be`, 'Begin at the type that has the property, or remove it.');
  if (found.kind === 'unsupported')
    return wrong(
      'has a segment that records of the set do not have',
      'Use casts, single complex values and containment navigation properties only.',
    );
  if (found.kind === 'property' && found.property.containsTarget)
    return wrong('is for contained records, which are in no other set (CSDL 4.01, 8.4)', 'Remove it.');
  if (found.kind === 'unknown')
    wrong('is not for a navigation property', suggestion(found.name, found.known) || `Name one of ${found.owner}.`);
  const bound = boundType(target, container, scope);
  if (bound === undefined) {
    const known = container.members.filter(({ kind }) => kind === 'EntitySet' || kind === 'Singleton').map((one) => one.name);
    const hint = suggestion(target, known) || 'Name an entity set, a singleton, or a containment of a singleton.';
    return wrong(`has the target ${target}, which is not an entity set`, hint);
  }
  const isKnown = (one: string): boolean => scope.definitions.has(scope.qualify(one));
  if (found.kind === 'property' && found.cast !== undefined) checkCast({ at, path, target }, { member, type, container, scope, report });
  if (!isKnown(bound) || (found.kind === 'property' && !isKnown(found.property.type))) return;
  if (found.kind === 'property' && !isRelated(scope.qualify(found.property.type), bound, scope)) {
    wrong(`has the target ${target}, whose type is ${bound} and not ${found.property.type}`, 'Name a set of the right type.');
  }
}

// Entities of a derived type may be bound to another set (CSDL XML 4.01, 13.4.1), but a navigation property here has
// one target.
function checkCast({ at, path, target }: NavigationPropertyBinding, { member, scope, report }: Place): void {
  const whole = written(path.slice(0, path.lastIndexOf('/')), scope);
  const other = member.bindings.find((one) => written(one.path, scope) === whole);
  if (other?.target === target) return;
  const others = `has the target ${target}, but for records of other types ${other?.target}`;
  const why = `${other ? others : 'has no meaning for records of other types'}; the service stores one target per property`;
  report(faults.binding(at, member.name, path, why, `Bind ${whole} to the set that has both.`));
}

type Found =
  /** The cast that follows the name, to a derived type. */
  | { readonly kind: 'property'; readonly property: NavigationProperty; readonly cast?: string }
  | { readonly kind: 'unknown'; readonly name: string; readonly owner: string; readonly known: readonly string[] }
  | { readonly kind: 'unrelated'; readonly owner: string; readonly cast: string }
  | { readonly kind: 'unsupported' }
  /** The path contains a faulty property. */
  | { readonly kind: 'faulty' };

// CSDL XML 4.01, 13.4.1: casts, complex properties and containment navigation properties may precede the last name.
function follow([name = '', ...rest]: readonly string[], owner: string, scope: Scope): Found {
  if (name.includes('.')) {
    const cast = scope.qualify(name);
    if (!isRelated(cast, owner, scope)) return { kind: 'unrelated', owner, cast };
    return rest.length > 0 ? follow(rest, cast, scope) : { kind: 'unsupported' };
  }
  const value = rest.length === 0 ? undefined : complexOf(name, propertiesOf(owner, scope), scope);
  if (value !== undefined) return follow(rest, value.type, scope);
  if (structuresOf(owner, scope).some((one) => isFaulty(name, one, scope))) return { kind: 'faulty' };
  const properties = propertiesOf(owner, scope).filter(isNavigation);
  const property = properties.find((candidate) => candidate.name === name);
  if (property === undefined)
    return rest.length > 0
      ? { kind: 'unsupported' }
      : { kind: 'unknown', name, owner, known: properties.map((candidate) => candidate.name) };
  if (rest.length === 0) return { kind: 'property', property };
  if (property.containsTarget) return follow(rest, scope.qualify(property.type), scope);
  const target = scope.qualify(property.type);
  const [cast = ''] = rest;
  return rest.length === 1 && cast.includes('.') && isRelated(scope.qualify(cast), target, scope)
    ? { kind: 'property', property, cast }
    : { kind: 'unsupported' };
}

function typeOf(member: EntitySet | Singleton, scope: Scope): string {
  return scope.qualify(member.kind === 'EntitySet' ? member.entityType : member.type);
}

function isNavigation(property: Property | NavigationProperty): property is NavigationProperty {
  return property.kind === 'NavigationProperty';
}

// A property of unknown type, or any property of a type whose base type is unknown.
function isFaulty(name: string, { baseType, leftOut, properties }: StructuredType, { definitions, qualify }: Scope): boolean {
  const isUnknown = (type: string): boolean => !type.startsWith('Edm.') && !definitions.has(type);
  if (baseType !== undefined && isUnknown(qualify(baseType))) return true;
  return leftOut?.includes(name) === true || properties.some((one) => one.name === name && isUnknown(qualify(one.type)));
}

/** The type of a complex property, and whether it is a collection. */
function complexOf(
  name: string,
  properties: StructuredType['properties'],
  { definitions, qualify }: Scope,
): { readonly type: string; readonly collection: boolean } | undefined {
  const property = properties.find((one) => one.kind === 'Property' && one.name === name);
  const type = property && qualify(property.type);
  return type !== undefined && definitions.get(type)?.kind === 'ComplexType'
    ? { type, collection: property?.collection === true }
    : undefined;
}

// A type whose base type is unknown may be related to any.
function isRelated(one: string, other: string, scope: Scope): boolean {
  return [one, other].some((name) => structuresOf(name, scope).at(-1)?.baseType !== undefined) || isOfOneFamily(one, other, scope);
}
