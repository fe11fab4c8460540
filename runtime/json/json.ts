import { compareDecimal } from './canonical-number.js';

/** A JSON value as sent: numbers keep their text, members their order. */
export type Json = null | boolean | string | JsonNumber | JsonArray | JsonObject;

/** The number's own text, because a float would round it. */
export interface JsonNumber {
  readonly kind: 'number';
  readonly text: string;
}

/** A wrapper with a kind, so that readers can switch over kinds. */
export interface JsonArray {
  readonly kind: 'array';
  readonly items: readonly Json[];
}

/** A map, so that a member's name has no special meaning. */
export interface JsonObject {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, Json>;
}

/** An object with the members; without any, the empty one. */
export function jsonObject(members: Iterable<readonly [name: string, value: Json]> = []): JsonObject {
  return { kind: 'object', members: new Map(members) };
}

/** The object without some of its members, by their names. */
export function withoutMembers({ members }: JsonObject, isOmitted: (name: string) => boolean): JsonObject {
  return jsonObject([...members].filter(([name]) => !isOmitted(name)));
}

/** Whether the value is a number. */
export function isNumber(json: Json): json is JsonNumber {
  return typeof json === 'object' && json !== null && json.kind === 'number';
}

/** Whether the value is an array. */
export function isArray(json: Json): json is JsonArray {
  return typeof json === 'object' && json !== null && json.kind === 'array';
}

/** Whether the value is an object. */
export function isObject(json: Json): json is JsonObject {
  return typeof json === 'object' && json !== null && json.kind === 'object';
}

/** Prints JSON text; numbers keep the text that they were read with. */
export function printJson(json: Json): string {
  if (isNumber(json)) return json.text;
  if (isArray(json)) return `[${json.items.map(printJson).join(',')}]`;
  if (isObject(json)) return `{${[...json.members].map(([name, value]) => `${JSON.stringify(name)}:${printJson(value)}`).join(',')}}`;
  return JSON.stringify(json);
}

/** Whether two complex values or members are equal: numbers by value, members in any order, null and empty like absent ones. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  const [left, right] = [orNothing(a), orNothing(b)];
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return left === right;
  if (isArray(left))
    return (
      isArray(right) && left.items.length === right.items.length && left.items.every((item, index) => isSameJson(item, right.items[index]))
    );
  if (isObject(left))
    return (
      isObject(right) &&
      [...new Set([...left.members.keys(), ...right.members.keys()])].every((name) =>
        isSameJson(left.members.get(name), right.members.get(name)),
      )
    );
  return right.kind === 'number' && (left.text === right.text || compareDecimal(left.text, right.text) === 0);
}

function orNothing(json: Json | undefined): Json {
  return json === undefined || (isArray(json) && json.items.length === 0) ? null : json;
}
