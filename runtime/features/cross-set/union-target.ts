import { anyEntity, type EntityContainer, type EntityType, type Navigation, type NavigationTable } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { derivedTypesOf, syntheticType } from '../../plan/path/derivation.js';
import { leastLimits } from '../../plan/limits.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import type { UnionMember } from '../../plan/read-plan.js';
import type { Aliases } from '../../plan/scope.js';
import { typeNames, typesInTable } from '../../plan/path/type-cast.js';

/**
 * `$all`: the entities of all sets and singletons (URL conventions 4.16), as a synthetic type. It has one navigation
 * property per entity source, to the whole entity, and one per type, so that `Ns.Type/Name` is a path.
 */
export function unionTarget({ container, aliases }: { readonly container: EntityContainer; readonly aliases: Aliases }): RecordTarget {
  const union = placesOf(container).map((place, index): UnionMember => ({
    ...place,
    alias: aliases.next(),
    columns: columnsOf(place.type, index, container),
  }));
  return { type: anyType(union, container), alias: aliases.next(), parents: [], key: [], via: undefined, union };
}

/** The name of the navigation property for an entity source; clients cannot write it. */
export function placeName({ name }: Pick<UnionMember, 'name'>): string {
  return `#${name}`;
}

type PlaceOfRecords = Pick<UnionMember, 'name' | 'type' | 'types'>;

function placesOf(container: EntityContainer): readonly PlaceOfRecords[] {
  return Object.entries({ ...container.entitySets, ...container.singletons }).flatMap(([name, key]) => {
    const type = container.entityTypes[key];
    return type === undefined ? [] : [{ name, type, ...typesInTable(type, container) }];
  });
}

// The record's number under the place's own name, and under that of each type that it is of.
function columnsOf(type: EntityType, place: number, container: EntityContainer): UnionMember['columns'] {
  const derived = derivedTypesOf(type, container);
  return [
    { column: `#${place}`, type },
    ...[type, ...derived].map((one, index) => ({ column: `#${place}.${index}`, type: one, ...(index > 0 && { types: typeNames(one) }) })),
  ];
}

function anyType(union: readonly UnionMember[], container: EntityContainer): EntityType {
  const [first] = union;
  if (first === undefined) throw errors.notFound('resource $all', ' The model has neither entity sets nor singletons.');
  return syntheticType(first.type, {
    name: 'A record of any type',
    qualifiedName: anyEntity,
    navigation: { ...placesByName(union, container), ...typesByName(union, container) },
    limits: leastLimits(union.map(({ type }) => type.limits)),
    routes: [{ method: 'GET', operation: 'readCollection' }],
  });
}

function placesByName(union: readonly UnionMember[], container: EntityContainer): NavigationTable {
  return Object.fromEntries(union.map((member) => [placeName(member), navigationTo(member.columns[0], container)]));
}

// A type that is at several places is none that a path can be cast to: there is no one table of its records.
function typesByName(union: readonly UnionMember[], container: EntityContainer): NavigationTable {
  const columns = union.flatMap((member) => member.columns.slice(1));
  const single = columns.filter(({ type }) => columns.filter((other) => other.type.qualifiedName === type.qualifiedName).length === 1);
  return Object.fromEntries(
    single.flatMap((column) => spellings(column.type.qualifiedName, container).map((name) => [name, navigationTo(column, container)])),
  );
}

function spellings(name: string, { aliases = {} }: EntityContainer): readonly string[] {
  const dot = name.lastIndexOf('.');
  return [
    name,
    ...Object.keys(aliases)
      .filter((alias) => aliases[alias] === name.slice(0, dot))
      .map((alias) => `${alias}${name.slice(dot)}`),
  ];
}

function navigationTo(column: UnionMember['columns'][number] | undefined, { entityTypes }: EntityContainer): Navigation {
  const target = Object.keys(entityTypes).find((key) => entityTypes[key] === column?.type);
  if (column === undefined || target === undefined) throw new Error('An entity source without a type in the container.');
  return { target, join: { [column.column]: '#id' } };
}
