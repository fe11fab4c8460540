import type { EntityContainer, EntityType, StoredRecord } from '../../edm/index.js';
import { columnOf, isDirect, keyColumnOf, keyFieldOf, own, primitives } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { withArticle, excerpt } from '../../errors/suggest.js';
import type { ErrorDetail, ODataError } from '../../errors/odata-error.js';
import { isObject, type Json, type JsonObject, printJson, jsonObject, withoutMembers } from '../../json/json.js';
import type { MemberPlan } from './write-plan.js';
import { entityTypeNamed, isTypeOrBase, typesWithin } from '../path/derivation.js';
import { stepsOf, valueAlong } from '../path/nested-path.js';
import type { RecordTarget } from '../path/path-target.js';
import { planKeySegments } from '../path/plan-key.js';
import type { KeyCondition } from '../typed-expr.js';
import { statedType } from '../value/control-information.js';
import { describeJson, type JsonFormat, planValue } from '../value/plan-value.js';
import { typeInUrl } from '../../edm/lookup.js';
import { memoized } from '../../edm/memoized.js';

/** The type of a new entity: its `@odata.type`, or else the declared type (JSON format 4.5.3). */
export function createdType(
  declared: EntityType,
  body: JsonObject,
  container: EntityContainer,
): { readonly type: EntityType; readonly faults: readonly ErrorDetail[] } {
  const { type = declared, fault } = resolveType(declared, body, container);
  const why = fault ?? (type.abstract ? abstractFault(type, container) : undefined);
  return { type, faults: detailOf(why) };
}

/** The fault of an update with another type than the entity's, which cannot change. */
export function statedFaults(actual: EntityType, body: JsonObject, container: EntityContainer): readonly ErrorDetail[] {
  const { type, fault } = resolveType(actual, body, container);
  const changed =
    type !== undefined && type !== actual
      ? errors.readOnly('@odata.type', `the record is ${withArticle(actual.qualifiedName)}, and its type cannot change`)
      : undefined;
  return detailOf(fault ?? changed);
}

function detailOf(why: ODataError | undefined): readonly ErrorDetail[] {
  return why === undefined ? [] : [why.asDetail('@odata.type')];
}

interface Stated {
  readonly type?: EntityType;
  readonly fault?: ODataError;
}

function resolveType(declared: EntityType, { members }: JsonObject, container: EntityContainer): Stated {
  const sent = statedType(members);
  if (sent === undefined) return {};
  if (typeof sent !== 'string') return { fault: errors.wrongJsonType('@odata.type', 'a string', describeJson(sent)) };
  const name = typeInUrl(sent);
  const type = entityTypeNamed(container, name, declared);
  if (type && isTypeOrBase(type, declared.qualifiedName)) return { type };
  // A base type is consistent with the known type.
  if (type ? isTypeOrBase(declared, type.qualifiedName) : declared.baseTypes?.includes(name)) return {};
  const names = typesWithin(declared, container).map(({ qualifiedName }) => `#${qualifiedName}`);
  return { fault: errors.invalidValue(excerpt(sent), '@odata.type', `: here it can be ${names.join(', ')}`) };
}

function abstractFault(type: EntityType, container: EntityContainer): ODataError {
  const names = typesWithin(type, container).map(({ qualifiedName }) => `#${qualifiedName}`);
  const what =
    names.length === 0
      ? 'and has no derived type, so no record can have it'
      : `so @odata.type must specify the type of the record: ${names.join(', ')}`;
  return errors.missingRequired('@odata.type', `${type.qualifiedName} is abstract, ${what}.`);
}

/** The key properties in a body, as conditions by property. */
export type BodyKey = ReadonlyMap<string, KeyCondition>;

interface BodyContext {
  readonly container: EntityContainer;
  readonly format: JsonFormat;
}

/** The key properties in a body; an impossible value counts as absent. */
export function bodyKey(type: EntityType, { members }: JsonObject, context: BodyContext): BodyKey {
  return new Map(
    type.key.flatMap((name) => {
      const condition = keyCondition(
        type,
        name,
        type.keyFields ? memberAt(members, own(type.keyFields, name)?.path ?? name) : members.get(name),
        context,
      );
      return condition ? [[name, condition] as const] : [];
    }),
  );
}

// A key property may be nested in a complex value.
function memberAt(members: JsonObject['members'], path: string): Json | undefined {
  const [name = '', ...names] = path.split('/');
  return names.reduce<Json | undefined>(
    (json, inner) => (json !== undefined && isObject(json) ? json.members.get(inner) : undefined),
    members.get(name),
  );
}

