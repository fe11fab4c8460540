import { mediaStream } from '../../runtime/edm/index.js';
import type { EntityNode, ModelGraph } from '../graph/model-graph.js';

/** Whether the records of a type are in a table; those that only lend their properties have none. */
export function hasRecords({ hierarchy }: EntityNode): boolean {
  return hierarchy.root !== undefined;
}

/** Types without a table that operations are called with or answer with, and those that derive from them. */
export function transientTypes({ entities, operations }: ModelGraph): readonly EntityNode[] {
  const called = new Set(
    operations.flatMap(({ binding, parameters, result }) => [binding, ...parameters, result]).flatMap((value) => value?.type ?? []),
  );
  return entities.filter(
    (entity) => !hasRecords(entity) && [entity.qualifiedName, ...entity.hierarchy.bases].some((name) => called.has(name)),
  );
}

/** Whether a table is named after the type. */
export function hasTable({ hierarchy, id }: EntityNode): boolean {
  return hierarchy.root === id;
}

/** Whether records are created by JSON: those that have media are created by the bytes of it (protocol 11.4.7.1). */
export function isCreatedByJson({ routes, streams, hierarchy }: EntityNode): boolean {
  return (
    !hierarchy.abstract && routes.some(({ operation }) => operation === 'createEntity') && !streams.some(({ name }) => name === mediaStream)
  );
}

/** The node that says what bodies create records of a type: its own, or the first one at another place that does. */
export function createdAt(entity: EntityNode, entities: readonly EntityNode[]): EntityNode | undefined {
  return nodesOf(entity, entities).find(isCreatedByJson);
}

/** Likewise of bodies that change them. */
export function updatedAt(entity: EntityNode, entities: readonly EntityNode[]): EntityNode | undefined {
  return nodesOf(entity, entities).find(({ routes }) => routes.some(({ operation }) => operation === 'updateEntity'));
}

type Further = ReadonlyMap<string, readonly EntityNode[]>;

const further = new WeakMap<readonly EntityNode[], Further>();

function nodesOf(entity: EntityNode, entities: readonly EntityNode[]): readonly EntityNode[] {
  const found = further.get(entities) ?? findFurther(entities);
  further.set(entities, found);
  return [entity, ...(found.get(entity.id) ?? [])];
}

function findFurther(entities: readonly EntityNode[]): Further {
  const found = new Map<string, EntityNode[]>();
  for (const entity of entities) {
    if (entity.first) found.set(entity.first.id, [...(found.get(entity.first.id) ?? []), entity]);
  }
  return found;
}

/** The type that has the file with a type's transitions: the one that declares the state property, or the nearest to it. */
export function stateOwner(entity: EntityNode): EntityNode | undefined {
  if (entity.first) return stateOwner(entity.first);
  const { transitions, hierarchy, fields } = entity;
  if (transitions === undefined) return undefined;
  const inherited = fields.find(({ name }) => name === transitions.property)?.inherited;
  return inherited && hierarchy.base && hasRecords(hierarchy.base) ? stateOwner(hierarchy.base) : entity;
}

/** The folder whose types have the union of a property's values: that of the type which declares it. */
export function declaringFolder(entity: EntityNode, property: string): string {
  const { hierarchy, fields, folder } = entity;
  return fields.find(({ name }) => name === property)?.inherited && hierarchy.base ? declaringFolder(hierarchy.base, property) : folder;
}
