import { fieldOf, isArray, type EntityContainer, type StoredRecord, type StoredValue } from '../edm/index.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { Json } from '../json/json.js';
import { parseValue } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import type { NewItem } from '../plan/value/new-item.js';
import { mergeComplex, mergeContext } from '../plan/write/merge-complex.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { LockedRecord } from './stored-record.js';

/** The plan with all stored items of a collection that gets a new item (protocol 11.4.9.4 and 11.4.10); the entity is locked. */
export function withStoredItems(plan: WritePlan, newItem: NewItem, { record }: LockedRecord, container: EntityContainer): WritePlan {
  const { root, place } = newItem;
  const field = fieldOf(plan.type, root);
  const stored = record.get(root) ?? null;
  const sent = plan.values.get(root) ?? null;
  if (field === undefined || plan.faults.length > 0) return plan;
  if (isArray(field)) {
    const items = Array.isArray(stored) ? stored : [];
    return withValue(plan, root, items.toSpliced(place, 0, Array.isArray(sent) ? (sent[0] ?? null) : null), []);
  }
  const patch = plan.patches.get(root) ?? jsonOf(sent);
  const { json, faults } = mergeComplex(root, field, jsonOf(stored), patch, { ...mergeContext(plan, container), newItem });
  return withValue(
    plan,
    root,
    json === null ? null : printJson(json),
    faults.map((fault) => fault.asDetail()),
  );
}

function withValue(plan: WritePlan, name: string, value: StoredValue, faults: readonly ErrorDetail[]): WritePlan {
  const values: StoredRecord = new Map([...plan.values, [name, value]]);
  return {
    ...plan,
    values,
    patches: new Map([...plan.patches].filter(([patched]) => patched !== name)),
    faults: [...plan.faults, ...faults],
  };
}

function jsonOf(stored: StoredValue): Json {
  return typeof stored === 'string' ? parseValue(stored) : null;
}
