import type { EntityContainer, EntityType, KeyField, PrimitiveTypeName, StoredRecord, StoredValue } from '../edm/index.js';
import { fieldOf, isArray, openColumn } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { durationMicros } from '../json/duration.js';
import { canonicalDecimal, decimalText } from '../json/canonical-number.js';
import { isObject, type Json, type JsonObject, printJson } from '../json/json.js';
import { parseJsonObject, parseValue } from '../json/parse-json.js';
import type { NewItem, PlannedComplex } from '../plan/value/plan-complex.js';
import { mergeComplex, mergeContext, type DynamicContext, mergeMembers } from '../plan/write/merge-complex.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { valueWithin } from './nested-values.js';
import { type LockedRecord, withChanges } from './stored-record.js';

/** Merges changes of complex values with the stored ones: only the result shows what remains and whether a required value is missing. */
export function mergePatches(
  plan: WritePlan,
  { record }: LockedRecord,
  container: EntityContainer,
): { readonly values: StoredRecord; readonly faults: readonly ErrorDetail[] } {
  const { type, patches, dynamic } = plan;
  const context = mergeContext(plan, container);
  const merged = [...patches].flatMap(([name, patch]) => {
    const field = fieldOf(type, name);
    return field === undefined ? [] : [{ name, ...mergeComplex(name, field, objectOf(record.get(name)) ?? null, patch, context) }];
  });
  if (dynamic !== undefined && dynamic.size > 0) merged.push({ name: openColumn, ...mergeOpen(record.get(openColumn), dynamic, context) });
  return {
    values: new Map(merged.map(({ name, json }) => [name, printJson(json)])),
    faults: merged.flatMap(({ faults }) => faults.map((fault) => fault.asDetail())),
  };
}

function mergeOpen(stored: StoredValue | undefined, dynamic: NonNullable<WritePlan['dynamic']>, context: DynamicContext): PlannedComplex {
  const { members, faults } = mergeMembers('', objectOf(stored)?.members ?? new Map(), dynamic, context);
  return { json: { kind: 'object', members }, faults };
}

function objectOf(stored: StoredValue | undefined): JsonObject | undefined {
  return typeof stored === 'string' ? parseJsonObject(Buffer.from(stored)) : undefined;
}

/** The values with the stored key where a complex value has a part of it: the key in a body is ignored (protocol 11.4.3). */
export function withStoredKey(type: EntityType, { record }: LockedRecord, values: StoredRecord): StoredRecord {
  const kept = new Map(values);
  for (const { path } of shownKeyFields(type)) {
    const [root = '', ...names] = path.split('/');
    if (names.length === 0) {
      kept.delete(root);
      continue;
    }
    const [stored, sent] = [objectOf(record.get(root)), objectOf(kept.get(root))];
    if (stored && sent) kept.set(root, printJson(withMember(sent, stored, names)));
  }
  return kept;
}

// The object with a member of another one; the same object where either lacks it.
function withMember(object: Json, from: Json, [name = '', ...inner]: readonly string[]): Json {
  if (!isObject(object) || !isObject(from)) return object;
  const [own, other] = [object.members.get(name), from.members.get(name)];
  if (own === undefined || other === undefined) return object;
  return { ...object, members: new Map(object.members).set(name, inner.length === 0 ? other : withMember(own, other, inner)) };
}

// The related entity determines hidden values (`movedAway`).
function shownKeyFields({ keyFields = {}, hidden = [] }: EntityType): readonly KeyField[] {
  return Object.values(keyFields).filter(({ path }) => !hidden.includes(path));
}

/** The faults of a change that gives another value to a part of the key within a complex value. */
export function pathKeyFaults(type: EntityType, { record }: LockedRecord, values: StoredRecord): readonly ErrorDetail[] {
  if (type.keyFields === undefined) return [];
  const after = withChanges(record, values);
  const changed = shownKeyFields(type).filter(({ path, type: of }) => !isSameKey(of, valueWithin(after, path), valueWithin(record, path)));
  return changed.map(({ path }) => errors.readOnly(path, 'it is the key of the record').asDetail(path));
}

/** Whether two JSON texts of a key are equal: `PT90M` is `PT1H30M`, and 12.5 is 12.50. */
function isSameKey(type: PrimitiveTypeName, left: string | null, right: string | null): boolean {
  if (left === right || left === null || right === null) return left === right;
  const canonical = canonicalTexts[type];
  return canonical !== undefined && canonical(left) === canonical(right);
}

const canonicalTexts: { readonly [Name in PrimitiveTypeName]?: (text: string) => string } = {
  'Edm.Decimal': (text) => {
    const decimal = canonicalDecimal(text);
    return decimal === undefined ? text : decimalText(decimal);
  },
  'Edm.Duration': (text) => String(durationMicros(text)),
};

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
  const details = faults.map((fault) => fault.asDetail());
  return withValue(plan, root, json === null ? null : printJson(json), details);
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
