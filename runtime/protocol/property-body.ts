import { complexTypeNamed, complexTypeOf, fieldOf, qualify, type EntityContainer, type EntityType } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { typeMember, typeOfStored } from '../plan/value/plan-complex.js';
import type { LockedRecord } from '../store/stored-record.js';

/** The names of a path to a property, and for each of them the type that a cast in front of it says. */
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

/** A body that sets one property, so that every rule of an update holds; values of derived types say so, and one that the type does not declare may say its own. */
export function bodyOf({ names, casts }: PropertyPath, json: Json, said?: Json): JsonObject {
  return names.reduceRight<Json>((inner, name, index) => {
    const cast = casts.get(index);
    const marked = cast === undefined ? [] : [[typeMember, `#${cast}`] as const];
    const typed = said === undefined || index < names.length - 1 ? [] : [[`${name}${typeMember}`, said] as const];
    return { kind: 'object', members: new Map<string, Json>([...marked, ...typed, [name, inner]]) };
  }, typedValue(json, casts.get(names.length))) as JsonObject; // A path has one name at least.
}

// What is sent to the address of a value behind a cast is of that type, unless it says its own.
function typedValue(json: Json, cast: string | undefined): Json {
  if (cast === undefined || json === null || !isObject(json) || json.members.has(typeMember) || json.members.has('@type')) return json;
  return { kind: 'object', members: new Map([[typeMember, `#${cast}`], ...json.members]) };
}

/** The path with the types that the stored values are of; where one is not of the type that a cast says, there is no such property. */
export function storedCasts({ names, casts }: PropertyPath, type: EntityType, { record }: Pick<LockedRecord, 'record'>, container: EntityContainer): PropertyPath {
  const [root = ''] = names;
  const stored = record.get(root);
  let json: Json = typeof stored === 'string' ? parseJsonObject(Buffer.from(stored)) : null;
  let field = fieldOf(type, root);
  const actual = new Map<number, string>();
  for (const [index, name] of [...names, ''].entries()) {
    if (index === 0) continue;
    const cast = casts.get(index);
    const complex = field && isObject(json) ? typeOfStored(complexTypeOf(container, field), json, container) : undefined;
    if (cast !== undefined && (complex === undefined || !isOrDerives(complex.qualifiedName, qualify(container, cast), container))) throw errors.notFound(`${cast} at this place`).at(cast);
    if (cast !== undefined && complex !== undefined) actual.set(index, complex.qualifiedName);
    field = complex && fieldOf(complex, name);
    json = isObject(json) ? (json.members.get(name) ?? null) : null;
  }
  return { names, casts: actual };
}

function isOrDerives(name: string, base: string, container: EntityContainer): boolean {
  return name === base || (complexTypeNamed(container, base)?.derived.includes(name) ?? false);
}
