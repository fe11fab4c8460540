import { openColumn } from '../../edm/index.js';
import { type StoredRecord } from '../../edm/extension.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { parseValue } from '../../json/parse-json.js';
import type { PropertyTarget } from '../../plan/path-target.js';
import { typeMember } from '../../plan/value/plan-complex.js';
import { changedMembers, type DynamicChange, type PropertyPath } from '../../plan/write/property-change.js';
import type { GraphContext } from '../../plan/write/plan-link.js';

/** A complete dynamic property: its path, its new value, and the type of that. */
export interface DynamicSetting {
  readonly path: PropertyPath;
  readonly json: Json;
  readonly said?: Json;
}

/** Whether the new value depends on the stored one. */
export function needsStored({ dynamic }: PropertyTarget, { kind }: DynamicChange): boolean {
  return dynamic !== undefined && (dynamic.names.length > 1 || kind !== 'set');
}

/** A change within a dynamic property as one of the property, which is stored as a whole. */
export function dynamicSetting(
  { dynamic, name: at }: PropertyTarget,
  { names, casts }: PropertyPath,
  change: DynamicChange,
  record: StoredRecord,
  context: GraphContext,
): DynamicSetting {
  const [first = '', ...inner] = dynamic?.names ?? [];
  const outer = names.slice(0, names.length - inner.length);
  const within = at
    .split('/')
    .slice(0, -1 - inner.length)
    .join('/');
  const members = changedMembers(holderOf(outer, record), { names: [first, ...inner], within }, change, context);
  const said = members.get(`${first}${typeMember}`);
  return { path: { names: outer, casts }, json: members.get(first) ?? null, ...(said !== undefined && { said }) };
}

// The members that contain the property: those of the entity, or of a complex value.
function holderOf(outer: readonly string[], record: StoredRecord): ReadonlyMap<string, Json> {
  const [root = openColumn, ...within] = outer.slice(0, -1);
  const text = record.get(root);
  const value: Json = typeof text === 'string' ? parseValue(text) : null;
  const holder = within.reduce<Json>(memberOf, value);
  return isObject(holder) ? holder.members : new Map<string, Json>();
}

function memberOf(json: Json, step: string): Json {
  return isObject(json) ? (json.members.get(step) ?? null) : null;
}

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
