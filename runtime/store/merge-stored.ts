import { fieldOf, isDirect, openColumn, targetOf, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { JsonObject } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { printJson } from '../json/print-json.js';
import type { PlannedComplex } from '../plan/value/plan-complex.js';
import { mergeComplex, mergeContext } from '../plan/write/merge-complex.js';
import { mergeMembers, type DynamicContext } from '../plan/write/merge-dynamic.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { compileEmpty, compileHeld, compilePart } from '../sql/compile-relations.js';
import type { Connection, Statement } from '../sql/statement.js';
import { valueWithin } from './column-value.js';
import { deleteRecords } from './delete-record.js';
import { lockCascade } from './cascade.js';
import { isSameKey } from './same-key.js';
import { isRemoved } from './remove-streams.js';
import { requireDroppable } from './droppable.js';
import { withChanges, type LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/**
 * Merges changes of complex values with the stored ones: only the result shows what remains and whether a required
 * value is missing.
 */
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

function mergeOpen(stored: StoredValue, dynamic: NonNullable<WritePlan['dynamic']>, context: DynamicContext): PlannedComplex {
  const { members, faults } = mergeMembers('', objectOf(stored)?.members ?? new Map(), dynamic, context);
  return { json: { kind: 'object', members }, faults };
}

function objectOf(stored: StoredValue): JsonObject | undefined {
  return typeof stored === 'string' ? parseJsonObject(Buffer.from(stored)) : undefined;
}

type StoredValue = ReturnType<StoredRecord['get']>;

/** The faults of a change that gives another value to a part of the key within a complex value. */
export function pathKeyFaults(type: EntityType, { record }: LockedRecord, values: StoredRecord): readonly ErrorDetail[] {
  if (type.keyFields === undefined) return [];
  const after = withChanges(record, values);
  // The related entity determines hidden values (`movedAway`).
  const shown = Object.values(type.keyFields).filter(({ path }) => !type.hidden?.includes(path));
  const changed = shown.filter(({ path, type: of }) => !isSameKey(of, valueWithin(after, path), valueWithin(record, path)));
  return changed.map(({ path }) => errors.readOnly(path, 'it is the key of the record').at(path).asDetail());
}

/** Removes the contained entities and many-to-many links of a complex value that is removed. */
export async function partWithin(
  { name, navigation }: EntityType,
  { id }: LockedRecord,
  changes: StoredRecord,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  for (const [path, property] of Object.entries(navigation)) {
    if (isDirect(path) || !(property.through || property.contains) || !isRemoved(path, changes, scope.container)) continue;
    const target = targetOf(scope.container, property);
    if (property.through) {
      await connection.defer(compilePart(property.through, id));
      continue;
    }
    const held = (): Statement => compileHeld(target, property, id);
    await requireDroppable({ name, path, target }, held, connection, scope);
    await droppedAlong(target, held, compileEmpty(target, property, id), connection, scope);
  }
}

// Deletes the contained entities of a complex value and their dependents; one statement selects their ids, another
// deletes them.
async function droppedAlong(
  target: EntityType,
  contents: () => Statement,
  drop: Statement,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  const rows = target.cascadesTo !== undefined ? await connection.run(contents()) : [];
  const along = await lockCascade(
    target,
    rows.map(([number]) => number ?? ''),
    connection,
    scope,
  );
  await connection.defer(drop);
  await deleteRecords(target, along, connection, scope);
}
