import type { Field, Permission } from '../../runtime/edm/index.js';
import { primitives } from '../../runtime/edm/index.js';
import { suggestion } from '../../runtime/errors/suggest.js';
import type { Csdl, EntityContainer, EntitySet } from '../csdl/csdl.js';
import { shortTerm, terms } from '../csdl/terms.js';
import { booleanValue, flagValue, pathValues, recordValues, textValue, textValues } from '../csdl/vocabulary.js';
import { faults, type Report } from '../faults.js';
import { buildDefinitions } from './build-enums.js';
import { complexNodes } from './build-complex.js';
import { descriptionOf } from './build-fields.js';
import { buildOperations } from './build-operations.js';
import { buildNavigation, type BuiltTypes } from './build-relations.js';
import { buildKeyGeneration, buildRules, knownPaths, pathFault, withoutCast } from './build-rules.js';
import { buildSet, type BuiltSet } from './build-set.js';
import { buildTransitions } from './build-transitions.js';
import { buildTypes, type BuiltType } from './build-type.js';
import { buildContext, type Context } from './context.js';
import { buildLineages } from './hierarchy.js';
import { hierarchyOf, kinshipOf, placeProperties, tablesOf, type Kinship } from './tables.js';
import type { EntityNode, FieldNode, ModelGraph, NavigationNode } from './model-graph.js';
import { allocateNames, type AllNames, type GivenNames } from './allocate-names.js';

/** Resolves a document; what cannot be resolved is reported and left out, so that all faults come at once. */
export function buildGraph(csdl: Csdl, report: Report): ModelGraph {
  const context = buildContext(csdl, report);
  const types = buildTypes(buildLineages(csdl, context), context);
  const container = containerOf(csdl);
  const names = allocateNames([...types.values(), ...context.complexTypes.values()].map((type) => ({ ...type, fields: type.own })), context.enums);
  const kinship = kinshipOf(types);
  const sets = setsByType(container?.container, types, kinship, context);
  const entities = new Map<string, EntityNode>();
  for (const [name, type] of types) {
    const set = buildSet(sets.get(name)?.set, container?.container, container?.path ?? '', context);
    entities.set(name, buildEntity(type, { set, types, kinship, names, entities, setType: sets.get(name)?.declared, context }));
  }
  const placed = placeProperties([...entities.values()]);
  const complexTypes = complexNodes(names, context);
  return {
    csdl,
    namespace: container?.namespace ?? '',
    containerName: container?.container.name ?? '',
    description: container && descriptionOf(context.notesOf(container.path, container.container.annotations), context),
    entities: placed,
    tables: tablesOf(placed),
    complexTypes,
    filterFunctions: filterFunctionsOf(container, context),
    schemaVersion: schemaVersionOf(csdl, container, context),
    enumerations: [...names.enumerations.values()],
    typeDefinitions: buildDefinitions(context),
    aliases: new Map(csdl.schemas.flatMap(({ alias, namespace }) => (alias === undefined ? [] : [[alias, namespace] as const]))),
    operations: buildOperations({ entities: placed, complexTypes, enumerations: names.enumerations }, context),
    defaultNamespaces: csdl.schemas.flatMap(({ namespace, annotations }) => (flagValue(context.notesOf(namespace, annotations).find(terms.defaultNamespace), report) ? [namespace] : [])),
  };
}

type FoundContainer = { readonly container: EntityContainer; readonly namespace: string; readonly path: string };

function containerOf({ schemas }: Csdl): FoundContainer | undefined {
  return schemas.flatMap(({ namespace, elements }) =>
    elements.flatMap((element) => (element.kind === 'EntityContainer' ? [{ container: element, namespace, path: `${namespace}.${element.name}` }] : [])),
  )[0];
}

/** The set that has a type's records, and the type that it declares. */
interface FoundSet {
  readonly set: EntitySet;
  readonly declared: string;
}

