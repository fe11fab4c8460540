import type { EntityNode, NavigationNode } from '../graph/model-graph.js';
import type { Member } from './body-interfaces.js';
import type { TypeUse } from './complex-uses.js';
import { docText } from './describe.js';
import { isCreatedByJson } from './entity-kinds.js';
import { docs } from './extra-members.js';
import { printPropertyName, printString } from './print-literal.js';

/** An existing entity, by its address (JSON format 14). */
export const reference = "{ '@odata.id': string }";

/**
 * The single-valued navigation properties that a body sets, because no property of the entity determines the target.
 */
function settable({ navigation }: EntityNode): readonly NavigationNode[] {
  return navigation.filter(
    ({ name, navigation: { join, collection, container, contains, follows, mirrors } }) =>
      !name.includes('/') &&
      mirrors === undefined &&
      follows === undefined &&
      !(collection || container || contains) &&
      Object.keys(join).every((column) => column.startsWith('#') && column !== '#id'),
  );
}

/** The navigation properties without which no entity is created. */
export function requiredReferences(entity: EntityNode): readonly NavigationNode[] {
  return settable(entity).filter(({ navigation }) => navigation.required);
}

/** The members of a create that refer to entities, or have new ones: the optional ones, and the two forms of each required one. */
export function createReferences(
  entity: EntityNode,
  entities: readonly EntityNode[],
): { readonly members: readonly Member[]; readonly choices: readonly (readonly Member[])[] } {
  const forms = (node: NavigationNode): readonly Member[] =>
    formsOf(node, [...newTypes(node, entities).map(([, name]) => name), reference]);
  return {
    members: settable(entity)
      .filter(({ navigation }) => !navigation.required)
      .flatMap(forms),
    choices: requiredReferences(entity).map(forms),
  };
}

/** The members of an update that refer to entities. */
export function updateReferences(entity: EntityNode): readonly Member[] {
  return settable(entity).flatMap((node) => formsOf(node, [reference]));
}

function formsOf({ name, description, nullable, navigation: { required } }: NavigationNode, types: readonly string[]): readonly Member[] {
  const type = [...types, ...(nullable && !required ? ['null'] : [])].join(' | ');
  return [
    { name: printPropertyName(name), hasQuestionToken: true, type, docs: docs(docText(description)) },
    {
      name: printString(`${name}@odata.bind`),
      hasQuestionToken: true,
      type: 'string',
      docs: docs(docText(`The address of ${name}, as OData 4.0 has it`)),
    },
  ];
}

/** The types that creates use of other entity types. */
export function referenceUses(entity: EntityNode, entities: readonly EntityNode[]): readonly TypeUse[] {
  return settable(entity).flatMap((node) => newTypes(node, entities));
}

// A new entity is created in the target set.
function newTypes({ navigation: { target } }: NavigationNode, entities: readonly EntityNode[]): readonly TypeUse[] {
  const found = entities.find(({ name }) => name === target);
  if (found === undefined || found.place?.kind !== 'EntitySet' || !isCreatedByJson(found)) return [];
  const type = found.first ?? found;
  return [[type, type.derived.create]];
}
