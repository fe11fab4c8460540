import type { WriteRules } from '../../../runtime/edm/rules.js';
import { terms } from '../../csdl/terms.js';
import { booleanValue, pathValues } from '../../csdl/vocabulary.js';
import { faults } from '../../faults.js';
import type { AllNames, GivenNames } from '../names/allocate-names.js';
import { descriptionOf } from '../values/build-fields.js';
import { indexesOf } from './build-indexes.js';
import { buildNavigation } from '../relations/build-relations.js';
import { buildRules } from './build-rules.js';
import { buildKeyGeneration, unsetKeys } from '../keys/key-generation.js';
import { buildTransitions } from './build-transitions.js';
import { parentsAt } from '../relations/containment.js';
import type { EntityNode, FieldNode, NavigationNode, StreamNode, TypeNames } from '../model-graph.js';
import { withoutCast } from '../sources/known-paths.js';
import { typedPermissions } from '../sources/permissions.js';
import { isMany, nodeName, placesOfType, suffixOf, tableAt } from '../sources/places.js';
import { etagOf, excluded, expandability, requiredFilter, storageLayout } from '../sources/restrictions.js';
import { insertableAlong } from '../sources/navigation-insert.js';
import { changeEvents, changeTracking } from '../sources/change-log.js';
import { hierarchyOf, type Kinship } from './tables.js';
import type { BuiltSet, BuiltType, BuiltTypes, Context, Places, Start } from '../built-model.js';
import type { Place } from '../storage.js';

/** The context for building entity types. */
interface Surroundings {
  /** The restrictions of each entity source; that of undefined is for types without one. */
  readonly sets: ReadonlyMap<Place | undefined, BuiltSet>;
  readonly places: Places;
  readonly types: BuiltTypes;
  readonly kinship: Kinship;
  readonly names: AllNames;
  readonly context: Context;
}

/** A type at one of its places. */
interface At extends Surroundings {
  readonly place: Place | undefined;
  readonly set: BuiltSet;
  /** The nodes that are built already, base types among them. */
  readonly entities: ReadonlyMap<string, EntityNode>;
}

/** Every entity type at its first place, in the order of the types; then those at further places. */
export function buildEntities(surroundings: Surroundings): readonly EntityNode[] {
  const entities = new Map<string, EntityNode>();
  for (const { type, place } of [...nodesOf(surroundings, 'first'), ...nodesOf(surroundings, 'further')]) {
    const set = surroundings.sets.get(place) ?? (surroundings.sets.get(undefined) as BuiltSet); // The one without a place is always there.
    const entity = buildEntity(type, { ...surroundings, place, set, entities });
    entities.set(entity.id, entity);
  }
  return [...entities.values()];
}

interface NodeAt {
  readonly type: BuiltType;
  readonly place: Place | undefined;
}

function nodesOf({ types, places }: Pick<Surroundings, 'types' | 'places'>, which: 'first' | 'further'): readonly NodeAt[] {
  return [...types.values()].flatMap((type) => {
    const [first, ...further] = placesOfType(type, places);
    return (which === 'first' ? [first] : further).map((place) => ({ type, place }));
  });
}

/** Types in further entity sources, which need names in generated code as well. */
export function furtherNodes(types: BuiltTypes, places: Places): readonly Pick<BuiltType, 'name' | 'qualifiedName'>[] {
  return nodesOf({ types, places }, 'further').map(({ type, place }) => ({
    name: `${type.name}_${(place?.name ?? '').replace('.', '_')}`,
    qualifiedName: `${type.qualifiedName}${suffixOf(type, place, places)}`,
  }));
}

