import { membersOf } from './relate-records.js';
import type { EntityType, StoredRecord } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import type { ErrorDetail } from '../../errors/odata-error.js';
import { isOwnColumn } from '../../plan/path/navigation-join.js';
import { beneath } from '../../plan/write/plan-link.js';
import type { MemberPlan, RelatedPlan, WritePlan } from '../../plan/write/write-plan.js';
import { checkCreate, type Graph } from '../../store/create-record.js';
import { byNumber, findRecord, findTarget, lockInOrder, memberNumbers } from '../../store/locate-record.js';
import { lackingFaults, valuesForOther, valuesForOwn } from '../../store/link-records.js';
import type { Place } from '../../sql/compile-target.js';
import type { LockFor } from '../../sql/compile-lock.js';
import type { LockedRecord, Stored } from '../../store/stored-record.js';
import { checkUpdate, type CheckedUpdate } from '../../store/update-record.js';

/** A checked update of an entity and its related ones, with all faults. */
export interface CheckedGraph {
  readonly own: CheckedUpdate;
  readonly related: readonly CheckedRelated[];
  readonly faults: readonly ErrorDetail[];
}

/** The changes of the entities at a navigation property. */
export interface CheckedRelated {
  readonly plan: RelatedPlan;
  readonly members: readonly CheckedMember[];
  readonly gone: readonly Gone[];
}

/** A member of the new collection: a new entity or an existing one, which a reference leaves unchanged. */
export type CheckedMember =
  | { readonly kind: 'new'; readonly plan: WritePlan }
  | { readonly kind: 'there'; readonly locked: LockedRecord; readonly change?: CheckedGraph };

/** An entity to remove. */
interface Gone {
  readonly locked: LockedRecord;
  readonly isDeleted: boolean;
}

/** Looks up all entities of an update, and collects the faults at any depth before anything is stored. */
export async function checkGraph(plan: WritePlan, locked: LockedRecord, graph: Graph): Promise<CheckedGraph> {
  const own = await checkUpdate(plan, locked, graph);
  const faults = [...own.faults];
  const related: CheckedRelated[] = [];
  for (const one of plan.related ?? []) related.push(await checkRelated(one, { type: plan.type, locked, graph, faults }));
  return { own, related, faults };
}

/** The entity whose related ones are checked, and the collector of faults. */
interface Owner {
  readonly type: EntityType;
  readonly locked: LockedRecord;
  readonly graph: Graph;
  readonly faults: ErrorDetail[];
}

async function checkRelated(plan: RelatedPlan, owner: Owner): Promise<CheckedRelated> {
  const { connection } = owner.graph;
  const present = new Set(await memberNumbers(membersOf(owner.type, owner.locked, plan), connection, plan.name));
  const left = plan.extent === 'delta' || isOwnColumn(plan.navigation, plan.target) ? [] : [...present];
  const changed = plan.members.filter((member) => lockFor(plan, member) === 'change');
  await lockInOrder(
    plan.target,
    changed.flatMap((member) => placeOf(plan, member, owner) ?? []),
    lockFor(plan, undefined) === 'change' ? left : [],
    connection,
  );
  const seen = new Set<string>();
  const members: CheckedMember[] = [];
  const gone: Gone[] = [];
  for (const member of plan.members) {
    const found = await findMember(plan, member, owner);
    if (found && seen.has(found.id))
      owner.faults.push(errors.readOnly(member.at, 'the body contains the record twice').asDetail(member.at));
    if (found) seen.add(found.id);
    if (member.removed) gone.push(...checkRemoved(plan, member, found && present.has(found.id) ? found : undefined, owner));
    else members.push(...(await checkMember(plan, member, { found, isPresent: found !== undefined && present.has(found.id) }, owner)));
  }
  const unseen = left.filter((number) => !seen.has(number));
  return { plan, members, gone: [...gone, ...(await checkLeft(plan, unseen, owner))] };
}

async function findMember(plan: RelatedPlan, member: MemberPlan, owner: Owner): Promise<LockedRecord | undefined> {
  const { connection, container } = owner.graph;
  const place = placeOf(plan, member, owner);
  return place && findTarget(place, { connection, container }, lockFor(plan, member));
}

