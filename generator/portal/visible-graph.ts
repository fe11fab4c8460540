import type { OperationName } from '../../runtime/edm/entity-type.js';
import type { Permission, WriteRules } from '../../runtime/edm/rules.js';
import type { EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { mapPermissions } from '../map-permissions.js';

/** The part of a model that a caller with the scopes can read or write: without the rest, its types and its rules. */
export function visibleGraph(graph: ModelGraph, scopes: ReadonlySet<string>): ModelGraph {
  const entities = graph.entities.map((entity) => granted(entity, scopes)).filter(isShown);
  const known = new Set(entities.map(({ name }) => name));
  const shown = entities.map((entity) => visibleEntity(entity, known));
  const operations = graph.operations.filter(
    ({ permissions }) => permissions === undefined || permissions.some(({ scope }) => scopes.has(scope)),
  );
  const values = operations.flatMap(({ parameters, result }) => [parameters, result ?? []].flat());
  const types = reachableTypes([...shown.flatMap(({ fields }) => fields), ...values.flatMap(({ property }) => property ?? [])], graph);
  return {
    ...graph,
    entities: shown,
    operations,
    complexTypes: graph.complexTypes.filter(({ qualifiedName }) => types.has(qualifiedName)),
    enumerations: graph.enumerations.filter(({ table }) => types.has(table.qualifiedName)),
  };
}

// A set that everybody may write, but the scopes may not read, is hidden all the same.
function isShown({ routes, permissions: { insert, update } }: EntityNode): boolean {
  const isRead = routes.some(({ operation }) => operation === 'readCollection' || operation === 'readEntity');
  return isRead || [insert, update].some((list) => list !== undefined && list.length > 0);
}

// The permissions and the routes of the scopes; an operation without permissions is everybody's.
function granted(entity: EntityNode, scopes: ReadonlySet<string>): EntityNode {
  const permissions = mapPermissions(entity.permissions, (list) => list.filter(({ scope }) => scopes.has(scope)));
  const granting: { readonly [Name in OperationName]: readonly Permission[] | undefined } = {
    readCollection: permissions.read,
    readEntity: permissions.readByKey ?? permissions.read,
    createEntity: permissions.insert,
    updateEntity: permissions.update,
    replaceEntity: permissions.update,
    deleteEntity: permissions.delete,
  };
  return { ...entity, permissions, routes: entity.routes.filter(({ operation }) => granting[operation]?.length !== 0) };
}

function visibleEntity(entity: EntityNode, known: ReadonlySet<string>): EntityNode {
  const { permissions, transitions } = entity;
  const { read, readByKey, insert, update } = permissions;
  // Permissions to write show a property only where they are the scopes' own.
  const isVisible = (name: string): boolean => read === undefined || [read, readByKey, insert, update].some((list) => grants(list, name));
  const names = (all: readonly string[]): readonly string[] => all.filter(isVisible);
  return {
    ...entity,
    permissions: withoutHidden(permissions, isVisible),
    fields: entity.fields.filter(({ name }) => isVisible(name)),
    streams: entity.streams.filter(({ name }) => isVisible(name)),
    navigation: entity.navigation.filter(({ name, navigation }) => isVisible(name) && known.has(navigation.target)),
    rules: visibleRules(entity.rules, isVisible),
    requiresFilter: entity.requiresFilter && names(entity.requiresFilter),
    transitions: transitions && isVisible(transitions.property) ? visibleMoves(transitions, isVisible) : undefined,
  };
}

function grants(list: readonly Permission[] | undefined, name: string): boolean {
  return list?.some(({ except }) => !hides(except, name)) ?? false;
}

// A hidden part of a value hides the whole value.
function hides(except: readonly string[], name: string): boolean {
  return except.some((path) => path === name || path.startsWith(`${name}/`));
}

function withoutHidden(permissions: EntityNode['permissions'], isVisible: (name: string) => boolean): EntityNode['permissions'] {
  return mapPermissions(permissions, (list) =>
    list.map((permission) => ({ ...permission, except: permission.except.filter((path) => isVisible(path.split('/')[0] ?? '')) })),
  );
}

function visibleRules(rules: WriteRules, isVisible: (name: string) => boolean): WriteRules {
  const visible = Object.entries<WriteRules[keyof WriteRules]>({ ...rules }).map(([rule, properties]) => [
    rule,
    isList(properties) ? properties.filter(isVisible) : Object.fromEntries(Object.entries(properties).filter(([name]) => isVisible(name))),
  ]);
  return Object.fromEntries(visible) as unknown as WriteRules; // Each rule keeps its form.
}

function isList(properties: WriteRules[keyof WriteRules]): properties is readonly string[] {
  return Array.isArray(properties);
}

type Transitions = NonNullable<EntityNode['transitions']>;

function visibleMoves(transitions: Transitions, isVisible: (name: string) => boolean): Transitions {
  const moves = Object.entries(transitions.moves).map(([from, list]) => [
    from,
    list.map(({ requires = [], sets = {}, ...move }) => ({
      ...move,
      requires: requires.filter(isVisible),
      sets: Object.fromEntries(Object.entries(sets).filter(([name]) => isVisible(name))),
    })),
  ]);
  return { ...transitions, moves: Object.fromEntries(moves) as Transitions['moves'] };
}

// Complex types and enumerations that fields have, and those that derive from them or are nested in them.
function reachableTypes(fields: readonly FieldNode[], { complexTypes }: ModelGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ field: { complex, enumeration } }: FieldNode): void => {
    if (enumeration !== undefined) found.add(enumeration.qualifiedName);
    if (complex !== undefined) visitType(complex);
  };
  const visitType = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const type = complexTypes.find(({ qualifiedName }) => qualifiedName === name);
    type?.fields.forEach(visit);
    type?.derivedTypes.forEach(visitType);
  };
  fields.forEach(visit);
  return found;
}