function buildEntity(type: BuiltType, at: At): EntityNode {
  const { set, place, places, types, names, entities, context } = at;
  const suffix = suffixOf(type, place, places);
  const id = `${type.qualifiedName}${suffix}`;
  // A type without records lends its properties to those with some.
  const base = entities.get(`${type.bases[0]?.qualifiedName ?? ''}${suffix}`) ?? entities.get(type.bases[0]?.qualifiedName ?? '');
  const navigation = navigationNodes(type, base, at);
  const rules = withTargets(buildRules(type, set, context), type, navigation);
  return {
    at: type.definition.at,
    id,
    name: nodeName(type, place, { places, types }),
    qualifiedName: type.qualifiedName,
    description: descriptionOf(type.notes, context) ?? descriptionOf(set.notes, context),
    first: suffix === '' ? undefined : entities.get(type.qualifiedName),
    ...whereabouts(type, at),
    hierarchy: hierarchyOf(type, at.kinship, base, { place, suffix }),
    table: tableAt(type, place, places),
    ...namesOf(id, names),
    ...keyOf(type, rules, at),
    open: type.definition.openType,
    fields: fieldNodes(type, base, at),
    streams: streamNodes(type, set, context),
    navigation,
    rules,
    transitions: buildTransitions(type, context),
    permissions: typedPermissions(type, set.permissions, place?.declared, context),
    conditions: set.conditions,
    limits: set.limits,
    requiresFilter: requiredFilter(type, set, context),
    etag: etagOf(type, set, context),
    routes: withUpserts(set, isKeyGiven(type, place, rules)),
    tracking: changeTracking(type, place, set, context),
    events: changeEvents(type, place, set, context),
    layout: storageLayout(set, context),
    indexes: indexesOf(type, set, context),
  };
}

function whereabouts(type: BuiltType, { place, places, types }: At): Pick<EntityNode, 'place' | 'entitySet' | 'familySet' | 'parents'> {
  return {
    place,
    entitySet: place?.kind === 'EntitySet' ? place.name : undefined,
    familySet: place === undefined ? familySetOf(type, places) : undefined,
    parents: parentsAt(place, { places, types }),
  };
}

// Records of a type without a place are in the table of the one set that has types which derive from it.
function familySetOf({ root }: BuiltType, { first }: Places): string | undefined {
  const place = first.get(root ?? '');
  return place?.kind === 'EntitySet' ? place.name : undefined;
}

function keyOf(
  type: BuiltType,
  rules: WriteRules,
  { set, names, context }: At,
): Pick<EntityNode, 'key' | 'keyColumns' | 'keyGeneration' | 'unsetKeys'> {
  const { definition, name, key } = type;
  const keyGeneration = buildKeyGeneration(type, context);
  const unset = unsetKeys(type, rules, keyGeneration);
  if (set.insertable) for (const one of unset) context.report(faults.keyWithoutValue(definition.at, `${name}/${one}`, name, one));
  return { key, keyColumns: keyColumnsOf(type, names), keyGeneration, unsetKeys: unset };
}

function keyColumnsOf({ keyColumns }: BuiltType, { enumerations }: AllNames): EntityNode['keyColumns'] {
  return new Map(
    [...keyColumns].map(([name, column]) => [
      name,
      { ...column, enumeration: column.enumeration && enumerations.get(column.enumeration.qualifiedName) },
    ]),
  );
}

function namesOf(id: string, { entities }: AllNames): TypeNames {
  const { typeName, derived, constant, folder } = entities.get(id) as GivenNames; // Every node was given names.
  return { typeName, derived, constant, folder };
}

// References are checked against the target of the navigation property; without its constraint there is none.
function withTargets(rules: WriteRules, type: BuiltType, navigation: readonly NavigationNode[]): WriteRules {
  const nodeOf = (property: string): NavigationNode | undefined => {
    const down = type.navigation.find(({ constraints: [first, ...others] }) => first?.property === property && others.length === 0);
    return navigation.find(({ name }) => name === down?.name);
  };
  const references = Object.entries(rules.references).flatMap(([property, target]): readonly (readonly [string, string])[] => {
    const node = nodeOf(property);
    const column = type.fields.get(property)?.column ?? property;
    return node?.relation && !node.relation.columns.includes(column) ? [] : [[property, node?.navigation.target ?? target]];
  });
  return { ...rules, references: Object.fromEntries(references) };
}

