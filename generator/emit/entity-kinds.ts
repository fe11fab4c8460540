import { mediaStream } from '../../runtime/edm/index.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';
import { isMany } from '../graph/sources/places.js';
import { grouped } from '../../runtime/edm/grouped.js';
import { memoized } from '../../runtime/edm/memoized.js';

/** Whether entities of a type are stored; abstract types only contribute properties. */
export function hasRecords({ hierarchy }: EntityNode): boolean {
  return hierarchy.root !== undefined;
}

/** Types without a table for parameters and results of operations, with derived types. */
export function transientTypes({ entities, operations }: ModelGraph): readonly EntityNode[] {
  const called = new Set(
    operations.flatMap(({ binding, parameters, result }) => [binding, ...parameters, result]).flatMap((value) => value?.type ?? []),
  );
  return entities.filter(
    (entity) => !hasRecords(entity) && [entity.qualifiedName, ...entity.hierarchy.bases].some((name) => called.has(name)),
  );
}

/** Whether a table is named after the type; events are rows of the change log. */
export function hasTable({ hierarchy, id, events }: EntityNode): boolean {
  return hierarchy.root === id && events === undefined;
}

/** Whether entities are created by JSON; media entities are created by their content (protocol 11.4.7.1). */
export function isCreatedByJson({ routes, streams, hierarchy }: EntityNode): boolean {
  return (
    !hierarchy.abstract && routes.some(({ operation }) => operation === 'createEntity') && !streams.some(({ name }) => name === mediaStream)
  );
}

/** Whether an entity is created only by a PUT or PATCH of its address, or within its parent: it is the only one contained there. */
export function isMadeWithin({ place, hierarchy, routes }: EntityNode): boolean {
  const isOne = place?.kind === 'Containment' && !isMany(place);
  return isOne && !hierarchy.abstract && routes.some(({ operation }) => operation === 'replaceEntity' || operation === 'updateEntity');
}

/** The navigation properties along which entities are created, where NavigationRestrictions say so, by the source of the entities. */
export const insertedAlong = memoized((entities: readonly EntityNode[]) => {
  const sources = new Map(entities.map(({ name, place }) => [name, place?.name ?? '']));
  const along = entities.flatMap((parent) =>
    parent.navigation
      .filter(({ navigation }) => navigation.insertable === true && navigation.collection)
      .map(({ name, navigation }) => ({ parent, name, source: sources.get(navigation.target) ?? '' })),
  );
  // Types that derive from the parent have it as well.
  const each = grouped(along, ({ parent, name }) => `${parent.place?.name} ${name}`);
  return grouped(
    [...each.values()].flatMap(([first]) => first ?? []),
    ({ source }) => source,
  );
});

/** The node with the rules for creating entities of a type: its own, or the first one in another entity source. */
export function createdAt(entity: EntityNode, entities: readonly EntityNode[]): EntityNode | undefined {
  const nodes = nodesOf(entity, entities);
  const isAlong = ({ place, hierarchy, streams }: EntityNode): boolean =>
    !hierarchy.abstract && !streams.some(({ name }) => name === mediaStream) && insertedAlong(entities).has(place?.name ?? '#');
  return nodes.find(isCreatedByJson) ?? nodes.find((node) => isMadeWithin(node) || isAlong(node));
}

/** The node with the rules for updating entities of a type. */
export function updatedAt(entity: EntityNode, entities: readonly EntityNode[]): EntityNode | undefined {
  return nodesOf(entity, entities).find(({ routes }) => routes.some(({ operation }) => operation === 'updateEntity'));
}

function nodesOf(entity: EntityNode, entities: readonly EntityNode[]): readonly EntityNode[] {
  return [entity, ...(furtherNodes(entities).get(entity.id) ?? [])];
}

const furtherNodes = memoized((entities: readonly EntityNode[]) =>
  grouped(
    entities.filter(({ first }) => first !== undefined),
    ({ first }) => first?.id ?? '',
  ),
);

/** The type with the transitions file: the one that declares the state property, or the nearest derived one. */
export function stateOwner(entity: EntityNode): EntityNode | undefined {
  if (entity.first) return stateOwner(entity.first);
  const { transitions, hierarchy, fields } = entity;
  if (transitions === undefined) return undefined;
  const inherited = fields.find(({ name }) => name === transitions.property)?.inherited;
  return inherited && hierarchy.base && hasRecords(hierarchy.base) ? stateOwner(hierarchy.base) : entity;
}

/** The folder of the type that declares a property, which has the union of its values. */
export function declaringFolder(entity: EntityNode, property: string): string {
  const { hierarchy, fields, folder } = entity;
  return fields.find(({ name }) => name === property)?.inherited && hierarchy.base ? declaringFolder(hierarchy.base, property) : folder;
}

/** The bodies that create entities in a source: of its type, and of types that derive from it. */
export function createType(node: EntityNode, entities: readonly EntityNode[]): string {
  const types = typesWithin(node, entities).filter(isCreatedByJson);
  return [...new Set(types.map(({ first, derived }) => (first?.derived ?? derived).create))].join(' | ') || 'never';
}

/** The bodies that change entities in a source. */
export function updateType(node: EntityNode, entities: readonly EntityNode[]): string {
  const types = typesWithin(node, entities).filter(({ routes }) => routes.some(({ operation }) => operation === 'updateEntity'));
  return [...new Set(types.map(({ first, derived }) => (first?.derived ?? derived).update))].join(' | ') || 'never';
}

/** The nodes of a type, and of those that derive from it, in one entity source. */
export function typesWithin(node: EntityNode, entities: readonly EntityNode[]): readonly EntityNode[] {
  const others = node.place === undefined ? [] : (byPlace(entities).get(node.place.name) ?? []);
  return [node, ...others.filter(({ hierarchy }) => hierarchy.bases.includes(node.qualifiedName))];
}

const byPlace = memoized((entities: readonly EntityNode[]) => grouped(entities, ({ place }) => place?.name ?? ''));