// A set has the records of the types that derive from its own too, and no other set may have those.
function setsByType(container: EntityContainer | undefined, types: BuiltTypes, { derived }: Kinship, { scope, report }: Context): ReadonlyMap<string, FoundSet> {
  const sets = new Map<string, FoundSet>();
  const roots = new Map<string | undefined, string>();
  for (const member of container?.members ?? []) {
    if (member.kind !== 'EntitySet') continue;
    const declared = scope.qualify(member.entityType);
    const type = types.get(declared);
    if (type === undefined) report(faults.entitySet(member.at, member.name, member.entityType, scope.suggest(declared)));
    else if (roots.has(type.root)) report(faults.notSupported(member.at, `${member.name}, a second entity set of ${roots.get(type.root) ?? ''}`, 'Keep one set of each entity type and of those that derive from it.'));
    else {
      roots.set(type.root, declared);
      for (const name of [declared, ...(derived.get(declared) ?? [])]) sets.set(name, { set: member, declared });
    }
  }
  return sets;
}

function filterFunctionsOf(container: FoundContainer | undefined, context: Context): readonly string[] | undefined {
  if (container === undefined) return undefined;
  const note = context.notesOf(container.path, container.container.annotations).find(terms.filterFunctions);
  return note && textValues(note.value, terms.filterFunctions, context.report).map(({ value }) => value);
}

function schemaVersionOf({ schemas }: Csdl, container: FoundContainer | undefined, context: Context): string | undefined {
  const schema = schemas.find(({ namespace }) => namespace === container?.namespace);
  const note = schema && context.notesOf(schema.namespace, schema.annotations).find(terms.schemaVersion);
  return textValue(note?.value, terms.schemaVersion, context.report)?.value;
}

interface Surroundings {
  readonly set: BuiltSet;
  /** The type that the set declares. */
  readonly setType: string | undefined;
  readonly types: BuiltTypes;
  readonly kinship: Kinship;
  readonly names: AllNames;
  /** Those that are built already, base types among them. */
  readonly entities: ReadonlyMap<string, EntityNode>;
  readonly context: Context;
}

function buildEntity(type: BuiltType, { set, setType, types, kinship, names, entities, context }: Surroundings): EntityNode {
  const given = names.entities.get(type.qualifiedName) as GivenNames;
  const { typeName, derived, constant, folder } = given;
  const indexes = indexesOf(type, set, context);
  const rules = buildRules(type, set, context);
  const base = entities.get(type.bases[0]?.qualifiedName ?? '');
  const navigation = navigationNodes(type, set, base, types, context);
  return {
    at: type.definition.at,
    name: type.name,
    qualifiedName: type.qualifiedName,
    description: descriptionOf(type.notes, context) ?? descriptionOf(set.notes, context),
    entitySet: set.set?.name,
    hierarchy: hierarchyOf(type, kinship, base, setType),
    table: type.table,
    typeName,
    derived,
    constant,
    folder,
    key: type.key,
    keyColumns: type.keyColumns,
    open: type.definition.openType,
    keyGeneration: buildKeyGeneration(type, context),
    fields: fieldNodes(type, set, base, names, context),
    streams: streamNodes(type, set, context),
    navigation,
    rules,
    transitions: buildTransitions(type, context),
    permissions: checkedPermissions(type, set, context),
    limits: set.limits,
    etag: etagOf(type, set, context),
    routes: withUpserts(set, type.keyColumns.size > 0 || type.key.some((name) => rules.computed.includes(name))),
    indexes,
  };
}

// A key that the service makes, or that lies within a complex value, cannot come from a client's address (protocol 11.4.4).
function withUpserts({ routes, upsertable }: BuiltSet, isKeyGiven: boolean): EntityNode['routes'] {
  if (!upsertable || isKeyGiven) return routes;
  return routes.map((route) => (route.operation === 'updateEntity' || route.operation === 'replaceEntity' ? { ...route, upsert: true as const } : route));
}

