import { docs } from './extra-members.js';
import { docText } from './describe.js';
import { printPropertyName, printString } from './print-literal.js';
import type { PropertySignatureStructure } from './ts-morph.js';
import type { Member } from './body-interfaces.js';
import type { TypeUse } from './complex-uses.js';
import { reference } from './reference-members.js';
import type { ComplexNode, EntityNode, ValueNavigationNode } from '../graph/model-graph.js';

/** The navigation members of values, in answers. */
export function navigationMembers(
  { navigation }: ComplexNode,
  entities: readonly EntityNode[],
): readonly (Pick<PropertySignatureStructure, 'name' | 'type' | 'hasQuestionToken'> & ReturnType<typeof docsOf>)[] {
  return navigation
    .filter(({ inherited }) => !inherited)
    .flatMap((node) => {
      const target = readType(node, entities);
      if (target === undefined) return [];
      return [{ name: printPropertyName(node.name), type: plural(node, target), hasQuestionToken: true, ...docsOf(node) }];
    });
}

function docsOf({ description }: ValueNavigationNode): { readonly docs: ReturnType<typeof docs> } {
  return { docs: docs(docText(description, 'Present if $expand requests it')) };
}

/** The navigation members of values in bodies: references to their targets. */
export function navigationBody({ navigation }: ComplexNode, entities: readonly EntityNode[]): readonly Member[] {
  return navigation.flatMap((node) => {
    // Constrained navigation properties are set by their dependent properties.
    if (node.constrained || readType(node, entities) === undefined) return [];
    const { name, collection } = node;
    return [
      optional(printPropertyName(name), plural(node, reference)),
      optional(printString(`${name}@odata.bind`), collection ? 'string[]' : 'string'),
    ];
  });
}

function optional(name: string, type: string): Member {
  return { name, hasQuestionToken: true, type };
}

/** The entity types that values reference. */
export function navigationUses(complex: ComplexNode, entities: readonly EntityNode[]): readonly TypeUse[] {
  return complex.navigation.flatMap((node): readonly TypeUse[] => {
    const target = targetNode(node, entities);
    return target === undefined || node.inherited ? [] : [[target, target.typeName]];
  });
}

function plural({ collection }: ValueNavigationNode, type: string): string {
  return collection ? `${type}[]` : `${type} | null`;
}

function targetNode({ target }: ValueNavigationNode, entities: readonly EntityNode[]): EntityNode | undefined {
  return entities.find(({ qualifiedName, first }) => qualifiedName === target && first === undefined);
}

function readType(node: ValueNavigationNode, entities: readonly EntityNode[]): string | undefined {
  return targetNode(node, entities)?.typeName;
}
