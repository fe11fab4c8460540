import { fieldOf, isArray, type StoredRecord } from '../edm/index.js';
import { isArray as isJsonArray, isObject, type Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { LockedRecord } from './stored-record.js';

/** The plan with the stored items in front of the one that it adds to the collection at a path (protocol 11.4.9.4). */
export function withStoredItems(plan: WritePlan, path: string, { record }: LockedRecord): WritePlan {
  const [name = '', ...names] = path.split('/');
  const stored = record.get(name);
  const field = fieldOf(plan.type, name);
  const sent = plan.values.get(name);
  if (field && isArray(field)) return Array.isArray(sent) ? withValue(plan, name, [...(Array.isArray(stored) ? stored : []), ...sent]) : plan;
  const before = typeof stored === 'string' ? parseJson(stored) : null;
  const patch = plan.patches.get(name);
  if (patch === undefined) return typeof sent === 'string' ? withValue(plan, name, printJson(joined(before, parseJson(sent), names))) : plan;
  const merged = joined(before, patch, names);
  return isObject(merged) ? { ...plan, patches: new Map([...plan.patches, [name, merged]]) } : plan;
}

function withValue(plan: WritePlan, name: string, value: ReturnType<StoredRecord['get']>): WritePlan {
  return { ...plan, values: new Map([...plan.values, [name, value ?? null]]) };
}

// The reader takes objects only, and a value may be an array.
function parseJson(text: string): Json {
  return parseJsonObject(Buffer.from(`{"value":${text}}`)).members.get('value') ?? null;
}

function joined(stored: Json, sent: Json, [name, ...further]: readonly string[]): Json {
  if (name === undefined) return isJsonArray(stored) && isJsonArray(sent) ? { kind: 'array', items: [...stored.items, ...sent.items] } : sent;
  if (!isObject(sent)) return sent;
  const inner = isObject(stored) ? (stored.members.get(name) ?? null) : null;
  return { ...sent, members: new Map([...sent.members].map(([member, json]) => [member, member === name ? joined(inner, json, further) : json])) };
}
