import { isArray, type Json } from '../../../runtime/json/json.js';
import { isSameJson } from '../../../runtime/json/json.js';

/** Whether two answers show the same, wherever they show it: what is said about it may differ. */
export function isSameShown(found: Json | undefined, wanted: Json): boolean {
  return isSameJson(bare(found), bare(wanted));
}

/** The value without control information, but for the types of values. */
function bare(json: Json | undefined): Json {
  if (json === undefined || json === null || typeof json !== 'object') return json ?? null;
  if (isArray(json)) return { kind: 'array', items: json.items.map(bare) };
  if (json.kind === 'number') return json;
  return {
    kind: 'object',
    members: new Map([...json.members].filter(([name]) => !name.includes('@')).map(([name, value]) => [name, bare(value)])),
  };
}
