import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { typeMember } from '../../plan/value/plan-complex.js';
import type { PropertyPath } from './stored-path.js';

/** A body that sets one property, so that all rules of an update apply; values of derived types carry their type. */
export function bodyOf({ names, casts }: PropertyPath, json: Json, said?: Json): JsonObject {
  return names.reduceRight<Json>(
    (inner, name, index) => {
      const cast = casts.get(index);
      const marked = cast === undefined ? [] : [[typeMember, `#${cast}`] as const];
      const typed = said === undefined || index < names.length - 1 ? [] : [[`${name}${typeMember}`, said] as const];
      return { kind: 'object', members: new Map<string, Json>([...marked, ...typed, [name, inner]]) };
    },
    typedValue(json, casts.get(names.length)),
  ) as JsonObject; // A path has at least one name.
}

// A value sent to an address with a type cast has that type, unless it has its own `@odata.type`.
function typedValue(json: Json, cast: string | undefined): Json {
  if (cast === undefined || json === null || !isObject(json) || json.members.has(typeMember) || json.members.has('@type')) return json;
  return { kind: 'object', members: new Map([[typeMember, `#${cast}`], ...json.members]) };
}
