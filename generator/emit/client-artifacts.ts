import type { FieldNode, ModelGraph } from '../graph/model-graph.js';
import { valueArtifacts, type Artifact } from './artifacts.js';
import { emitClient, type NumberForm } from './emit-client.js';
import { emitComplexTypes } from './emit-complex.js';
import { emitEnumerationTypes } from './emit-enumerations.js';
import { emitTypesBarrel } from './emit-types-barrel.js';
import { emitTypes } from './emit-types.js';

/** The files that a client of a service needs: its types, and the table of its sets. */
export function emitClientFiles(graph: ModelGraph, numbers: NumberForm): readonly Artifact[] {
  const typed = numbers === 'string' ? withExactNumbers(graph) : graph;
  return [
    ...typed.entities
      .filter(({ first }) => first === undefined)
      .map((entity): Artifact => ({ path: `${entity.folder}/types.ts`, structure: () => emitTypes(entity, typed) })),
    ...typed.complexTypes.map((complex): Artifact => ({
      path: `${complex.folder}/types.ts`,
      structure: () => emitComplexTypes(complex, typed),
    })),
    ...(graph.enumerations.length === 0 ? [] : [{ path: 'enumerations.ts', structure: () => emitEnumerationTypes(graph) }]),
    { path: 'types.ts', structure: () => emitTypesBarrel(typed) },
    { path: 'client.ts', structure: () => emitClient(graph, numbers) },
    ...valueArtifacts(typed),
  ];
}

// The same model, with strings in place of decimals and 64-bit numbers, as IEEE754Compatible=true sends them.
function withExactNumbers(graph: ModelGraph): ModelGraph {
  const entities = new Map(graph.entities.map((entity) => [entity, exact(entity)]));
  const placed = [...entities.values()].map((entity) => ({ ...entity, first: entity.first && entities.get(entity.first) }));
  return { ...graph, entities: placed, complexTypes: graph.complexTypes.map(exact) };
}

function exact<T extends { readonly fields: readonly FieldNode[] }>(type: T): T {
  return { ...type, fields: type.fields.map(exactField) };
}

function exactField(node: FieldNode): FieldNode {
  const { type } = node.field;
  return type === 'Edm.Int64' || type === 'Edm.Decimal' ? { ...node, field: { ...node.field, type: 'Edm.String' } } : node;
}