// With a join table, neither entity changes; `undefined` is one that the body omits.
function lockFor({ navigation: { through, owns, contains } }: RelatedPlan, member: MemberPlan | undefined): LockFor {
  const isOnlyRelated = member === undefined || member.isReference === true || member.removed === 'changed';
  return through !== undefined && !owns && !contains && isOnlyRelated ? 'reference' : 'change';
}

function placeOf({ navigation, target }: RelatedPlan, { place, within }: MemberPlan, { type, locked }: Owner): Place | undefined {
  return place ?? (within && { ...membersOf(type, locked, { navigation, target }), key: within });
}

interface Found {
  readonly found: LockedRecord | undefined;
  /** It belongs to the owner already. */
  readonly isPresent: boolean;
}

async function checkMember(
  plan: RelatedPlan,
  member: MemberPlan,
  { found, isPresent }: Found,
  { graph, faults }: Owner,
): Promise<readonly CheckedMember[]> {
  const { at } = member;
  if (found === undefined) return checkNew(plan, member, { graph, faults });
  if (!isPresent) faults.push(...plan.refuse('join', at));
  if (member.isReference) return [{ kind: 'there', locked: found }];
  const refused = plan.refuse('update', at);
  faults.push(...refused);
  if (refused.length > 0) return [];
  member.requireCurrent(found.version);
  const change = await checkGraph(member.planUpdate(found.type), found, graph);
  faults.push(...change.faults.map((fault) => beneath(at, fault)));
  return [{ kind: 'there', locked: found, change }];
}

async function checkNew(
  plan: RelatedPlan,
  { at, id, isReference, requireCurrent, planCreate }: MemberPlan,
  { graph, faults }: Pick<Owner, 'graph' | 'faults'>,
): Promise<readonly CheckedMember[]> {
  const refused = isReference ? [errors.invalidReference(id, at, plan.target.name).asDetail(at)] : plan.refuse('create', at);
  faults.push(...refused);
  if (refused.length > 0) return [];
  requireCurrent(undefined);
  const created = planCreate();
  faults.push(...(await checkCreate(created, graph)).map((fault) => beneath(at, fault)));
  return [{ kind: 'new', plan: created }];
}

function checkRemoved(plan: RelatedPlan, { at, id, removed }: MemberPlan, locked: LockedRecord | undefined, owner: Owner): readonly Gone[] {
  if (locked !== undefined) return [checkGone(plan, locked, { at, isDeleted: removed === 'deleted' }, owner)];
  owner.faults.push(errors.invalidReference(id, at, `${plan.target.name} in ${plan.name}`).asDetail(at));
  return [];
}

// A full replacement removes the entries that the body omits. For a property of the entity itself the new value does.
async function checkLeft(plan: RelatedPlan, numbers: readonly string[], owner: Owner): Promise<readonly Gone[]> {
  const { target, name } = plan;
  const gone: Gone[] = [];
  for (const number of numbers) {
    const { connection, container } = owner.graph;
    const locked = await findRecord(target, byNumber(number), { connection, container }, lockFor(plan, undefined));
    // One fault is reported for all of them.
    if (locked) gone.push(checkGone(plan, locked, { at: name, isDeleted: false }, gone.length === 0 ? owner : { ...owner, faults: [] }));
  }
  return gone;
}

// A dependent entity is deleted with its relation, as with its owner.
function checkGone(
  plan: RelatedPlan,
  locked: LockedRecord,
  { at, isDeleted }: { readonly at: string; readonly isDeleted: boolean },
  { type, faults }: Owner,
): Gone {
  const { navigation, target } = plan;
  const deletes = isDeleted || navigation.owns === true || navigation.contains === true;
  const isOwn = isOwnColumn(navigation, target);
  const fault = { at };
  faults.push(...plan.refuse(deletes ? 'delete' : 'leave', at));
  if (isOwn) faults.push(...lackingFaults(type, nullsOf(valuesForOwn(navigation, type, target, none)), fault));
  else if (!deletes && lackingFaults(target, nullsOf(valuesForOther(navigation, type, target, none)), fault).length > 0)
    faults.push(errors.readOnly(at, `an existing ${target.name} requires its ${type.name}`).asDetail(at));
  return { locked, isDeleted: deletes };
}

/** In place of an entity that does not exist. */
export const none: Stored = { id: '', record: new Map() };

/** The values that remove a relation: nulls for those that make it. */
export function nullsOf(values: StoredRecord): StoredRecord {
  return new Map([...values.keys()].map((name) => [name, null]));
}
