import type { ComplexType, EntityContainer, EntityType } from '../../runtime/edm/index.js';
import type { ComplexNode, EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { hasRecords } from './entity-kinds.js';

/** The tables of a model that sample values and sample names are read from. */
export const sampleModel = memoized((graph: ModelGraph): EntityContainer => {
  const entities = graph.entities.filter(hasRecords);
  return {
    namespace: graph.namespace,
    entityTypes: table(entities, ({ name }) => name, typeOf),
    entitySets: Object.fromEntries(
      entities.flatMap(({ entitySet, name, hierarchy }) =>
        // Entities of derived types are in the set of the base type.
        entitySet === undefined || hierarchy.setType !== undefined ? [] : [[entitySet, name]],
      ),
    ),
    complexTypes: table(graph.complexTypes, ({ qualifiedName }) => qualifiedName, complexTypeOf),
  };
});

function typeOf({
  name,
  qualifiedName,
  table: stored,
  key,
  fields,
  navigation,
  rules,
  permissions,
  limits,
  routes,
}: EntityNode): EntityType {
  return {
    name,
    qualifiedName,
    table: stored,
    key,
    fields: fieldTable(fields),
    navigation: table(
      navigation,
      (node) => node.name,
      (node) => node.navigation,
    ),
    rules,
    permissions,
    limits,
    routes,
  };
}

function complexTypeOf({ name, qualifiedName, abstract, derivedTypes, computed, immutable, fields }: ComplexNode): ComplexType {
  return {
    name,
    qualifiedName,
    ...(abstract && { abstract }),
    derived: derivedTypes,
    computed,
    immutable,
    fields: fieldTable(fields),
    navigation: {},
  };
}

function fieldTable(nodes: readonly FieldNode[]): EntityType['fields'] {
  return table(
    nodes,
    ({ name }) => name,
    ({ field }) => field,
  );
}

function table<Node, Value>(
  nodes: readonly Node[],
  nameOf: (node: Node) => string,
  valueOf: (node: Node) => Value,
): {
  readonly [name: string]: Value;
} {
  return Object.fromEntries(nodes.map((node) => [nameOf(node), valueOf(node)]));
}
