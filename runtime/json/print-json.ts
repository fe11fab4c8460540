import { isArray, isNumber, isObject, type Json } from './json.js';

/** Prints JSON text; numbers keep the text that they were read with. */
export function printJson(json: Json): string {
  if (isNumber(json)) return json.text;
  if (isArray(json)) return `[${json.items.map(printJson).join(',')}]`;
  if (isObject(json)) return `{${[...json.members].map(([name, value]) => `${JSON.stringify(name)}:${printJson(value)}`).join(',')}}`;
  return JSON.stringify(json);
}
