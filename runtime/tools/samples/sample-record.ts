import {
  fieldOf,
  isDirect,
  propertyOf,
  targetOf,
  type AnyNavigation,
  type EntityContainer,
  type EntityType,
  type Navigation,
} from '../../edm/index.js';
import { anyNameOf, fieldWithin, stepsOf } from '../../plan/path/nested-path.js';
import type { Json, JsonObject } from '../../json/json.js';
import { armsOf } from '../../plan/any-navigation.js';
import { isOwnColumn, linkingProperties } from '../../plan/linking-columns.js';
import { editItems } from '../../plan/write/item-links.js';
import { keyIndex } from './key-room.js';
import { withoutItems, withoutValue } from './sample-left-out.js';
import { sampleValue } from './sample-value.js';

/** The id of the record that a navigation property of a sample leads to, as a body says it; undefined for none. */
type ReferTo = (target: EntityType) => string | undefined;

/** The body that creates a sample of a type: every property that a client may set, and every reference that there is a record for, those of items too. */
export function sampleBody(type: EntityType, index: number, container: EntityContainer, referTo: ReferTo, depth = 0): JsonObject {
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
  for (const [name, any] of Object.entries(type.anyNavigation ?? {}).filter(
    ([one, { type: back }]) => isDirect(one) && back === undefined,
  )) {
    const said = bindingOfAny(type, any, { container, index, referTo });
    if (said !== undefined) members.set(`${name}@odata.bind`, said);
  }
  for (const [name, field] of Object.entries(type.fields)) {
    if (!related.has(name) && isSettable(type, name))
      members.set(name, sampleValue(field, { container, name, ...placeOf(type, name, index), depth: 0 }));
  }
  const sampleOf = (target: EntityType): JsonObject | undefined =>
    target.abstract || depth > 1 ? undefined : sampleBody(target, index, container, referTo, depth + 1);
  if (depth > 0) addContained(type, members, container, sampleOf);
  const body = withinValues(type, { kind: 'object', members }, { container, index, referTo });
  return withItems(type, body, container, { index, referTo, sampleOf });
}

interface References {
  readonly container: EntityContainer;
  readonly index: number;
  readonly referTo: ReferTo;
}

// Samples lead to records of one type after the other.
function bindingOfAny(type: EntityType, any: AnyNavigation, { container, index, referTo }: References): Json | undefined {
  const arms = armsOf(type, any, container);
  const [id] = arms.flatMap((_, place) => arms[(place + index) % arms.length] ?? []).flatMap(({ target }) => referTo(target) ?? []);
  return id !== undefined && any.collection ? { kind: 'array', items: [id] } : id;
}

