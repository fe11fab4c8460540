import { columnOf, type EntityExtension, type EntityType, isDirect, type StoredRecord } from '../edm/index.js';
import { kindOfFailure } from '../database/failures.js';
import type { KeyCondition } from '../plan/typed-expr.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { compileSingleWrite, type Returned, type SingleWrite } from '../sql/compile-single-write.js';
import { compileLockAll } from '../sql/compile-lock.js';
import { isFollowed, lockDependents, locksInSteps } from '../sql/followers.js';
import type { Connection, RowBytes } from '../sql/statement.js';
import { extensionOf, generatedKey, generatedValues, journalOf } from './journal.js';
import type { Numbered } from './create-record.js';
import type { SeenRecord } from './known-records.js';
import { fixedFaults, planMove, sentForm } from './record-change.js';
import { mirroredRows } from './store-changes.js';
import { merged, withChanges } from './stored-record.js';
import { SingleWriteRefused } from './store.js';
import type { WriteScope } from './write-scope.js';
import { memoized } from '../edm/memoized.js';

/** Whether entities of a type can be written in one statement: nothing else has to be looked up, and the table has one type. */
export const isPlain = memoized(({ discriminated, contained, open, keyFields, streams = {}, navigation }: EntityType): boolean => {
  const looksUp = Object.values(navigation).some(
    ({ mirrors, follows, sole }) => mirrors !== undefined || follows !== undefined || sole !== undefined,
  );
  return (
    !discriminated &&
    !contained &&
    !open &&
    keyFields === undefined &&
    !looksUp &&
    [...Object.keys(streams), ...Object.keys(navigation)].every(isDirect)
  );
});

/** Whether a body has only values of the entity itself, without faults against the model. */
export function isAlone(plan: WritePlan): boolean {
  const { type, faults, links = [], children = [], related = [], patches, dynamic, newItem, contentId, references } = plan;
  if (faults.length > 0 || patches.size > 0 || dynamic !== undefined || newItem !== undefined || contentId !== undefined) return false;
  return (
    links.length + children.length + related.length === 0 &&
    isPlain(type) &&
    references.every(({ target }) => !target.discriminated && target.key.length === 1)
  );
}

/** A create with its consequences. */
export function creation({ type, values, references }: WritePlan, { id, now }: Numbered, scope: WriteScope): SingleWrite {
  const extension = extensionOf(scope.extensions, type);
  const sent = merged(values, generatedValues(type, 'onInsert', values, { now }), generatedKey(type, id, values));
  const change = { before: undefined, changes: sent, id, now, member: scope.member };
  const after = withAssigned(sent, extension, change);
  return { kind: 'insert', type, id, values: after, references, mirrored: [], journal: journalOf(extension, { after, ...change }, scope) };
}

/** An update with its consequences; undefined where it has faults, changes nothing, or only the database can compare. */
export function alteration(plan: WritePlan, seen: SeenRecord, scope: WriteScope): SingleWrite | undefined {
  const { type, references } = plan;
  const moved = planMove(plan, seen);
  if (moved.faults.length + fixedFaults(plan, seen).length > 0) return undefined;
  const changes = differing(type, seen, moved.sets.size === 0 ? plan.values : merged(plan.values, moved.sets));
  if (changes === undefined || changes.size === 0) return undefined;
  const { id, now, state, record } = seen;
  const extension = extensionOf(scope.extensions, type);
  const change = { before: record, changes, id, now, member: scope.member };
  const values = withAssigned(merged(changes, generatedValues(type, 'onUpdate', changes, seen)), extension, change);
  const journal = journalOf(extension, { after: withChanges(record, values), ...change, changes: values }, scope);
  const mirrored = mirroredRows(type, values, scope.container);
  return { kind: 'update', type, id, state, values, formerKey: formerKey(type, record, values), references, mirrored, journal };
}

// PostgreSQL accepts no value that the statement does not read: only what follows the update reads the former key.
function formerKey(type: EntityType, record: StoredRecord, values: StoredRecord): readonly string[] | undefined {
  const isRead = type.key.some((name) => values.has(name)) && isFollowed('update', type);
  return isRead ? type.key.map((name) => String(record.get(name))) : undefined;
}

type Change = Parameters<NonNullable<EntityExtension['assign']>>[0];

function withAssigned(values: StoredRecord, extension: EntityExtension | undefined, change: Change): StoredRecord {
  const assigned = extension?.assign?.(change);
  return assigned === undefined ? values : merged(values, assigned);
}

// The key stays, whether the body repeats it or not.
function differing(type: EntityType, seen: SeenRecord, values: StoredRecord): StoredRecord | undefined {
  const changes = new Map<string, string | null>();
  for (const [name, value] of values) {
    if (type.key.includes(name)) continue;
    const form = sentForm(type, seen, name, value);
    if (form === undefined) return undefined;
    if (form !== seen.record.get(name)) changes.set(name, form);
  }
  return changes;
}

/** A delete with its journal entries; undefined where other entities must be changed first. */
export function deletion(type: EntityType, { id, now, state, record }: SeenRecord, scope: WriteScope): SingleWrite | undefined {
  if (type.detaches !== undefined || type.cascadesTo !== undefined || locksInSteps(type)) return undefined;
  const change = { before: record, changes: new Map(), id, now, member: scope.member, after: undefined };
  const journal = journalOf(extensionOf(scope.extensions, type), change, scope);
  return { kind: 'delete', type, id, state, values: new Map(), references: [], mirrored: [], journal };
}

/**
 * Runs the statement, as a transaction where none is larger; returns whether it succeeded. If the database rejects the
 * values, nothing has changed, and the slow path determines the fault.
 */
export async function runSingleWrite(
  write: SingleWrite,
  returned: Returned,
  { run, defer, each, finish, later }: Pick<Connection, 'run' | 'defer' | 'each' | 'finish' | 'later'>,
  onRow: (row: RowBytes) => void,
): Promise<boolean> {
  let rows = 0;
  try {
    // Later statements of the packet see rows that referred to it until then.
    if (write.kind === 'delete') {
      await defer(compileLockAll(write.type, [write.id], 'update'));
      await lockDependents(write.type, [write.id], { run, defer });
    }
    await (finish ?? later ?? each)(compileSingleWrite(write, returned), (row) => {
      rows += 1;
      onRow(row);
    });
  } catch (failure) {
    const kind = kindOfFailure(failure);
    if (kind !== 'conflict' && kind !== 'invalid') throw failure;
    if (finish === undefined) throw new SingleWriteRefused(undefined, { cause: failure });
    return false;
  }
  // Later writes of the group have been carried out by now.
  if (rows === 0 && later !== undefined) throw new SingleWriteRefused();
  return rows > 0;
}

/** The conditions by which an entity will be requested next: by number where keys are made from it. */
export function keyOfNew({ type, id, values }: SingleWrite): readonly KeyCondition[] {
  if (type.keyGeneration?.acceptGeneratedPart) return [{ column: '#id', sqlType: 'bigint', value: id }];
  return type.key.map((name) => ({ column: columnOf(type, name), sqlType: 'text', value: String(values.get(name)) }));
}
