import type { ModelGraph } from '../graph/model-graph.js';
import { valueArtifacts, type Artifact } from './artifacts.js';
import { emitClient } from './emit-client.js';
import { emitComplexTypes } from './emit-complex.js';
import { emitEnumerationTypes } from './emit-enumerations.js';
import { emitTypesBarrel } from './emit-types-barrel.js';
import { emitTypes } from './emit-types.js';
import { withNumbers } from './number-parameter.js';

/** The files that a client of a service needs: its types, and the table of its sets. */
export function emitClientFiles(graph: ModelGraph): readonly Artifact[] {
  return [
    ...graph.entities
      .filter(({ first }) => first === undefined)
      .map((entity): Artifact => ({ path: `${entity.folder}/types.ts`, structure: () => withNumbers(emitTypes(entity, graph), graph) })),
    ...graph.complexTypes.map((complex): Artifact => ({
      path: `${complex.folder}/types.ts`,
      structure: () => withNumbers(emitComplexTypes(complex, graph), graph),
    })),
    ...(graph.enumerations.length === 0 ? [] : [{ path: 'enumerations.ts', structure: () => emitEnumerationTypes(graph) }]),
    { path: 'types.ts', structure: () => emitTypesBarrel(graph) },
    { path: 'client.ts', structure: () => emitClient(graph) },
    ...valueArtifacts(graph),
  ];
}
