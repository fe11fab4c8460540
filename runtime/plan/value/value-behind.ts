import { isOfComplexType, type EntityContainer } from '../../edm/index.js';
import type { stepsOf } from '../path/nested-path.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

/** The complex value that steps lead to, where there is one and it is of the types that they say; of a body as of what is stored. */
export function valueBehind(json: Json, steps: ReturnType<typeof stepsOf>['steps'], container: EntityContainer): JsonObject | undefined {
  let value = json;
  for (const { name, type } of steps) {
    const inner: Json = isObject(value) ? (value.members.get(name) ?? null) : null;
    // What says no type is of the declared one, and a step names only types that derive from it.
    if (
      type !== undefined &&
      !isOfComplexType(isObject(inner) ? (inner.members.get('@odata.type') ?? inner.members.get('@type')) : undefined, type, container)
    )
      return undefined;
    value = inner;
  }
  return isObject(value) ? value : undefined;
}
