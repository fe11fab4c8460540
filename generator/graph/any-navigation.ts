import type {
  Csdl,
  EntityContainer,
  EntitySet,
  NavigationProperty,
  NavigationPropertyBinding,
  Singleton,
  StructuredType,
} from '../csdl/csdl.js';
import { faults } from '../faults.js';
import { anyEntity } from './build-operations.js';
import type { Context } from './context.js';
import { basesOf, withoutCasts, type Scope } from './scope.js';

/** How many entity sets a navigation property to records of any type may lead to: each is a column with a foreign key and an index. */
const mostSets = 20;

/** The type whose table has the records of a type, by qualified names; undefined where none has. */
export type RootOf = (type: string) => string | undefined;

/**
 * A navigation property to records of any type as one for each entity set that it may lead to, under its own name and
 * that of the set's type: `Target/Ns.Order`, with the set where several have such records: `Target/Ns.Order:Archive`. Those sets are what bindings name, or else all. Any other property is itself.
 */
export function withArms(
  property: NavigationProperty,
  owner: Owner,
  rootOf: RootOf,
  { csdl, scope, report }: Context,
): readonly NavigationProperty[] {
  if (scope.qualify(property.type) !== anyEntity) return [property];
  const label = `${owner.name.slice(owner.name.lastIndexOf('.') + 1)}/${property.name}`;
  const sets = possibleSets(property, owner.name, csdl, scope).filter(({ entityType }) => rootOf(scope.qualify(entityType)) !== undefined);
  const why = refusalOf(property) ?? refusalOfSets(sets);
  if (why !== undefined) report(faults.anyNavigation(property.at, label, ...why));
  // A type tells of which set a record is where only one has records of its kind.
  const isAlone = (set: EntitySet): boolean =>
    sets.filter((other) => rootOf(scope.qualify(other.entityType)) === rootOf(scope.qualify(set.entityType))).length === 1;
  return why === undefined ? sets.map((set) => armOf(property, set, isAlone(set), owner, scope)) : [];
}

/** The type that declares the property, by its qualified name; a media entity is made of its bytes alone, and related afterwards (protocol 11.4.7.1). */
interface Owner {
  readonly name: string;
  readonly isMedia: boolean;
}

type Why = readonly [what: string, hint: string];

// CSDL XML 4.01, 8.4: what is contained is an entity set of its own, of records with a key, and a type that all others derive from
// has none, for which no entity set can be of it (3.4). CSDL XML 4.01, 8.3: a partner leads back from all records that are led to, of
// which those of other types have no such property; and properties of complex types have no partner at all.
function refusalOf({ containsTarget, partner, constraints }: NavigationProperty): Why | undefined {
  if (containsTarget)
    return [
      'contained records are in no set, so that the property has to say their type',
      'Name the type that it contains, with an abstract base where there are several; or leave ContainsTarget out, and lead to records of sets.',
    ];
  if (partner !== undefined)
    return ['a partner is a property of the type that it leads to, and records of any type have none in common', 'Leave the Partner out.'];
  return constraints.length > 0
    ? ['records of any type have no property in common that a constraint could name', 'Leave the ReferentialConstraint out.']
    : undefined;
}

function refusalOfSets(sets: readonly EntitySet[]): Why | undefined {
  const bind = 'Say by NavigationPropertyBinding which entity sets it leads to.';
  if (sets.length === 0) return ['the model has no entity set of such records', 'Add an entity set.'];
  return sets.length > mostSets ? [`it may lead to ${sets.length} entity sets, and ${mostSets} are the most`, bind] : undefined;
}

/** The entity types, by qualified names, whose records a navigation property may lead to, where it says any; `owner` declares it. */
export function typesOfAny(property: NavigationProperty, owner: string, csdl: Csdl, scope: Scope): readonly string[] | undefined {
  if (scope.qualify(property.type) !== anyEntity) return undefined;
  return [...new Set(possibleSets(property, owner, csdl, scope).map(({ entityType }) => scope.qualify(entityType)))];
}

function armOf(
  property: NavigationProperty,
  { name: set, entityType }: EntitySet,
  isAlone: boolean,
  { isMedia }: Owner,
  { qualify }: Scope,
): NavigationProperty {
  const type = qualify(entityType);
  return {
    ...property,
    name: `${property.name}/${type}${isAlone ? '' : `:${set}`}`,
    type,
    nullable: undefined,
    arm: { of: property.name, set, required: property.nullable === false && !property.collection && !isMedia },
  };
}

function possibleSets(property: NavigationProperty, owner: string, { schemas }: Csdl, scope: Scope): readonly EntitySet[] {
  const members = schemas
    .flatMap(({ elements }) => elements.filter((element): element is EntityContainer => element.kind === 'EntityContainer'))
    .flatMap((container) => container.members);
  const sets = members.filter((member) => member.kind === 'EntitySet');
  const bound = members.flatMap((member) =>
    member.kind === 'EntitySet' || member.kind === 'Singleton'
      ? member.bindings.filter((binding) => isBinding(binding, member, property, owner, scope))
      : [],
  );
  return bound.length === 0
    ? sets
    : sets.filter(({ name }) => bound.some(({ target }) => target.slice(target.lastIndexOf('/') + 1) === name));
}

// The last names of a path are those of the property, behind the type that has it: the set's, or of what its records contain.
function isBinding(
  { path }: NavigationPropertyBinding,
  member: EntitySet | Singleton,
  property: NavigationProperty,
  owner: string,
  scope: Scope,
): boolean {
  const { type, segments } = holderOf(path.split('/'), scope.qualify(member.kind === 'EntitySet' ? member.entityType : member.type), scope);
  const isRelated = type === owner || basesOf(type, scope).includes(owner) || basesOf(owner, scope).includes(type);
  const wanted = property.name.split('/');
  return (
    isRelated &&
    withoutCasts(segments).join('/') === withoutCasts(wanted).join('/') &&
    wanted.every((segment) => !segment.includes('.') || segments.includes(segment))
  );
}

// The entity type behind the casts and the containment navigation properties that a path begins with, and what follows.
function holderOf(path: readonly string[], type: string, scope: Scope): { readonly type: string; readonly segments: readonly string[] } {
  let holder = type;
  let inner = type;
  let segments: readonly string[] = [];
  for (const segment of path) {
    const found = segment.includes('.') ? undefined : propertyOf(inner, segment, scope);
    inner = segment.includes('.') ? scope.qualify(segment) : scope.qualify(found?.type ?? '');
    segments = segment.includes('.') && segments.length === 0 ? [] : [...segments, segment.includes('.') ? inner : segment];
    const leadsOn = found?.kind === 'NavigationProperty' && found.containsTarget;
    if (segments.length > 0 && !leadsOn) continue;
    holder = inner;
    segments = [];
  }
  return { type: holder, segments };
}

function propertyOf(type: string, name: string, scope: Scope): StructuredType['properties'][number] | undefined {
  const line = [type, ...basesOf(type, scope)].flatMap((one) => scope.definitions.get(one) ?? []);
  return line
    .flatMap((one) => (one.kind === 'EntityType' || one.kind === 'ComplexType' ? one.properties : []))
    .find((one) => one.name === name);
}
