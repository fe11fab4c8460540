import { createdAt } from './entity-kinds.js';
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

/** The navigation members of values in bodies: ids, references, and new contained entities. */
export function navigationBody({ navigation }: ComplexNode, entities: readonly EntityNode[]): readonly Member[] {
  return navigation.flatMap((node) => {
    // Constrained navigation properties are set by their dependent properties.
    if (node.constrained || readType(node, entities) === undefined) return [];
    const { name, collection, contains } = node;
    if (contains) return [optional(printPropertyName(name), plural(node, newTypes(node, entities).join(' | ')))];
    return [
      optional(printPropertyName(name), plural(node, reference)),
      optional(printString(`${name}@odata.bind`), collection ? 'string[]' : 'string'),
    ];
  });
}

function optional(name: string, type: string): Member {
  return { name, hasQuestionToken: true, type };
}

/** The entity types that values reference, and the bodies of contained ones. */
export function navigationUses(complex: ComplexNode, entities: readonly EntityNode[]): readonly TypeUse[] {
  return complex.navigation.flatMap((node): readonly TypeUse[] => {
    const target = targetNode(node, entities);
    const read = target === undefined || node.inherited ? [] : [[target, target.typeName] as const];
    const created = node.contains ? newNodes(node, entities).map((entity) => [entity, newType(entity, entities)] as const) : [];
    return [...read, ...created.map(([entity, name]) => [entity, name.replace(/^Partial<(.*)>$/, '$1')] as const)];
  });
}

function plural({ collection }: ValueNavigationNode, type: string): string {
  if (!collection) return `${type} | null`;
  return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
}

function targetNode({ target }: ValueNavigationNode, entities: readonly EntityNode[]): EntityNode | undefined {
  return entities.find(({ qualifiedName, first }) => qualifiedName === target && first === undefined);
}

function readType(node: ValueNavigationNode, entities: readonly EntityNode[]): string | undefined {
  return targetNode(node, entities)?.typeName;
}

// A contained record may be of a type that derives from the one that is declared.
function newNodes({ target }: ValueNavigationNode, entities: readonly EntityNode[]): readonly EntityNode[] {
  return entities.filter(
    ({ qualifiedName, hierarchy, first }) =>
      first === undefined && (qualifiedName === target || hierarchy.bases.includes(target)) && !hierarchy.abstract,
  );
}

function newTypes(node: ValueNavigationNode, entities: readonly EntityNode[]): readonly string[] {
  const types = newNodes(node, entities).map((entity) => newType(entity, entities));
  return types.length === 0 ? ['never'] : types;
}

function newType(entity: EntityNode, entities: readonly EntityNode[]): string {
  return createdAt(entity, entities) ? entity.derived.create : `Partial<${entity.typeName}>`;
}
