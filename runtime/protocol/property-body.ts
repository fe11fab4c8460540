import { isObject, type Json, type JsonObject } from '../json/json.js';
import { typeMember } from '../plan/value/plan-complex.js';
import type { PropertyPath } from '../plan/write/stored-path.js';

/** A body that sets one property, so that every rule of an update holds; an item is alone in its collection; values of derived types say so, and one that the type does not declare may say its own. */
export function bodyOf({ names, casts }: PropertyPath, json: Json, said?: Json): JsonObject {
  return names.reduceRight<Json>(
    (inner, name, index) => {
      if (typeof name === 'number') return { kind: 'array', items: [inner] };
      const cast = casts.get(index);
      const marked = cast === undefined ? [] : [[typeMember, `#${cast}`] as const];
      const typed = said === undefined || index < names.length - 1 ? [] : [[`${name}${typeMember}`, said] as const];
      return { kind: 'object', members: new Map<string, Json>([...marked, ...typed, [name, inner]]) };
    },
    typedValue(json, casts.get(names.length)),
  ) as JsonObject; // A path begins with a name.
}

// What is sent to the address of a value behind a cast is of that type, unless it says its own.
function typedValue(json: Json, cast: string | undefined): Json {
  if (cast === undefined || json === null || !isObject(json) || json.members.has(typeMember) || json.members.has('@type')) return json;
  return { kind: 'object', members: new Map([[typeMember, `#${cast}`], ...json.members]) };
}