/** What complex values cannot be without leads to a record there is; a value that leads to none is left out where it may be. */
function withinValues(type: EntityType, body: JsonObject, references: References): JsonObject {
  const { container, referTo } = references;
  const single = neededWithin(type, container).map(({ path, target }) => ({ path, said: referTo(target) }));
  const any = Object.entries(type.anyNavigation ?? {})
    .filter(([path, { required }]) => required && !isDirect(path))
    .map(([path, one]) => ({ path, said: bindingOfAny(type, one, references) }));
  return [...single, ...any].reduce<JsonObject>(
    (before, { path, said }) =>
      said === undefined
        ? withoutValue(type, before, path, container)
        : editItems(type, before, path, { container }, (value) => withMember(value, `${stepsOf(path).name}@odata.bind`, said)),
    body,
  );
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

// What an item contains comes with all that it contains itself.
function addContained(type: EntityType, members: Map<string, Json>, container: EntityContainer, sampleOf: ItemSamples['sampleOf']): void {
  for (const [name, { target, collection, contains }] of Object.entries(type.navigation)) {
    const inner = targetOf(container, { target });
    const sample = contains && isDirect(name) && isCreatable(inner) ? sampleOf(inner) : undefined;
    if (sample) members.set(name, collection ? { kind: 'array', items: [sample] } : sample);
  }
}

function isCreatable({ contained, routes }: EntityType): boolean {
  return routes.some(({ operation }) =>
    contained === 'one' ? operation === 'updateEntity' || operation === 'replaceEntity' : operation === 'createEntity',
  );
}

/** What items lead to, and what they contain, which may have items of its own, but not for ever. */
interface ItemSamples {
  readonly index: number;
  readonly referTo: ReferTo;
  readonly sampleOf: (target: EntityType) => JsonObject | undefined;
}

function withItems(type: EntityType, body: JsonObject, container: EntityContainer, { index, referTo, sampleOf }: ItemSamples): JsonObject {
  const led = Object.entries(type.anyItemNavigation ?? {}).reduce<JsonObject>((before, [path, any]) => {
    const said = bindingOfAny(type, any, { container, index, referTo });
    if (said === undefined) return any.required ? withoutNeedy(type, before, path, container) : before;
    return editItems(type, before, path, { container }, (item) => withMember(item, `${stepsOf(path).name}@odata.bind`, said));
  }, body);
  return Object.entries(type.itemNavigation ?? {})
    .filter(([path]) => anyNameOf(type, path) === undefined)
    .reduce<JsonObject>((before, [path, navigation]) => {
      const target = targetOf(container, navigation);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const [joined = ''] = Object.keys(navigation.join);
      // A property that a constraint ties to another record has a key of its own making, which may be that of none.
      if (!joined.startsWith('#')) {
        if (navigation.required)
          return editItems(type, before, path, { container }, (item) =>
            withMember(item, joined, keyOf(target, navigation.join[joined] ?? '', index, container)),
          );
        return fieldWithin(type, `${path.slice(0, -name.length)}${joined}`, container)?.nullable
          ? editItems(type, before, path, { container }, (item) => without(item, joined))
          : before;
      }
      const said = navigation.contains === undefined ? referTo(target) : sampleOf(target);
      if (said === undefined) return navigation.required ? withoutNeedy(type, before, path, container) : before;
      const member = navigation.contains === undefined ? `${name}@odata.bind` : name;
      return editItems(type, before, path, { container }, (item) =>
        withMember(item, member, navigation.collection ? { kind: 'array', items: [said] } : said),
      );
    }, led);
}

// An item that leads nowhere and must is left out, with those beside it.
function withoutNeedy(type: EntityType, body: JsonObject, path: string, container: EntityContainer): JsonObject {
  const found: JsonObject[] = [];
  editItems(type, body, path, { container }, (item) => (found.push(item), item));
  return found.length > 0 ? withoutItems(body, path) : body;
}

// What the sample of the same place in the type's row has in its key.
function keyOf(target: EntityType, column: string, index: number, container: EntityContainer): Json {
  const name = propertyOf(target, column);
  const field = fieldOf(target, name);
  return field ? sampleValue(field, { container, name, ...placeOf(target, name, index), depth: 0 }) : null;
}

function withMember({ members }: JsonObject, name: string, value: Json): JsonObject {
  return { kind: 'object', members: new Map([...members, [name, value]]) };
}

function without({ members }: JsonObject, name: string): JsonObject {
  return { kind: 'object', members: new Map([...members].filter(([member]) => member !== name)) };
}

/** The navigation properties whose column is the record's own. */
export function ownReferences(
  type: EntityType,
  container: EntityContainer,
): readonly { readonly name: string; readonly navigation: Navigation; readonly target: EntityType }[] {
  return Object.entries(type.navigation)
    .map(([name, navigation]) => ({ name, navigation, target: targetOf(container, navigation) }))
    .filter(
      ({ name, navigation, target }) =>
        isOwnColumn(navigation, target) && !navigation.follows && !navigation.container && !navigation.nowhere && isDirect(name),
    );
}

// What the service gives is left to it, and a state begins where it begins.
function isSettable({ rules, key, keyGeneration }: EntityType, name: string): boolean {
  return !rules.computed.includes(name) && !rules.initialOnly.includes(name) && !(keyGeneration !== undefined && key.includes(name));
}
