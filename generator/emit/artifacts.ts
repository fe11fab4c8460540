import type { Documents } from '../csdl/read-documents.js';
import { hasRecords, stateOwner, transientTypes } from './entity-kinds.js';
import { emitEnumerations } from './emit-enumerations.js';
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
import { emitValues, valueLists } from './emit-values.js';
import type { Home } from './place-imports.js';
import type { Emitted } from './structures.js';

/** A file before printing: text, or declarations, which are built only then, since large models have many. */
export type Artifact = { readonly path: string } & ({ readonly structure: () => Emitted } | { readonly text: string });

interface EntityArtifact {
  readonly file: string;
  readonly emit: (entity: EntityNode, graph: ModelGraph) => Emitted;
  readonly when?: (entity: EntityNode, graph: ModelGraph) => boolean;
}

/** The files of every entity type. */
const perEntity: readonly EntityArtifact[] = [
  { file: 'types.ts', emit: (entity, graph) => withNumbers(emitTypes(entity, graph), graph), when: ({ first }) => first === undefined },
  { file: 'fields.ts', emit: emitFields, when: (entity, graph) => hasRecords(entity) || transientTypes(graph).includes(entity) },
  { file: 'validator.ts', emit: emitValidator, when: hasRecords },
  { file: 'lifecycle.ts', emit: emitLifecycle, when: (entity) => hasRecords(entity) && stateOwner(entity) === entity },
  { file: 'routes.ts', emit: emitRoutes, when: hasRecords },
  { file: 'index.ts', emit: emitEntityIndex, when: hasRecords },
];

/** The files of every complex type. */
const perComplexType: readonly { readonly file: string; readonly emit: (complex: ComplexNode, graph: ModelGraph) => Emitted }[] = [
  { file: 'types.ts', emit: (complex, graph) => withNumbers(emitComplexTypes(complex, graph), graph) },
  { file: 'fields.ts', emit: emitComplexFields },
];

/** All generated files, in the order of the model. */
export function emitAll(graph: ModelGraph, documents: Documents, home: Home): readonly Artifact[] {
  const entities = graph.entities.flatMap((entity) =>
    perEntity
      .filter(({ when }) => when === undefined || when(entity, graph))
      .map(({ file, emit }): Artifact => ({ path: `${entity.folder}/${file}`, structure: () => emit(entity, graph) })),
  );
  const complexTypes = graph.complexTypes.flatMap((complex) =>
    perComplexType.map(({ file, emit }): Artifact => ({ path: `${complex.folder}/${file}`, structure: () => emit(complex, graph) })),
  );
  return [
    ...entities,
    ...(graph.enumerations.length === 0 ? [] : [{ path: 'enumerations.ts', structure: () => emitEnumerations(graph) }]),
    ...complexTypes,
    ...(graph.operations.length === 0 ? [] : operationArtifacts(graph, home)),
    { path: 'index.ts', structure: () => emitContainer(graph) },
    { path: 'types.ts', structure: () => emitTypesBarrel(graph) },
    { path: 'client.ts', structure: () => emitClient(graph) },
    ...valueArtifacts(graph),
    { path: 'metadata.xml', text: emitMetadataXml(documents) },
    { path: 'metadata.json', text: emitMetadataJson(documents) },
    ...emitVocabularies(documents),
  ];
}

/** The value lists, where the model has some. */
export function valueArtifacts(graph: ModelGraph): readonly Artifact[] {
  return valueLists(graph).size === 0 ? [] : [{ path: 'values.ts', structure: () => emitValues(graph) }];
}

function operationArtifacts(graph: ModelGraph, home: Home): readonly Artifact[] {
  return [
    { path: 'operations.ts', structure: () => emitOperations(graph) },
    { path: 'operation-types.ts', structure: () => emitOperationTypes(graph) },
    { path: 'handlers.ts', structure: () => emitHandlers(graph, home) },
  ];
}
