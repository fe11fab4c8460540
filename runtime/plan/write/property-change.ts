import { complexTypeNamed, complexTypeOf, fieldOf, qualify } from '../../edm/index.js';
import { type EntityContainer } from '../../edm/entity-container.js';
import { type EntityType } from '../../edm/entity-type.js';
import { type Field } from '../../edm/field.js';
import { type StoredRecord, type StoredValue } from '../../edm/extension.js';
import { errors } from '../../errors/catalogue.js';
import type { ODataError } from '../../errors/odata-error.js';
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.js';
import { parseValue } from '../../json/parse-json.js';
import { typeMember, typeOfStored } from '../value/plan-complex.js';
import { planDynamic } from '../value/plan-dynamic.js';
import { type DynamicContext, mergeMembers, withDynamic } from './merge-complex.js';

/** The names of a path to a property, each with the type cast before it. */
export interface PropertyPath {
  readonly names: readonly string[];
  readonly casts: ReadonlyMap<number, string>;
}

/** Splits a path such as `Seat/Firm.UsAddress/State`. */
export function propertyPath(path: string): PropertyPath {
  const names: string[] = [];
  const casts = new Map<number, string>();
  for (const part of path.split('/')) {
    if (part.includes('.')) casts.set(names.length, part);
    else names.push(part);
  }
  return { names, casts };
}

/** A path through a stored entity, with the number of items at its end. */
interface StoredPath extends PropertyPath {
  readonly count: number;
}

/** The path with the types of the stored values; throws if a value does not have a cast's type. */
export function storedPath({ names, casts }: PropertyPath, type: EntityType, record: StoredRecord, container: EntityContainer): StoredPath {
  const [root = '', ...inner] = names;
  let field = fieldOf(type, root);
  let json = storedJson(field, record.get(root));
  const actual = new Map<number, string>();
  for (const [index, name] of [...inner.entries(), [inner.length, undefined] as const]) {
    const cast = casts.get(index + 1);
    const complex =
      field?.type === 'Edm.ComplexType' && isObject(json) ? typeOfStored(complexTypeOf(container, field), json, container) : undefined;
    if (cast !== undefined) {
      if (complex === undefined || !isOrDerives(complex.qualifiedName, qualify(container, cast), container))
        throw errors.notFound(`${cast} at this position`).at(cast);
      actual.set(index + 1, complex.qualifiedName);
    }
    if (name === undefined) break;
    field = complex && fieldOf(complex, name);
    json = isObject(json) ? (json.members.get(name) ?? null) : null;
  }
  return { names, casts: actual, count: isArray(json) ? json.items.length : 0 };
}

// Arrays and single primitive values are in the database's text form; the latter have nothing nested.
function storedJson(field: Field | undefined, value: StoredValue | undefined): Json {
  if (typeof value !== 'string') return value ? { kind: 'array', items: value } : null;
  return field?.type === 'Edm.ComplexType' || field?.collection ? parseValue(value) : null;
}

function isOrDerives(name: string, base: string, container: EntityContainer): boolean {
  return name === base || (complexTypeNamed(container, base)?.derived.includes(name) ?? false);
}

/** A change at the address of a dynamic property, or of a value nested in one. */
export interface DynamicChange {
  readonly kind: 'set' | 'merge' | 'append';
  readonly json: Json;
  /** The type that the body gives the value. */
  readonly said?: Json;
}

/** The path of the changed value: its names, and the path of the object with the first one, for messages. */
interface DynamicPath {
  readonly names: readonly [string, ...string[]];
  readonly within: string;
}

/** The members with a change at a path (protocol 11.4.9). */
export function changedMembers(
  stored: JsonObject['members'],
  { names: [name, next, ...rest], within }: DynamicPath,
  change: DynamicChange,
  context: DynamicContext,
): JsonObject['members'] {
  if (next === undefined) return changed({ stored, name, within }, change, context);
  const path = within === '' ? name : `${within}/${name}`;
  const inner = stored.get(name) ?? null;
  if (!isObject(inner)) throw errors.notFound(`${next} within ${path}: it is not an object`);
  return new Map([
    ...stored,
    [name, { kind: 'object', members: changedMembers(inner.members, { names: [next, ...rest], within: path }, change, context) }],
  ]);
}

interface ChangedPlace {
  readonly stored: JsonObject['members'];
  readonly name: string;
  readonly within: string;
}

// A new value is checked against its type; items of a typed collection keep the common type.
function changed(
  { stored, name, within }: ChangedPlace,
  { kind, json, said }: DynamicChange,
  context: DynamicContext,
): JsonObject['members'] {
  const path = within === '' ? name : `${within}/${name}`;
  const type = said ?? (kind === 'set' ? undefined : stored.get(`${name}${typeMember}`));
  const value = kind === 'append' ? appended(stored.get(name) ?? null, json, path) : json;
  const changes = new Map<string, Json>([...(type === undefined ? [] : [[`${name}${typeMember}`, type] as const]), [name, value]]);
  if (kind === 'merge') return requireSound(mergeMembers(within, stored, changes, context));
  const { members, faults } = planDynamic({ path, name, members: changes }, { ...context, partial: false });
  return requireSound({ members: withDynamic(stored, new Map(members)), faults });
}

function appended(stored: Json, added: Json, path: string): Json {
  if (!isArray(stored) || !isArray(added))
    throw errors.typeMismatch(`${path} is not a collection, to which POST adds an item; PUT sets its value.`).at(path);
  return { kind: 'array', items: [...stored.items, ...added.items] };
}

function requireSound({
  members,
  faults,
}: {
  readonly members: JsonObject['members'];
  readonly faults: readonly ODataError[];
}): JsonObject['members'] {
  if (faults.length > 0) throw errors.notSaved('property').with(faults.map((fault) => fault.asDetail()));
  return members;
}