// A key that the service makes, or that lies within a complex value, cannot come from a client's address (protocol 11.4.4).
function isKeyGiven({ key, keyColumns }: BuiltType, place: Place | undefined, { computed }: WriteRules): boolean {
  return place !== undefined && isMany(place) && (keyColumns.size > 0 || key.some((name) => computed.includes(name)));
}

function withUpserts({ routes, upsertable }: BuiltSet, isGiven: boolean): EntityNode['routes'] {
  if (!upsertable || isGiven) return routes;
  return routes.map((route) =>
    route.operation === 'updateEntity' || route.operation === 'replaceEntity' ? { ...route, upsert: true as const } : route,
  );
}

function fieldNodes(type: BuiltType, base: EntityNode | undefined, surroundings: At): readonly FieldNode[] {
  const { set, names, context } = surroundings;
  const unions = names.entities.get(type.qualifiedName)?.unions;
  const unfilterable = excluded(type, set, terms.filter, 'Filterable', 'NonFilterableProperties', context);
  const unsortable = excluded(type, set, terms.sort, 'Sortable', 'NonSortableProperties', context);
  const isSearched = booleanValue(set.restriction(terms.search)?.member('Searchable'), terms.search, true, context.report);
  return [...type.fields.values()].map(({ property, description, example, column, field: { searchable, ...field } }) => ({
    at: property.at,
    name: property.name,
    description,
    example,
    column,
    field: {
      ...field,
      ...(unfilterable(property.name) && { filterable: false as const }),
      ...(unsortable(property.name) && { sortable: false as const }),
      ...(searchable && isSearched && { searchable }),
    },
    ...(!type.own.has(property.name) && { inherited: true as const }),
    unionName: unions?.get(property.name) ?? base?.fields.find(({ name }) => name === property.name)?.unionName,
    enumeration: field.enumeration && names.enumerations.get(field.enumeration.qualifiedName),
  }));
}

// Restrictions of properties apply to streams, too.
function streamNodes(type: BuiltType, set: BuiltSet, context: Context): readonly StreamNode[] {
  const record = set.restriction(terms.update);
  const fixed = new Set(
    pathValues(record?.member('NonUpdatableProperties'), terms.update, context.report).map(({ path }) => withoutCast(path, type, context)),
  );
  const lowered = (node: StreamNode): StreamNode =>
    fixed.has(node.name) ? { ...node, stream: { ...node.stream, readOnly: true as const } } : node;
  return [...type.streams.values()].map(lowered);
}

function navigationNodes(type: BuiltType, base: EntityNode | undefined, at: At): readonly NavigationNode[] {
  const isExpandable = expandability(type, at.set, at.context);
  return allNavigation(type, base, at).map((node) => {
    const insertable = node.navigation.contains ? undefined : insertableAlong(node.name, at.set);
    const restricted = {
      ...(!isExpandable(node.name) && { expandable: false as const }),
      ...(insertable !== undefined && { insertable }),
    };
    return { ...node, navigation: { ...node.navigation, ...restricted } };
  });
}

// An inherited navigation property uses the base type's join, or else is joined again without repeating its faults.
function allNavigation(type: BuiltType, base: EntityNode | undefined, start: Start): readonly NavigationNode[] {
  const isShared = base?.table === tableAt(type, start.place, start.places);
  const silent: Start = { ...start, context: { ...start.context, report: () => undefined } };
  const declared = type.navigation.filter((property) => !type.ownNavigation.includes(property));
  const inherited = isShared ? base.navigation : buildNavigation(type, declared, silent);
  const isFirst = suffixOf(type, start.place, start.places) === '';
  return [
    ...inherited.map((node) => ({ ...node, inherited: true as const })),
    ...buildNavigation(type, type.ownNavigation, isFirst ? start : silent),
  ];
}
