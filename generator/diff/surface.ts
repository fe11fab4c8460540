import type { Csdl, Schema } from '../csdl/csdl.js';
import { buildScope } from '../graph/names/scope.js';
import type { Element, SurfaceContext } from './element.js';
import { notesReader } from './notes.js';
import { elementsOfContainer } from './surface-container.js';
import { elementsOfOperation } from './surface-operation.js';
import { elementsOfType } from './surface-type.js';

/** The elements of a model, by path. */
export type Surface = ReadonlyMap<string, Element>;

/** The elements of a model, valid or not; unresolved names are kept. */
export function surfaceOf(csdl: Csdl): Surface {
  const scope = buildScope(csdl);
  const context: SurfaceContext = { scope, notesOf: notesReader(csdl, scope) };
  const elements = csdl.schemas.flatMap((schema) => elementsOfSchema(schema, context));
  return new Map(elements.map((element) => [element.path, element]));
}

function elementsOfSchema({ namespace, elements }: Schema, context: SurfaceContext): readonly Element[] {
  return elements.flatMap((element): readonly Element[] => {
    switch (element.kind) {
      case 'EntityType':
      case 'ComplexType':
      case 'EnumType':
      case 'TypeDefinition':
        return elementsOfType(element, namespace, context);
      case 'Action':
      case 'Function':
        return elementsOfOperation(element, namespace, context);
      case 'EntityContainer':
        return elementsOfContainer(element, namespace, context);
      // Terms are compared where they are applied.
      case 'Term':
        return [];
    }
  });
}
