import type { Documents } from '../csdl/read-documents.js';
import { hasRecords, stateOwner, transientTypes } from './entity-kinds.js';
import { emitEnumerations, emitEnumerationTypes, emitValues, valueLists } from './emit-enumerations.js';
import type { ComplexNode, EntityNode, ModelGraph } from '../graph/model-graph.js';
import { emitComplexFields, emitComplexTypes } from './emit-complex.js';
import { emitFields } from './emit-fields.js';
import { emitClient } from './emit-client.js';
import { emitContainer } from './emit-container.js';
import { emitEntityIndex } from './emit-entity-index.js';
import { emitTypesBarrel } from './emit-types-barrel.js';
import { emitMetadataJson, emitMetadataXml, emitVocabularies } from './emit-metadata.js';
import { emitHandlers } from './emit-handlers.js';
import { emitOperations } from './emit-operations.js';
import { emitOperationTypes } from './emit-operation-types.js';
import { emitLifecycle, emitRoutes, emitValidator } from './emit-rules.js';
import { emitTypes } from './emit-types.js';
import { withNumbers } from './number-parameter.js';
import type { Home } from './place-imports.js';
import type { Emitted } from './structures.js';

/** A file before printing: text, or declarations, which are built only then, since large models have many. */
export type Artifact = { readonly path: string } & ({ readonly structure: () => Emitted } | { readonly text: string });

/** A file of each entity or complex type. */
interface TypeFile<Node> {
  readonly file: string;
  readonly emit: (node: Node, graph: ModelGraph) => Emitted;
  readonly when?: (node: Node, graph: ModelGraph) => boolean;
}

const entityTypes: TypeFile<EntityNode> = {
  file: 'types.ts',
  emit: (entity, graph) => withNumbers(emitTypes(entity, graph), graph),
  when: ({ first }) => first === undefined,
};

const entityFiles: readonly TypeFile<EntityNode>[] = [
  entityTypes,
  { file: 'fields.ts', emit: emitFields, when: (entity, graph) => hasRecords(entity) || transientTypes(graph).includes(entity) },
  { file: 'validator.ts', emit: emitValidator, when: hasRecords },
  { file: 'lifecycle.ts', emit: emitLifecycle, when: (entity) => hasRecords(entity) && stateOwner(entity) === entity },
  { file: 'routes.ts', emit: emitRoutes, when: hasRecords },
  { file: 'index.ts', emit: emitEntityIndex, when: hasRecords },
];

const complexTypes: TypeFile<ComplexNode> = {
  file: 'types.ts',
  emit: (complex, graph) => withNumbers(emitComplexTypes(complex, graph), graph),
};

/** All generated files, in the order of the model. */
export function emitAll(graph: ModelGraph, documents: Documents, home: Home): readonly Artifact[] {
  return [
    ...filesOf(graph.entities, entityFiles, graph),
    ...(graph.enumerations.length === 0 ? [] : [{ path: 'enumerations.ts', structure: () => emitEnumerations(graph) }]),
    ...filesOf(graph.complexTypes, [complexTypes, { file: 'fields.ts', emit: emitComplexFields }], graph),
    ...(graph.operations.length === 0 ? [] : operationArtifacts(graph, home)),
    { path: 'index.ts', structure: () => emitContainer(graph) },
    ...clientArtifacts(graph),
    { path: 'metadata.xml', text: emitMetadataXml(documents.main) },
    { path: 'metadata.json', text: emitMetadataJson(documents.main) },
    ...emitVocabularies(documents),
  ];
}

/** The files that a client of a service needs: its types, and the table of its sets. */
export function emitClientFiles(graph: ModelGraph): readonly Artifact[] {
  return [
    ...filesOf(graph.entities, [entityTypes], graph),
    ...filesOf(graph.complexTypes, [complexTypes], graph),
    ...(graph.enumerations.length === 0 ? [] : [{ path: 'enumerations.ts', structure: () => emitEnumerationTypes(graph) }]),
    ...clientArtifacts(graph),
  ];
}

function filesOf<Node extends { readonly folder: string }>(
  nodes: readonly Node[],
  files: readonly TypeFile<Node>[],
  graph: ModelGraph,
): readonly Artifact[] {
  return nodes.flatMap((node) =>
    files
      .filter(({ when }) => when === undefined || when(node, graph))
      .map(({ file, emit }) => ({ path: `${node.folder}/${file}`, structure: () => emit(node, graph) })),
  );
}

// The value lists, where the model has some, are the last.
function clientArtifacts(graph: ModelGraph): readonly Artifact[] {
  return [
    { path: 'types.ts', structure: () => emitTypesBarrel(graph) },
    { path: 'client.ts', structure: () => emitClient(graph) },
    ...(valueLists(graph).size === 0 ? [] : [{ path: 'values.ts', structure: () => emitValues(graph) }]),
  ];
}

function operationArtifacts(graph: ModelGraph, home: Home): readonly Artifact[] {
  return [
    { path: 'operations.ts', structure: () => emitOperations(graph) },
    { path: 'operation-types.ts', structure: () => emitOperationTypes(graph) },
    { path: 'handlers.ts', structure: () => emitHandlers(graph, home) },
  ];
}
