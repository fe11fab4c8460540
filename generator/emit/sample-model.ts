import type { ComplexType, EntityContainer, EntityType } from '../../runtime/edm/index.js';
import type { ComplexNode, EntityNode, FieldNode, ModelGraph } from '../graph/model-graph.js';
import { memoized } from '../../runtime/edm/memoized.js';
import { hasRecords } from './entity-kinds.js';

/** The tables of a model that sample values and sample names are read from. */
export const sampleModel = memoized((graph: ModelGraph): EntityContainer => {
  const entities = graph.entities.filter(hasRecords);
  return {
    namespace: graph.namespace,
    entityTypes: Object.fromEntries(entities.map((entity) => [entity.name, typeOf(entity)])),
    entitySets: Object.fromEntries(
      entities.flatMap(({ entitySet, name, hierarchy }) =>
        // Entities of derived types are in the set of the base type.
        entitySet === undefined || hierarchy.setType !== undefined ? [] : [[entitySet, name]],
      ),
    ),
    complexTypes: Object.fromEntries(graph.complexTypes.map((type) => [type.qualifiedName, complexTypeOf(type)])),
  };
});

function typeOf({ fields, navigation, ...entity }: EntityNode): EntityType {
  const { name, qualifiedName, table, key, rules, permissions, limits, routes } = entity;
  const ways = Object.fromEntries(navigation.map((node) => [node.name, node.navigation]));
  return { name, qualifiedName, table, key, fields: fieldTable(fields), navigation: ways, rules, permissions, limits, routes };
}

function complexTypeOf({ name, qualifiedName, abstract, derivedTypes, computed, immutable, fields }: ComplexNode): ComplexType {
  const types = { name, qualifiedName, ...(abstract && { abstract }), derived: derivedTypes };
  return { ...types, computed, immutable, fields: fieldTable(fields), navigation: {} };
}

function fieldTable(nodes: readonly FieldNode[]): EntityType['fields'] {
  return Object.fromEntries(nodes.map(({ name, field }) => [name, field]));
}