function keyCondition(type: EntityType, name: string, json: Json | undefined, context: BodyContext): KeyCondition | undefined {
  const { container, format } = context;
  const field = keyFieldOf(type, name);
  const planned = field && json !== undefined ? planValue(name, field, json, format) : undefined;
  if (field === undefined || planned === undefined || !('value' in planned) || typeof planned.value !== 'string') return undefined;
  if (!type.keyGeneration?.acceptGeneratedPart)
    return { column: keyColumnOf(type, name), sqlType: primitives[field.type].sql, value: planned.value };
  // A generated key has two forms, and is looked up by its number.
  const key = planKeySegments(type, [planned.value], container).key;
  return key === 'none' ? undefined : key[0];
}

/** The members of complex values for navigation properties, by their full path: `Address/Country@odata.bind`. */
export function nestedMembers(
  type: EntityType,
  body: JsonObject,
  container: EntityContainer,
): readonly (readonly [name: string, json: Json])[] {
  return nestedPaths(type).flatMap((path) => {
    const { steps, name } = stepsOf(path);
    const value = valueAlong(body, steps, container);
    const found = value === undefined ? [] : [...value.members].filter(([member]) => isOrAnnotates(member, name));
    return found.map(([member, json]) => [path.slice(0, path.length - name.length) + member, json] as const);
  });
}

/** The body without members for nested navigation properties. */
export function withoutNested(type: EntityType, body: JsonObject, container: EntityContainer): JsonObject {
  return nestedPaths(type).reduce((before, path) => {
    const { steps, name } = stepsOf(path);
    return valueAlong(body, steps, container) === undefined ? before : without(before, [...steps.map((step) => step.name), name]);
  }, body);
}

// Most types have none.
const nestedPaths = memoized(({ navigation }: EntityType) => Object.keys(navigation).filter((name) => !isDirect(name)));

function isOrAnnotates(member: string, name: string): boolean {
  return member === name || member.startsWith(`${name}@`);
}

function without(body: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  if (rest.length === 0) return withoutMembers(body, (member) => isOrAnnotates(member, name));
  const inner = body.members.get(name) ?? null;
  return isObject(inner) ? jsonObject([...body.members, [name, without(inner, rest)]]) : body;
}

/** Whether an object is only an id, and so an entity reference (JSON format 14). */
export function isReference({ members }: JsonObject): boolean {
  return idOf({ members }) !== undefined && [...members.keys()].every((name) => name.startsWith('@'));
}

/** The id of an object. */
export function idOf({ members }: Pick<JsonObject, 'members'>): string | undefined {
  const id = members.get('@odata.id') ?? members.get('@id');
  return typeof id === 'string' ? id : undefined;
}

/** Whether an object is a removed entity (JSON format 15.3), and the reason. */
export function removalOf({ members }: JsonObject): MemberPlan['removed'] {
  const removed = members.get('@removed') ?? members.get('@odata.removed');
  if (removed === undefined || !isObject(removed)) return undefined;
  return removed.members.get('reason') === 'deleted' ? 'deleted' : 'changed';
}

/** The faults of a removed entity in another form. */
export function removalFaults({ members }: JsonObject, at: string): readonly ErrorDetail[] {
  const removed = members.get('@removed') ?? members.get('@odata.removed');
  if (removed === undefined) return [];
  const reason = isObject(removed) ? (removed.members.get('reason') ?? 'changed') : undefined;
  if (reason === 'deleted' || reason === 'changed') return [];
  return [
    errors
      .invalidValue(
        typeof reason === 'string' ? reason.slice(0, 64) : 'another type',
        '@removed',
        `: it must be {"reason":"changed"} or {"reason":"deleted"}`,
      )
      .asDetail(`${at}.@removed`),
  ];
}

const names = ['@Core.ContentID', '@Org.OData.Core.V1.ContentID'] as const;

/** The ContentID of an object (protocol 11.4.2.2, JSON format 15.7). */
export function contentIdOf({ members }: JsonObject): string | undefined {
  const name = names.find((one) => members.has(one));
  return name && `${JSON.stringify(name)}:${printJson(members.get(name) ?? null)}`;
}

/** The key of an address as values of a new entity; none for a singleton or a single contained entity. */
export function keyValues(type: EntityType, { key }: Pick<RecordTarget, 'key'>): StoredRecord {
  if (type.singleton !== undefined || type.contained === 'one') return new Map();
  return new Map(type.key.map((name) => [name, key.find(({ column }) => column === columnOf(type, name))?.value ?? null]));
}
