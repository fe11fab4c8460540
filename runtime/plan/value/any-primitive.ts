import { primitives, type Field } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { typeMember, type ComplexContext, type PlannedComplex } from './plan-complex.js';
import { planDynamic } from './plan-dynamic.js';
import { describeJson } from './plan-value.js';

/** The member of the stored JSON that has the value of a property of the type Edm.PrimitiveType; its type stands beside it, where JSON does not tell it. */
export const valueMember = 'value';

/** Whether a property's values are of any primitive type (CSDL XML 4.01, 3.4). */
export function isAnyPrimitive({ type }: Pick<Field, 'type'>): boolean {
  return type === 'Edm.PrimitiveType';
}

/** A member of a body, with the type that stands beside it where its values may be of any. */
export function typedMember(name: string, field: Field | undefined, members: JsonObject['members']): Json {
  const json = members.get(name) ?? null;
  if (json === null || field === undefined || !isAnyPrimitive(field)) return json;
  const said = members.get(`${name}${typeMember}`) ?? members.get(`${name}@type`);
  return {
    kind: 'object',
    members: new Map([...(said === undefined ? [] : [[`${valueMember}${typeMember}`, said] as const]), [valueMember, json]]),
  };
}

/** Such a member as it is stored; what is said to be of a complex type, or is a collection, is no primitive value. */
export function planAnyPrimitive(path: string, field: Field, json: Json, context: ComplexContext): PlannedComplex {
  if (json === null) return field.nullable ? { json, faults: [] } : wrong(errors.nullNotAllowed(path).at(path));
  const { members } = isObject(json) ? json : typedObject(json);
  const planned = planDynamic({ path, name: valueMember, members }, context);
  if (planned.faults.length > 0) return { json: null, faults: planned.faults };
  const stored = new Map(planned.members);
  const value = stored.get(valueMember) ?? null;
  const type = stored.get(`${valueMember}${typeMember}`);
  const isShape = typeof type === 'string' && type.startsWith('#Geo') && Object.hasOwn(primitives, `Edm.${type.slice(1)}`);
  if (value !== null && typeof value === 'object' && value.kind !== 'number' && !isShape)
    return wrong(errors.wrongJsonType(path, 'a primitive value', describeJson(value)).at(path));
  return { json: { kind: 'object', members: stored }, faults: [] };
}

function typedObject(json: Json): JsonObject {
  return { kind: 'object', members: new Map([[valueMember, json]]) };
}

function wrong(fault: ReturnType<typeof errors.nullNotAllowed>): PlannedComplex {
  return { json: null, faults: [fault] };
}
