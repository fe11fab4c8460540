import { isOfComplexType, type EntityContainer, type ValueWay } from '../edm/index.js';
import { isArray, isObject, type Json, type JsonObject } from './json.js';

/** Names and item ordinals that locate a value within an entity. */
type Names = readonly (string | number)[];

/** A value found at the end of a path. */
interface FoundValue {
  readonly names: Names;
  readonly json: JsonObject;
}

/**
 * The objects at the end of a path, one for each item of the collections on it; without a container the casts of the
 * path are ignored.
 */
export function valuesOn(json: Json, way: ValueWay, names: Names, container?: EntityContainer): readonly FoundValue[] {
  if (isArray(json)) return json.items.flatMap((item, index) => valuesOn(item, way, [...names, index], container));
  if (!isObject(json)) return [];
  const own = way.ends ? [{ names, json }] : [];
  const inner = [...way.names].flatMap(([name, next]) => valuesOn(json.members.get(name) ?? null, next, [...names, name], container));
  return [...own, ...inner, ...castsOf(json, way, container).flatMap(([, next]) => valuesOn(json, next, names, container))];
}

/** The further names of the path, given the type casts of the value. */
export function castsOf(
  { members }: JsonObject,
  { casts }: ValueWay,
  container?: EntityContainer,
): readonly (readonly [cast: string, next: ValueWay])[] {
  if (casts.size === 0) return [];
  const said = members.get('@odata.type') ?? members.get('@type');
  return [...casts].filter(([type]) => container === undefined || isOfComplexType(said, type, container));
}
