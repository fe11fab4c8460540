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
