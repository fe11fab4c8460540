import type { EntityContainer, EntityType, Field, Navigation, StructuredType } from '../../edm/index.js';
import { complexTypeNamed, complexTypeOf, fieldOf, generatedKeyProperty, isDirect, keyFieldOf, targetOf } from '../../edm/index.js';
import { namedMembers } from '../../expression/enum-members.js';
import { isObject, type Json, type JsonObject, jsonObject, withoutMembers } from '../../json/json.js';
import { isOwnColumn, linkingProperties } from '../../plan/path/navigation-join.js';
import { stepsOf, valueAlong } from '../../plan/path/nested-path.js';
import { sampleValue } from './sample-value.js';

/** The id of a sample's target, as in a body; undefined for none. */
type ReferTo = (target: EntityType) => string | undefined;

/** The body that creates a sample of a type: every property that a client may set, and every reference that there is a record for. */
export function sampleBody(type: EntityType, index: number, container: EntityContainer, referTo: ReferTo): JsonObject {
  const members = new Map<string, Json>();
  const related = new Set<string>();
  for (const { name, linking, target } of byColumns(type, container)) {
    // A reference over a column of another one has no target of its own: what it may lack of its columns is omitted.
    if (linking.some((property) => related.has(property))) {
      for (const property of linking) if (type.fields[property]?.nullable) related.add(property);
      continue;
    }
    const id = referTo(target);
    if (id !== undefined) members.set(`${name}@odata.bind`, id);
    for (const property of linking) related.add(property);
  }
  for (const [name, navigation] of Object.entries(type.navigation)) {
    // A many-to-many relation is set by the later of its two types.
    const id = navigation.through && isDirect(name) ? referTo(targetOf(container, navigation)) : undefined;
    if (id !== undefined) members.set(`${name}@odata.bind`, { kind: 'array', items: [id] });
  }
  for (const [name, field] of Object.entries(type.fields)) {
    if (!related.has(name) && isSettable(type, name))
      members.set(name, sampleValue(field, { container, name, owner: type.name, ...placeOf(type, name, index), depth: 0 }));
  }
  return withinValues(type, { kind: 'object', members }, container, referTo);
}

// The references with the most columns first: a flight determines its carrier, and the carrier of a booking no flight.
function byColumns(
  type: EntityType,
  container: EntityContainer,
): readonly { readonly name: string; readonly linking: readonly string[]; readonly target: EntityType }[] {
  return ownReferences(type, container)
    .map(({ name, navigation, target }) => ({ name, target, linking: linkingProperties(type, navigation, target) }))
    .sort((one, other) => other.linking.length - one.linking.length);
}

/** Required references of complex values get a target; a value without a target is omitted if possible. */
function withinValues(type: EntityType, body: JsonObject, container: EntityContainer, referTo: ReferTo): JsonObject {
  return neededWithin(type, container).reduce<JsonObject>((before, { path, target }) => {
    const id = referTo(target);
    return id === undefined ? withoutValue(type, before, path, container) : withBinding(before, path, id, container);
  }, body);
}

// The complex value on the path gets the binding, if the sample has it.
function withBinding(body: JsonObject, path: string, reference: Json, container: EntityContainer): JsonObject {
  const { steps, name } = stepsOf(path);
  if (valueAlong(body, steps, container) === undefined) return body;
  return steps
    .map((step) => step.name)
    .reduceRight(
      (edit, member) =>
        (value: JsonObject): JsonObject => {
          const inner = value.members.get(member) ?? null;
          return isObject(inner) ? withMember(value, member, edit(inner)) : value;
        },
      (value: JsonObject): JsonObject => withMember(value, `${name}@odata.bind`, reference),
    )(body);
}

/** The required navigation properties of complex values that no property of the value determines. */
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
  return jsonObject([...members, [name, value]]);
}

/** The navigation properties whose column is in the entity's table. */
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

// Generated values are omitted, and a state begins with its initial value.
function isSettable(type: EntityType, name: string): boolean {
  const { computed, initialOnly } = type.rules;
  return !computed.includes(name) && !initialOnly.includes(name) && (name !== generatedKeyProperty(type) || isRandomKey(type, name));
}

/** Whether the service generates a GUID for a property: samples have the one of the documentation's examples instead. */
export function isRandomKey(type: EntityType, name: string): boolean {
  return type.keyGeneration?.strategy === 'uuid' && name === generatedKeyProperty(type) && keyFieldOf(type, name)?.type === 'Edm.Guid';
}

/** The body of a sample without the complex value on a path, or an outer one, where the model permits null. */
function withoutValue(type: EntityType, body: JsonObject, path: string, container: EntityContainer): JsonObject {
  const { steps } = stepsOf(path);
  return valueAlong(body, steps, container) === undefined ? body : (leaveOut(type, body, steps, container) ?? body);
}

/** Whether an entity may lack the complex value on a path, or the value have another type. */
export function mayLeaveOut(type: EntityType, path: string, container: EntityContainer): boolean {
  let owner: StructuredType = type;
  for (const step of stepsOf(path).steps) {
    const field = fieldOf(owner, step.name);
    if (field === undefined || field.nullable || step.type !== undefined) return true;
    owner = complexTypeOf(container, field);
  }
  return false;
}

type Steps = ReturnType<typeof stepsOf>['steps'];

// The innermost that may be null.
function leaveOut(owner: StructuredType, object: JsonObject, [step, ...rest]: Steps, container: EntityContainer): JsonObject | undefined {
  const field = step && fieldOf(owner, step.name);
  const value = step && object.members.get(step.name);
  if (step === undefined || field === undefined || value === undefined || !isObject(value)) return undefined;
  const type = complexTypeNamed(container, step.type ?? '') ?? complexTypeOf(container, field);
  const inner = leaveOut(type, value, rest, container);
  if (inner) return withMember(object, step.name, inner);
  return field.nullable ? withoutMembers(object, (name) => name === step.name) : undefined;
}

/** The number of distinct keys of a type: the product of its key properties' values, if all have few; otherwise infinite. */
export function keyRoom(type: EntityType): number {
  return type.key.length === 0 ? Number.POSITIVE_INFINITY : type.key.reduce((room, name) => room * valuesOf(keyFieldOf(type, name)), 1);
}

/** The value's number of a key property in a sample: the digit of a mixed-radix number, so that two Booleans make four keys. */
function keyIndex(type: EntityType, name: string, index: number): number {
  if (keyRoom(type) === Number.POSITIVE_INFINITY) return index;
  const before = type.key.slice(0, type.key.indexOf(name));
  return Math.floor(index / before.reduce((room, other) => room * valuesOf(keyFieldOf(type, other)), 1));
}

function valuesOf(field: Field | undefined): number {
  if (field?.enumeration) return namedMembers(field.enumeration).length;
  if (field?.allowedValues) return field.allowedValues.length;
  const values = field && valuesOfType[field.type]?.(field);
  return values !== undefined && values <= mostOfFew ? values : Number.POSITIVE_INFINITY;
}

/** The most values that a type with few values has; others have enough for all samples. */
const mostOfFew = 2_000;

const valuesOfType: { readonly [Name in Field['type']]?: (field: Field) => number } = {
  'Edm.Boolean': () => 2,
  'Edm.SByte': () => 128,
  'Edm.Byte': () => 256,
  'Edm.Decimal': ({ precision = 9, scale = 0 }) => 10 ** Math.max(precision - scale, 0),
  'Edm.String': ({ maxLength = 255 }) => 36 ** maxLength - 1,
};