function fieldNodes(type: BuiltType, set: BuiltSet, base: EntityNode | undefined, { enumerations, entities }: AllNames, context: Context): readonly FieldNode[] {
  const unions = entities.get(type.qualifiedName)?.unions;
  const unfilterable = excluded(type, set, terms.filter, 'Filterable', 'NonFilterableProperties', context);
  const unsortable = excluded(type, set, terms.sort, 'Sortable', 'NonSortableProperties', context);
  const requiresFilter = set.restriction(terms.filter)?.member('RequiresFilter');
  if (booleanValue(requiresFilter, terms.filter, false, context.report)) {
    context.report(faults.notSupported(requiresFilter?.at ?? 0, 'FilterRestrictions/RequiresFilter', 'Remove it.'));
  }
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

// What the set says of a property holds for a stream too.
function streamNodes(type: BuiltType, set: BuiltSet, context: Context): EntityNode['streams'] {
  const record = set.restriction(terms.update);
  const fixed = new Set(pathValues(record?.member('NonUpdatableProperties'), terms.update, context.report).map(({ path }) => withoutCast(path, type, context)));
  return [...type.streams.values()].map((node) => (fixed.has(node.name) ? { ...node, stream: { ...node.stream, readOnly: true as const } } : node));
}

function isSortable({ type, collection }: Field): boolean {
  return !collection && primitives[type].ordered;
}

function excluded(type: BuiltType, set: BuiltSet, term: string, all: string, some: string, context: Context): (name: string) => boolean {
  const record = set.restriction(term);
  const none = !booleanValue(record?.member(all), term, true, context.report);
  const listed = new Set(knownPaths(pathValues(record?.member(some), term, context.report), term, type, context));
  return (name) => none || listed.has(name);
}

function navigationNodes(type: BuiltType, set: BuiltSet, base: EntityNode | undefined, types: BuiltTypes, context: Context): readonly NavigationNode[] {
  const record = set.restriction(terms.expand);
  const none = !booleanValue(record?.member('Expandable'), terms.expand, true, context.report);
  const paths = pathValues(record?.member('NonExpandableProperties'), terms.expand, context.report);
  const known = type.navigation.map(({ name }) => name);
  for (const { at, path } of paths) {
    if (!known.includes(path)) context.report(faults.unknownNavigation(at, shortTerm(terms.expand), path, type.name, suggestion(path, known)));
  }
  const inherited = inheritedNavigation(type, base, types, context).map((node) => ({ ...node, inherited: true as const }));
  return [...inherited, ...buildNavigation(type, type.ownNavigation, types, context)].map((node) =>
    none || paths.some(({ path }) => path === node.name) ? { ...node, navigation: { ...node.navigation, expandable: false as const } } : node,
  );
}

// What a type without a table lends has columns and tables at each one that has; its faults are reported where it is declared.
function inheritedNavigation(type: BuiltType, base: EntityNode | undefined, types: BuiltTypes, context: Context): readonly NavigationNode[] {
  if (base === undefined || base.hierarchy.root !== undefined) return base?.navigation ?? [];
  const lent = type.navigation.filter((property) => !type.ownNavigation.includes(property));
  return buildNavigation(type, lent, types, { ...context, report: () => undefined });
}

function checkedPermissions(type: BuiltType, { permissions, set }: BuiltSet, context: Context): BuiltSet['permissions'] {
  const names: readonly string[] = [...type.fields.keys(), ...type.streams.keys(), ...type.navigation.map(({ name }) => name)];
  const known = ({ except, ...permission }: Permission): Permission => ({
    ...permission,
    except: except.flatMap((path) => {
      const name = withoutCast(path, type, context);
      if (name !== undefined && !names.includes(name)) context.report(name.includes('/') ? pathFault(set?.at ?? 0, 'RestrictedProperties', name, type) : faults.unknownProperty(set?.at ?? 0, 'RestrictedProperties', name, type.name, suggestion(name, names)));
      return name ?? [];
    }),
  });
  const { read, insert, update, delete: remove } = permissions;
  return { read: read?.map(known), insert: insert?.map(known), update: update?.map(known), delete: remove?.map(known) };
}

function etagOf(type: BuiltType, { notes }: BuiltSet, context: Context): EntityNode['etag'] {
  const rows = [[terms.optimisticConcurrency, true], [terms.etagSource, false]] as const;
  const found = rows.flatMap(([term, required]) => {
    const note = notes.find(term);
    if (note === undefined) return [];
    knownPaths(pathValues(note.value, term, context.report), term, type, context);
    return [{ required }];
  });
  return found[0];
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
