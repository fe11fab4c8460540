import { createdAt } from './entity-kinds.js';
import { docs } from './extra-members.js';
import { docText } from './describe.js';
import { printPropertyName, printString } from './print-literal.js';
import { typeImport } from './structures.js';
import type { PropertySignatureStructure, StatementStructures } from 'ts-morph';
import type { ComplexNode, EntityNode, ValueNavigationNode } from '../graph/model-graph.js';

/** A reference in place of a record (JSON format 14). */
const reference = "{ '@odata.id': string }";

/** What values lead to and contain, as answers show it. */
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
  return { docs: docs(docText(description, 'Present when $expand asks for it')) };
}

/** What bodies say of it: ids, references, and new records that a value is to contain. */
export function navigationBody({ navigation }: ComplexNode, entities: readonly EntityNode[]): readonly string[] {
  return navigation.flatMap((node) => {
    // What follows from properties is said by them.
    if (node.constrained || readType(node, entities) === undefined) return [];
    const { name, collection, contains } = node;
    if (contains) return [`${printPropertyName(name)}?: ${plural(node, newTypes(node, entities).join(' | '))}`];
    return [
      `${printPropertyName(name)}?: ${plural(node, reference)}`,
      `${printString(`${name}@odata.bind`)}?: ${collection ? 'string[]' : 'string'}`,
    ];
  });
}

/** Imports of the entity types that values lead to, and of the bodies of those that they contain. */
export function navigationImports(complex: ComplexNode, entities: readonly EntityNode[]): readonly StatementStructures[] {
  const used = complex.navigation.flatMap((node): readonly (readonly [EntityNode, string])[] => {
    const target = targetNode(node, entities);
    const read = target === undefined || node.inherited ? [] : [[target, target.typeName] as const];
    return [...read, ...(node.contains ? newNodes(node, entities).map((entity) => [entity, newType(entity, entities)] as const) : [])];
  });
  return [...new Set(used.map(([{ folder }]) => folder))].map((folder) =>
    typeImport(
      `../${folder}/types.js`,
      ...new Set(used.filter(([entity]) => entity.folder === folder).map(([, name]) => name.replace(/^Partial<(.*)>$/, '$1'))),
    ),
  );
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
