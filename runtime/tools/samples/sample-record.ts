import { isDirect, targetOf, type EntityContainer, type EntityType, type Navigation } from '../../edm/index.js';
import { stepsOf } from '../../plan/path/nested-path.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { isOwnColumn, linkingProperties } from '../../plan/linking-columns.js';
import { valueBehind } from '../../plan/value/value-behind.js';
import { keyIndex } from './key-room.js';
import { withoutValue } from './sample-left-out.js';
import { sampleValue } from './sample-value.js';

/** The id of the record that a navigation property of a sample leads to, as a body says it; undefined for none. */
type ReferTo = (target: EntityType) => string | undefined;

/** The body that creates a sample of a type: every property that a client may set, and every reference that there is a record for. */
export function sampleBody(type: EntityType, index: number, container: EntityContainer, referTo: ReferTo): JsonObject {
  const members = new Map<string, Json>();
  const related = new Set<string>();
  for (const { name, navigation, target } of ownReferences(type, container)) {
    const linking = linkingProperties(type, navigation, target);
    // Two navigation properties over one column lead to the same record, and one of them says so.
    if (linking.some((property) => related.has(property))) continue;
    const id = referTo(target);
    if (id !== undefined) members.set(`${name}@odata.bind`, id);
    for (const property of linking) related.add(property);
  }
  for (const [name, navigation] of Object.entries(type.navigation)) {
    // Of two types whose records are related many to many, the later one relates them.
    const id = navigation.through && isDirect(name) ? referTo(targetOf(container, navigation)) : undefined;
    if (id !== undefined) members.set(`${name}@odata.bind`, { kind: 'array', items: [id] });
  }
  for (const [name, field] of Object.entries(type.fields)) {
    if (!related.has(name) && isSettable(type, name))
      members.set(name, sampleValue(field, { container, name, ...placeOf(type, name, index), depth: 0 }));
  }
  return withinValues(type, { kind: 'object', members }, { container, referTo });
}

interface References {
  readonly container: EntityContainer;
  readonly referTo: ReferTo;
}

/** What complex values cannot be without leads to a record there is; a value that leads to none is left out where it may be. */
function withinValues(type: EntityType, body: JsonObject, { container, referTo }: References): JsonObject {
  return neededWithin(type, container).reduce<JsonObject>((before, { path, target }) => {
    const id = referTo(target);
    return id === undefined ? withoutValue(type, before, path, container) : withBinding(before, path, id, container);
  }, body);
}

// The complex value that the path leads on from gets the binding, where the sample has the value.
function withBinding(body: JsonObject, path: string, said: Json, container: EntityContainer): JsonObject {
  const { steps, name } = stepsOf(path);
  if (valueBehind(body, steps, container) === undefined) return body;
  return steps
    .map((step) => step.name)
    .reduceRight(
      (edit, member) =>
        (value: JsonObject): JsonObject => {
          const inner = value.members.get(member) ?? null;
          return isObject(inner) ? withMember(value, member, edit(inner)) : value;
        },
      (value: JsonObject): JsonObject => withMember(value, `${name}@odata.bind`, said),
    )(body);
}

/** The navigation properties of complex values that must lead to a record, where no property of the value says to which. */
export function neededWithin(
  type: EntityType,
  container: EntityContainer,
): readonly { readonly path: string; readonly target: EntityType }[] {
  return Object.entries(type.navigation)
    .filter(
      ([path, { required, join, follows }]) =>
        required && follows === undefined && !isDirect(path) && Object.keys(join).every((column) => column.startsWith('#')),
    )
    .map(([path, navigation]) => ({ path, target: targetOf(container, navigation) }));
}

function placeOf(type: EntityType, name: string, index: number): { readonly index: number; readonly isKey: boolean } {
  const isKey = type.key.includes(name);
  return { index: isKey ? keyIndex(type, name, index) : index, isKey };
}

function withMember({ members }: JsonObject, name: string, value: Json): JsonObject {
  return { kind: 'object', members: new Map([...members, [name, value]]) };
}

/** The navigation properties whose column is the record's own. */
export function ownReferences(
  type: EntityType,
  container: EntityContainer,
): readonly { readonly name: string; readonly navigation: Navigation; readonly target: EntityType }[] {
  return Object.entries(type.navigation)
    .map(([name, navigation]) => ({ name, navigation, target: targetOf(container, navigation) }))
    .filter(
      ({ name, navigation, target }) => isOwnColumn(navigation, target) && !navigation.follows && !navigation.container && isDirect(name),
    );
}

// What the service gives is left to it, and a state begins where it begins.
function isSettable({ rules, key, keyGeneration }: EntityType, name: string): boolean {
  return !rules.computed.includes(name) && !rules.initialOnly.includes(name) && !(keyGeneration !== undefined && key.includes(name));
}
