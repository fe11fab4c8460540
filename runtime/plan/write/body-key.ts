import { keyColumnOf, keyFieldOf, own, primitives, type EntityContainer, type EntityType } from '../../edm/index.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { planKeySegments } from '../plan-key.js';
import { planValue, type JsonFormat } from '../value/plan-value.js';
import type { KeyCondition } from '../read-plan.js';

/** What a body has of a key: conditions by property. */
export type BodyKey = ReadonlyMap<string, KeyCondition>;

interface BodyContext {
  readonly container: EntityContainer;
  readonly format: JsonFormat;
}

/** The key that a body has, or as much of it; a value that no record could have is none. */
export function bodyKey(type: EntityType, { members }: JsonObject, context: BodyContext): BodyKey {
  return new Map(
    type.key.flatMap((name) => {
      const condition = keyCondition(
        type,
        name,
        type.keyFields ? memberAt(members, own(type.keyFields, name)?.path ?? name) : members.get(name),
        context,
      );
      return condition ? [[name, condition] as const] : [];
    }),
  );
}

// A property of the key may lie within a complex value.
function memberAt(members: JsonObject['members'], path: string): Json | undefined {
  const [name = '', ...names] = path.split('/');
  return names.reduce<Json | undefined>(
    (json, inner) => (json !== undefined && isObject(json) ? json.members.get(inner) : undefined),
    members.get(name),
  );
}

function keyCondition(
  type: EntityType,
  name: string,
  json: Json | undefined,
  { container, format }: BodyContext,
): KeyCondition | undefined {
  const field = keyFieldOf(type, name);
  const planned = field && json !== undefined ? planValue(name, field, json, format) : undefined;
  if (field === undefined || planned === undefined || !('value' in planned) || typeof planned.value !== 'string') return undefined;
  if (!type.keyGeneration?.acceptGeneratedPart)
    return { column: keyColumnOf(type, name), sqlType: primitives[field.type].sql, value: planned.value };
  // A key that the service makes has two forms, and is looked for by its number.
  const key = planKeySegments(type, [planned.value], container).key;
  return key === 'none' ? undefined : key[0];
}
