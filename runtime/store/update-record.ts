import { type EntityType, own, type StoredRecord } from '../edm/index.js';
import { errors, requireNoFaults } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { Connection } from '../sql/statement.js';
import { applyValues, askDiffering, differing } from './store-changes.js';
import type { LockedRecord } from './stored-record.js';
import { joiningValues, joinRecords, resolveLinks, type ResolvedLink } from './link-records.js';
import { mergePatches, pathKeyFaults, withStoredItems, withStoredKey } from './merge-stored.js';
import { hiddenReferences, missingReferences, referencesWithin } from './references.js';
import { neededWithin, numbersWithin } from './nested-values.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import { fixedFaults, planMove } from './record-change.js';
import { keepName, type WriteTransaction } from './write-scope.js';
import { storeHooks } from './hooks.js';

/** A checked update of an entity, with related ones. */
export interface CheckedUpdate {
  readonly plan: WritePlan;
  readonly locked: LockedRecord;
  readonly values: StoredRecord;
  readonly links: readonly ResolvedLink[];
  readonly faults: readonly ErrorDetail[];
}

/** Checks everything that needs the record as it is stored. */
export async function checkUpdate(sent: WritePlan, locked: LockedRecord, scope: WriteTransaction): Promise<CheckedUpdate> {
  const { connection } = scope;
  const plan = sent.newItem === undefined ? sent : withStoredItems(sent, sent.newItem, locked, scope.container);
  const moved = planMove(plan, locked);
  const merged = mergePatches(plan, locked, scope.container);
  const { resolved, faults: unlinked } = await resolveLinks({ ...plan, id: locked.id }, scope);
  const written: StoredRecord = new Map([...plan.values, ...merged.values, ...moved.sets]);
  const own = plan.keepsKey ? withStoredKey(plan.type, locked, written) : written;
  const within = referencesWithin(plan.type, own, scope.container);
  const faults = [
    ...plan.faults,
    ...(await changedFixed(plan, locked, connection)),
    ...(await missingReferences([...plan.references, ...within], connection)()),
    ...unlinked,
    ...(await movedAway(plan.type, resolved, locked, connection)),
    ...merged.faults,
    ...moved.faults,
  ];
  const pointing = resolved.flatMap((link) => (link.kind === 'own' ? [...link.values] : []));
  const unseen = await hiddenReferences(plan.type, own, scope, locked.record);
  const values = new Map([...own, ...numbersWithin(plan.type, own, scope.container), ...pointing]);
  const needed = neededWithin(plan, { before: locked.record, own, values }, scope);
  return { plan, locked, values, links: resolved, faults: [...faults, ...unseen, ...needed, ...pathKeyFaults(plan.type, locked, values)] };
}

/** Stores an update that is without faults, with values that others give the record; gives the whole record afterwards. */
export async function applyUpdate(update: CheckedUpdate, scope: WriteTransaction, given: StoredRecord = new Map()): Promise<StoredRecord> {
  const { plan, locked, values, links } = update;
  const { connection } = scope;
  const record = await applyValues(plan.type, locked, new Map([...values, ...given]), scope);
  for (const link of links) {
    if (link.kind !== 'other') continue;
    const { navigation, target } = link.link;
    await applyValues(target, link.locked, joiningValues(navigation, plan.type, target, { id: locked.id, record }), scope);
  }
  if (links.some(({ kind }) => kind === 'joined')) await requireAllowed(plan.type, locked.id, 'update', connection);
  await joinRecords(links, locked.id, connection);
  return record;
}

/** Checks an update of a locked entity and stores the differences, also of related entities; returns the entity's id. */
export async function updateRecord(plan: WritePlan, locked: LockedRecord, scope: WriteTransaction): Promise<string> {
  if (plan.related && plan.related.length > 0) return storeHooks.get('updateRelated')(plan, locked, scope);
  const checked = await checkUpdate(plan, locked, scope);
  requireNoFaults(plan.type, checked.faults);
  await requireOpen(plan.type, locked, 'update', scope.connection);
  await applyUpdate(checked, scope);
  keepName(plan, locked.type, locked.id, scope);
  return locked.id;
}

// A value has several text forms, such as trailing zeros; the database compares them.
async function changedFixed(plan: WritePlan, locked: LockedRecord, connection: Connection): Promise<readonly ErrorDetail[]> {
  const faults = fixedFaults(plan, locked);
  if (faults.length === 0) return faults;
  const sent: StoredRecord = new Map([...plan.values].filter(([name]) => faults.some(({ target }) => target === name)));
  const differing = await askDiffering(plan.type, locked.id, sent, connection);
  return faults.filter(({ target = '' }) => differing.has(target));
}

// The key of an entity is final, so a reference in it keeps its target.
async function movedAway(
  type: EntityType,
  links: readonly ResolvedLink[],
  locked: LockedRecord,
  connection: Connection,
): Promise<readonly ErrorDetail[]> {
  const faults: ErrorDetail[] = [];
  for (const link of links) {
    if (link.kind !== 'own' || link.link === undefined) continue;
    const written: StoredRecord = new Map([...link.values].filter(([name]) => keyPart(type, name) !== undefined));
    const changed = written.size === 0 ? written : await differing(type, locked, written, connection);
    if (changed.size > 0)
      faults.push(
        errors
          .readOnly(link.link.at, `it is part of the key (${[...changed.keys()].map((name) => keyPart(type, name)).join(', ')})`)
          .asDetail(link.link.at),
      );
  }
  return faults;
}

// The part of a key property in addresses.
function keyPart({ key, keyFields = {}, hidden = [] }: EntityType, name: string): string | undefined {
  if (!hidden.includes(name)) return key.includes(name) ? name : undefined;
  return key.find((part) => own(keyFields, part)?.path === name);
}
