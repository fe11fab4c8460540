import { memoized } from '../../runtime/edm/memoized.js';
import type { EntityNode, NavigationNode } from '../graph/model-graph.js';
import { printChoice, type Member, type TypeUse } from './body-interfaces.js';
import { docText } from './describe.js';
import { createdAt } from './entity-kinds.js';
import { nestedCreates, settable, type NestedCreate } from './nested-creates.js';
import { printPropertyName, printString } from './print-literal.js';
import { union, docs } from './property-types.js';

/** An existing entity, by its address (JSON format 14). */
export const reference = "{ '@odata.id': string }";

/** The navigation properties without which no entity is created. */
export function requiredReferences(entity: EntityNode): readonly NavigationNode[] {
  return settable(entity).filter(({ navigation }) => navigation.required);
}

/** The members of a create that refer to entities, or have new ones: the optional ones, and the two forms of each required one. */
export function createReferences(
  entity: EntityNode,
  entities: readonly EntityNode[],
): { readonly members: readonly Member[]; readonly choices: readonly (readonly Member[])[] } {
  const required = new Set(requiredReferences(entity));
  const forms = nestedCreates(entity, entities).map((nested) => ({ nested, forms: nestedForms(nested, entities) }));
  return {
    members: forms.filter(({ nested }) => !required.has(nested.node)).flatMap((each) => each.forms),
    choices: forms.filter(({ nested }) => required.has(nested.node)).map((each) => each.forms),
  };
}

function nestedForms(nested: NestedCreate, entities: readonly EntityNode[]): readonly Member[] {
  const types = nested.creates.map((target) => nestedType(nested, target, entities));
  return formsOf(nested.node, types, nested.refers);
}

// A new entity below its parent does not refer to it. Omit has only the members that all forms of a type have, so that the
// other required references follow it.
function nestedType(nested: NestedCreate, target: EntityNode, entities: readonly EntityNode[]): string {
  const name = (target.first ?? target).derived.create;
  const { omitted, kept } = withoutParent(nested, target, entities);
  if (omitted.length === 0) return name;
  return [`Omit<${name}, ${union(omitted)}>`, ...kept.map((each) => printChoice(nestedForms(each, entities)))].join(' & ');
}

function withoutParent(
  { given }: NestedCreate,
  target: EntityNode,
  entities: readonly EntityNode[],
): { readonly omitted: readonly string[]; readonly kept: readonly NestedCreate[] } {
  const { members, required } = newMembers(target, entities);
  const omitted = given.filter((member) => members.has(member));
  return { omitted, kept: omitted.length === 0 ? [] : required.filter(({ node }) => !omitted.includes(node.name)) };
}

/** The names of all members of a new entity, and its required references. */
const newMembers = memoized((target: EntityNode, entities: readonly EntityNode[]) => {
  const created = createdAt(target.first ?? target, entities) ?? target;
  const references = nestedCreates(created, entities);
  const required = new Set(requiredReferences(created));
  return {
    members: new Set([...target.fields.map(({ name }) => name), ...references.flatMap(({ node }) => namesOf(node))]),
    required: references.filter(({ node }) => required.has(node)),
  };
});

/** The members of an update that refer to entities. */
export function updateReferences(entity: EntityNode): readonly Member[] {
  return settable(entity).flatMap((node) => formsOf(node, [], true));
}

const namesOf = ({ name }: NavigationNode): readonly [string, string] => [name, `${name}@odata.bind`];

function formsOf(node: NavigationNode, news: readonly string[], refers: boolean): readonly Member[] {
  const { description, nullable, navigation } = node;
  const [name, bind] = namesOf(node);
  const isMany = navigation.collection === true;
  const types = [...news, ...(refers ? [reference] : [])];
  const single = [...types, ...(nullable && !navigation.required ? ['null'] : [])].join(' | ');
  const many = types.length > 1 || types.join().includes(' & ') ? `(${types.join(' | ')})[]` : `${types.join()}[]`;
  const value = { name: printPropertyName(name), hasQuestionToken: true, type: isMany ? many : single, docs: docs(docText(description)) };
  if (!refers) return [value];
  const address = docs(docText(`The ${isMany ? 'addresses' : 'address'} of ${name}, as OData 4.0 has it`));
  return [value, { name: printString(bind), hasQuestionToken: true, type: isMany ? 'string[]' : 'string', docs: address }];
}

/** The types that creates use of other entity types. */
export function referenceUses(entity: EntityNode, entities: readonly EntityNode[]): readonly TypeUse[] {
  const nested = nestedCreates(entity, entities);
  const kept = nested.flatMap((each) => each.creates.flatMap((target) => withoutParent(each, target, entities).kept));
  return [...nested, ...kept].flatMap(({ creates }) =>
    creates.map((target): TypeUse => [target.first ?? target, (target.first ?? target).derived.create]),
  );
}
