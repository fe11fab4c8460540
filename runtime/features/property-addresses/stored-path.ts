import type { EntityContainer, EntityType, Field, StoredRecord, StoredValue } from '../../edm/index.js';
import { complexTypeNamed, complexTypeOf, fieldOf, qualify } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { isArray, isObject, type Json, type JsonObject, jsonObject } from '../../json/json.js';
import { parseValue } from '../../json/parse-json.js';
import { typeMember } from '../../plan/value/control-information.js';
import { typeOfStored } from '../../plan/value/plan-complex.js';

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

/** A body that sets one property, so that all rules of an update apply; values of derived types carry their type. */
export function bodyOf({ names, casts }: PropertyPath, json: Json, stated?: Json): JsonObject {
  return names.reduceRight<Json>(
    (inner, name, index) => {
      const cast = casts.get(index);
      const marked = cast === undefined ? [] : [[typeMember, `#${cast}`] as const];
      const typed = stated === undefined || index < names.length - 1 ? [] : [[`${name}${typeMember}`, stated] as const];
      return jsonObject([...marked, ...typed, [name, inner]]);
    },
    typedValue(json, casts.get(names.length)),
  ) as JsonObject; // A path has at least one name.
}

// A value sent to an address with a type cast has that type, unless it has its own `@odata.type`.
function typedValue(json: Json, cast: string | undefined): Json {
  if (cast === undefined || json === null || !isObject(json) || json.members.has(typeMember) || json.members.has('@type')) return json;
  return jsonObject([[typeMember, `#${cast}`], ...json.members]);
}
