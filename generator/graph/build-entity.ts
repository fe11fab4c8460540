import type { Field, Permission, WriteRules } from '../../runtime/edm/index.js';
import { primitives } from '../../runtime/edm/index.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { booleanValue, pathValues, recordValues } from '../csdl/vocabulary.js';
import { faults } from '../faults.js';
import type { AllNames, GivenNames } from './allocate-names.js';
import { descriptionOf } from './build-fields.js';
import { buildItemNavigation } from './build-item-navigation.js';
import { buildNavigation } from './build-relations.js';
import { buildRecursion } from './build-recursion.js';
import { buildKeyGeneration, buildRules, knownPaths, pathFault, withoutCast } from './build-rules.js';
import type { BuiltSet } from './build-set.js';
import { buildTransitions } from './build-transitions.js';
import type { BuiltType, BuiltTypes } from './build-type.js';
import { parentsAt } from './containment.js';
import type { Context } from './context.js';
import type { EntityNode, FieldNode, NavigationNode } from './model-graph.js';
import { nodeName, placesOfType, suffixOf, tableAt, type Place, type Places, type Start } from './places.js';
import { hierarchyOf, type Kinship } from './tables.js';

/** What entity types are built from. */
interface Surroundings {
  /** What each place allows and limits; that of undefined is for types without a place. */
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
export function buildEntities(from: Surroundings): readonly EntityNode[] {
  const entities = new Map<string, EntityNode>();
  for (const { type, place } of [...nodesOf(from, 'first'), ...nodesOf(from, 'further')]) {
    const set = from.sets.get(place) ?? (from.sets.get(undefined) as BuiltSet); // The one without a place is always there.
    const entity = buildEntity(type, { ...from, place, set, entities });
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

/** What needs names in generated code beside the types themselves: types at further places. */
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
  const ways = navigationNodes(type, base, at);
  const rules = withTargets(buildRules(type, set, context), type, ways.navigation);
  return {
    at: type.definition.at,
    id,
    name: nodeName(type, place, { places, types }),
    qualifiedName: type.qualifiedName,
    description: descriptionOf(type.notes, context) ?? descriptionOf(set.notes, context),
    first: suffix === '' ? undefined : entities.get(type.qualifiedName),
    place,
    entitySet: place?.kind === 'EntitySet' ? place.name : undefined,
    parents: parentsAt(place, { places, types }),
    hierarchy: hierarchyOf(type, at.kinship, base, { place, suffix }),
    table: tableAt(type, place, places),
    ...namesOf(id, names),
    key: type.key,
    keyColumns: type.keyColumns,
    open: type.definition.openType,
    keyGeneration: buildKeyGeneration(type, context),
    recursiveHierarchies: buildRecursion(type, context),
    fields: fieldNodes(type, base, at),
    streams: streamNodes(type, set, context),
    ...ways,
    rules,
    transitions: buildTransitions(type, context),
    permissions: checkedPermissions(type, set, context),
    limits: set.limits,
    requiresFilter: requiredFilter(type, set, context),
    etag: etagOf(type, set, context),
    routes: withUpserts(set, hasKeyInAddress(place) && (type.keyColumns.size > 0 || type.key.some((name) => rules.computed.includes(name)))),
    indexes: indexesOf(type, set, context),
  };
}

function namesOf(id: string, { entities }: AllNames): Pick<EntityNode, 'typeName' | 'derived' | 'constant' | 'folder'> {
  const { typeName, derived, constant, folder } = entities.get(id) as GivenNames; // Every node was given names.
  return { typeName, derived, constant, folder };
}

// A reference is looked for where the navigation property leads; where its constraint was left out there is none.
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

function hasKeyInAddress(place: Place | undefined): boolean {
  return place?.kind === 'EntitySet' || place?.containment?.property.collection === true;
}

// A key that the service makes, or that lies within a complex value, cannot come from a client's address (protocol 11.4.4).
function withUpserts({ routes, upsertable }: BuiltSet, isKeyGiven: boolean): EntityNode['routes'] {
  if (!upsertable || isKeyGiven) return routes;
  return routes.map((route) => (route.operation === 'updateEntity' || route.operation === 'replaceEntity' ? { ...route, upsert: true as const } : route));
}

function fieldNodes(type: BuiltType, base: EntityNode | undefined, { set, names: { enumerations, entities }, context }: At): readonly FieldNode[] {
  const unions = entities.get(type.qualifiedName)?.unions;
  const unfilterable = excluded(type, set, terms.filter, 'Filterable', 'NonFilterableProperties', context);
  const unsortable = excluded(type, set, terms.sort, 'Sortable', 'NonSortableProperties', context);
  const isSearched = booleanValue(set.restriction(terms.search)?.member('Searchable'), terms.search, true, context.report);
  return [...type.fields.values()].map(({ property, description, column, field: { searchable, ...field } }) => ({
    at: property.at,
    name: property.name,
    description,
    column,
    field: {
      ...field,
      ...(unfilterable(property.name) && { filterable: false as const }),
      ...((unsortable(property.name) || (!isSortable(field) && field.complex === undefined)) && { sortable: false as const }),
      ...(searchable && isSearched && { searchable }),
    },
    ...(!type.own.has(property.name) && { inherited: true as const }),
    unionName: unions?.get(property.name) ?? base?.fields.find(({ name }) => name === property.name)?.unionName,
    enumeration: field.enumeration && enumerations.get(field.enumeration.qualifiedName),
  }));
}

function requiredFilter(type: BuiltType, { restriction }: BuiltSet, context: Context): readonly string[] | undefined {
  const said = restriction(terms.filter);
  const properties = knownPaths(pathValues(said?.member('RequiredProperties'), terms.filter, context.report), terms.filter, type, context);
  return booleanValue(said?.member('RequiresFilter'), terms.filter, false, context.report) ? properties : undefined;
}

// What the set says of a property holds for a stream too.
function streamNodes(type: BuiltType, set: BuiltSet, context: Context): EntityNode['streams'] {
  const record = set.restriction(terms.update);
  const fixed = new Set(pathValues(record?.member('NonUpdatableProperties'), terms.update, context.report).map(({ path }) => withoutCast(path, type, context)));
  return [...type.streams.values()].map((node) => (fixed.has(node.name) ? { ...node, stream: { ...node.stream, readOnly: true as const } } : node));
}

// Values that may be of several types have the order of JSON values, as dynamic properties have.
function isSortable({ type, collection }: Field): boolean {
  return !collection && (primitives[type].ordered || type === 'Edm.PrimitiveType' || type === 'Edm.Untyped');
}

function excluded(type: BuiltType, set: BuiltSet, term: string, all: string, some: string, context: Context): (name: string) => boolean {
  const record = set.restriction(term);
  const none = !booleanValue(record?.member(all), term, true, context.report);
  const listed = new Set(knownPaths(pathValues(record?.member(some), term, context.report), term, type, context));
  return (name) => none || listed.has(name);
}

function navigationNodes(type: BuiltType, base: EntityNode | undefined, at: At): Pick<EntityNode, 'navigation' | 'itemNavigation'> {
  const isExpandable = expandability(type, at.set, at.context);
  const navigation = allNavigation(type, base, at).map((node) => (isExpandable(node.name) ? node : { ...node, navigation: { ...node.navigation, expandable: false as const } }));
  return { navigation, itemNavigation: buildItemNavigation(type, base, at, isExpandable) };
}

function expandability(type: BuiltType, set: BuiltSet, context: Context): (name: string) => boolean {
  const record = set.restriction(terms.expand);
  const none = !booleanValue(record?.member('Expandable'), terms.expand, true, context.report);
  const paths = pathValues(record?.member('NonExpandableProperties'), terms.expand, context.report);
  const known = [...type.navigation.map(({ name }) => name), ...type.itemNavigation.map(({ path }) => path)];
  for (const { at, path } of paths) {
    if (!known.includes(path)) context.report(faults.unknownNavigation(at, shortTerm(terms.expand), path, type.name, suggestion(path, known)));
  }
  return (name) => !none && !paths.some(({ path }) => path === name);
}

// What is inherited leads from the same table as with the base type, or else is joined anew, without telling its faults again.
function allNavigation(type: BuiltType, base: EntityNode | undefined, start: Start): readonly NavigationNode[] {
  const isShared = base?.table === tableAt(type, start.place, start.places);
  const silent: Start = { ...start, context: { ...start.context, report: () => undefined } };
  const declared = type.navigation.filter((property) => !type.ownNavigation.includes(property));
  const inherited = isShared ? base.navigation : buildNavigation(type, declared, silent);
  const isFirst = suffixOf(type, start.place, start.places) === '';
  return [...inherited.map((node) => ({ ...node, inherited: true as const })), ...buildNavigation(type, type.ownNavigation, isFirst ? start : silent)];
}

function checkedPermissions(type: BuiltType, { permissions, at }: BuiltSet, context: Context): BuiltSet['permissions'] {
  const names: readonly string[] = [...type.fields.keys(), ...type.streams.keys(), ...type.navigation.map(({ name }) => name)];
  const known = ({ except, ...permission }: Permission): Permission => ({
    ...permission,
    except: except.flatMap((path) => {
      const name = withoutCast(path, type, context);
      if (name !== undefined && !names.includes(name)) context.report(name.includes('/') ? pathFault(at, 'RestrictedProperties', name, type) : faults.unknownProperty(at, 'RestrictedProperties', name, type.name, suggestion(name, names)));
      return name ?? [];
    }),
  });
  const { read, insert, update, delete: remove } = permissions;
  return { read: read?.map(known), insert: insert?.map(known), update: update?.map(known), delete: remove?.map(known) };
}

function etagOf(type: BuiltType, { notes, etag }: BuiltSet, context: Context): EntityNode['etag'] {
  const rows = [[terms.optimisticConcurrency, true], [terms.etagSource, false]] as const;
  const found = rows.flatMap(([term, required]) => {
    const note = notes.find(term);
    if (note === undefined) return [];
    knownPaths(pathValues(note.value, term, context.report), term, type, context);
    return [{ required }];
  });
  return found[0] ?? etag;
}

function indexesOf(type: BuiltType, { notes }: BuiltSet, context: Context): EntityNode['indexes'] {
  const { report } = context;
  return recordValues(notes.find(terms.indexes)?.value, terms.index, report).flatMap((item) => {
    const paths = pathValues(item.member('Properties'), terms.index, report);
    const names = knownPaths(paths, terms.indexes, type, context);
    // An index of a derived type's properties is that type's to make.
    if (paths.some(({ path }) => withoutCast(path, type, context) === undefined)) return [];
    const special = names.filter((name) => type.fields.has(name) && !isSortable(type.fields.get(name)?.field as Field));
    if (names.length > 1 && special.length > 0) {
      report(faults.notSupported(item.at, `An index of ${special.join(' and ')} with other properties`, 'Give a collection or a point an index of its own.'));
    }
    const substrings = booleanValue(item.member('Substrings'), terms.index, false, report);
    if (substrings && !isOneText(names, type)) {
      report(faults.notSupported(item.at, `An index of the substrings of ${names.join(' and ')}`, 'Name one property of type Edm.String.'));
    }
    return names.length === 0 ? [] : [{ names, substrings }];
  });
}

function isOneText([name = '', ...others]: readonly string[], { fields }: BuiltType): boolean {
  const field = fields.get(name)?.field;
  return others.length === 0 && field?.type === 'Edm.String' && !field.collection;
}
