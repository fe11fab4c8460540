import { complexTypeNamed, fieldOf, type ComplexType, type EntityContainer, type Field } from '../../edm/index.js';
import { enumText } from '../../expression/enum-members.js';
import { isArray, isNumber, isObject, type Json } from '../../json/json.js';
import { typeOfStored } from './plan-complex.js';

/**
 * A complex value with names of enumeration members instead of numbers, for dynamic properties: stored, compared and
 * returned as names, since no model says that a number is an enumeration's.
 */
export function withMemberNames(json: Json, field: Field, container: EntityContainer): Json {
  if (isArray(json)) return { kind: 'array', items: json.items.map((item) => withMemberNames(item, field, container)) };
  if (field.enumeration) return isNumber(json) ? enumText(field.enumeration, json.text) : json;
  const declared = isObject(json) && field.complex !== undefined ? complexTypeNamed(container, field.complex) : undefined;
  if (!isObject(json) || declared === undefined) return json;
  const type = typeOfStored(declared, json, container);
  const named = [...json.members].map(([name, value]) => [name, within(type, name, value, container)] as const);
  return { kind: 'object', members: new Map(named) };
}

function within(type: ComplexType, name: string, value: Json, container: EntityContainer): Json {
  const field = fieldOf(type, name);
  return field === undefined ? value : withMemberNames(value, field, container);
}
