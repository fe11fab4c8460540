import { isOfComplexType, type EntityContainer } from '../../edm/index.js';
import type { stepsOf } from '../path/nested-path.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

/**
 * The complex value after a path of steps, if it exists with the types of the steps' casts; of a body or of stored
 * JSON.
 */
export function valueAlong(json: Json, steps: ReturnType<typeof stepsOf>['steps'], container: EntityContainer): JsonObject | undefined {
  let value = json;
  for (const { name, type } of steps) {
    const inner: Json = isObject(value) ? (value.members.get(name) ?? null) : null;
    // Without `@odata.type` the value has the declared type, and a step's cast is to a derived one.
    if (
      type !== undefined &&
      !isOfComplexType(isObject(inner) ? (inner.members.get('@odata.type') ?? inner.members.get('@type')) : undefined, type, container)
    )
      return undefined;
    value = inner;
  }
  return isObject(value) ? value : undefined;
}
