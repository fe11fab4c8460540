import { suggestion } from '../../runtime/errors/suggest.js';
import type { EntityContainer, EntitySet, NavigationProperty, NavigationPropertyBinding, Singleton } from '../csdl/csdl.js';
import { faults, type Report } from '../faults.js';
import { anyEntity } from './build-operations.js';
import { basesOf, type Scope } from './scope.js';

/** Checks where the navigation properties of a set or singleton lead, and those of the records that these contain. */
export function checkBindings(member: EntitySet | Singleton, container: EntityContainer, scope: Scope, report: Report): void {
  const type = typeOf(member, scope);
  if (scope.definitions.get(type)?.kind !== 'EntityType') return;
  for (const binding of member.bindings) checkBinding(binding, { member, type, container, scope, report });
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
  if (found.kind === 'unrelated') return wrong(`takes a ${found.owner} for a ${found.cast}, which it cannot be`, 'Begin at the type that has the property, or remove it.');
  if (found.kind === 'unsupported') return wrong('leads through what records of the set do not have', 'Lead through casts, single complex values and containment navigation properties only.');
  if (found.kind === 'unknown') wrong('is for no navigation property', suggestion(found.name, found.known) || `Name one of ${found.owner}.`);
  const places = container.members.filter((one) => one.kind === 'EntitySet' || one.kind === 'Singleton');
  const bound = places.find(({ name }) => name === target.slice(target.lastIndexOf('/') + 1));
  if (bound === undefined) return wrong(`leads to ${target}, which is no entity set`, suggestion(target, places.map(({ name }) => name)) || 'Name an entity set.');
  const isKnown = (one: string): boolean => scope.definitions.has(scope.qualify(one));
  if (!isKnown(typeOf(bound, scope)) || (found.kind === 'property' && !isAny(found.property, scope) && !isKnown(found.property.type))) return;
  if (found.kind === 'property' && !isAny(found.property, scope) && !isRelated(scope.qualify(found.property.type), typeOf(bound, scope), scope)) {
    wrong(`leads to ${target}, whose type is ${bound.kind === 'EntitySet' ? bound.entityType : bound.type} and not ${found.property.type}`, 'Name a set of the right type.');
  }
}

type Found =
  | { readonly kind: 'property'; readonly property: NavigationProperty }
  | { readonly kind: 'unknown'; readonly name: string; readonly owner: string; readonly known: readonly string[] }
  | { readonly kind: 'unrelated'; readonly owner: string; readonly cast: string }
  | { readonly kind: 'unsupported' }
  /** It leads through what has a fault of its own. */
  | { readonly kind: 'faulty' };

// CSDL XML 4.01, 13.4.1: casts, complex properties and containment navigation properties may stand in front of the last one.
function follow([name = '', ...rest]: readonly string[], owner: string, scope: Scope): Found {
  if (name.includes('.')) {
    const cast = scope.qualify(name);
    if (!isRelated(cast, owner, scope)) return { kind: 'unrelated', owner, cast };
    return rest.length > 0 ? follow(rest, cast, scope) : { kind: 'unsupported' };
  }
  const line = [owner, ...basesOf(owner, scope)];
  const value = rest.length === 0 ? undefined : line.map((one) => complexOf(name, one, scope)).find((type) => type !== undefined);
  if (value !== undefined) return follow(rest, value, scope);
  if (line.some((one) => isFaulty(name, one, scope))) return { kind: 'faulty' };
  const properties = line.flatMap((one) => navigationOf(one, scope));
  const property = properties.find((candidate) => candidate.name === name);
  if (property === undefined) return rest.length > 0 ? { kind: 'unsupported' } : { kind: 'unknown', name, owner, known: properties.map((candidate) => candidate.name) };
  // What leads to any type has a binding for each set; a cast behind it says nothing that the set does not.
  const [cast = ''] = rest;
  if (rest.length === 0 || (isAny(property, scope) && rest.length === 1 && cast.includes('.'))) return { kind: 'property', property };
  return property.containsTarget ? follow(rest, scope.qualify(property.type), scope) : { kind: 'unsupported' };
}

function isAny({ type }: NavigationProperty, { qualify }: Scope): boolean {
  return qualify(type) === anyEntity;
}

function typeOf(member: EntitySet | Singleton, scope: Scope): string {
  return scope.qualify(member.kind === 'EntitySet' ? member.entityType : member.type);
}

function navigationOf(name: string, { definitions }: Scope): readonly NavigationProperty[] {
  const definition = definitions.get(name);
  return definition?.kind === 'EntityType' || definition?.kind === 'ComplexType' ? definition.properties.filter((property) => property.kind === 'NavigationProperty') : [];
}

function isPartial(name: string, scope: Scope): boolean {
  const root = scope.definitions.get([name, ...basesOf(name, scope)].at(-1) ?? '');
  return (root?.kind === 'EntityType' || root?.kind === 'ComplexType') && root.baseType !== undefined;
}

// A property whose type is not known, or any of a type whose base is not.
function isFaulty(name: string, owner: string, { definitions, qualify }: Scope): boolean {
  const definition = definitions.get(owner);
  if (definition?.kind !== 'EntityType' && definition?.kind !== 'ComplexType') return false;
  const isUnknown = (type: string): boolean => !type.startsWith('Edm.') && !definitions.has(type);
  if (definition.baseType !== undefined && isUnknown(qualify(definition.baseType))) return true;
  return definition.leftOut?.includes(name) === true || definition.properties.some((one) => one.name === name && isUnknown(qualify(one.type)));
}

// The type of a complex property that a type declares.
function complexOf(name: string, owner: string, { definitions, qualify }: Scope): string | undefined {
  const definition = definitions.get(owner);
  const properties = definition?.kind === 'EntityType' || definition?.kind === 'ComplexType' ? definition.properties : [];
  const property = properties.find((one) => one.kind === 'Property' && one.name === name);
  const type = property && qualify(property.type);
  return type !== undefined && definitions.get(type)?.kind === 'ComplexType' ? type : undefined;
}

// A type whose base is not known may be any.
function isRelated(one: string, other: string, scope: Scope): boolean {
  if ([one, other].some((name) => isPartial(name, scope))) return true;
  return one === other || basesOf(one, scope).includes(other) || basesOf(other, scope).includes(one);
}
