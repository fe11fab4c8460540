import type { Json } from './json.js';

/** A value as JSON text again, its numbers as they were sent. */
export function printJson(json: Json): string {
  if (json === null || typeof json !== 'object') return JSON.stringify(json);
  if (json.kind === 'number') return json.text;
  if (json.kind === 'array') return `[${json.items.map(printJson).join(',')}]`;
  return `{${[...json.members].map(([name, value]) => `${JSON.stringify(name)}:${printJson(value)}`).join(',')}}`;
}
