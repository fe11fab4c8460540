/** A JSON value as sent: numbers keep their text, members their order. */
export type Json = null | boolean | string | JsonNumber | JsonArray | JsonObject;

/** The number's own text, because a float would round it. */
export interface JsonNumber {
  readonly kind: 'number';
  readonly text: string;
}

export interface JsonArray {
  readonly kind: 'array';
  readonly items: readonly Json[];
}

/** A map, so that no member's name can mean anything else. */
export interface JsonObject {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, Json>;
}
