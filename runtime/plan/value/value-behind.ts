import { complexTypeNamed, qualify, type EntityContainer, type stepsOf } from '../../edm/index.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

/** The complex value that steps lead to, where there is one and it is of the types that they say; of a body as of what is stored. */
export function valueBehind(json: Json, steps: ReturnType<typeof stepsOf>['steps'], container: EntityContainer): JsonObject | undefined {
  let value = json;
  for (const { name, type } of steps) {
    const inner: Json = isObject(value) ? (value.members.get(name) ?? null) : null;
    if (type !== undefined && !isOfType(inner, type, container)) return undefined;
    value = inner;
  }
  return isObject(value) ? value : undefined;
}

// What says no type is of the declared one, and a step names only types that derive from it.
function isOfType(json: Json, type: string, container: EntityContainer): boolean {
  const said = isObject(json) ? (json.members.get('@odata.type') ?? json.members.get('@type')) : undefined;
  if (typeof said !== 'string') return false;
  const name = qualify(container, said.slice(said.lastIndexOf('#') + 1));
  return name === type || (complexTypeNamed(container, type)?.derived.includes(name) ?? false);
}
