import { keyColumnOf, keyFieldOf, own, primitives, type EntityContainer, type EntityType } from '../../edm/index.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { planKeySegments } from '../plan-key.js';
import { planValue, type JsonFormat } from '../value/plan-value.js';
import type { KeyCondition } from '../read-plan.js';

/** The key properties in a body, as conditions by property. */
export type BodyKey = ReadonlyMap<string, KeyCondition>;

interface BodyContext {
  readonly container: EntityContainer;
  readonly format: JsonFormat;
}

/** The key properties in a body; an impossible value counts as absent. */
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

// A key property may be nested in a complex value.
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
  // A generated key has two forms, and is looked up by its number.
  const key = planKeySegments(type, [planned.value], container).key;
  return key === 'none' ? undefined : key[0];
}
