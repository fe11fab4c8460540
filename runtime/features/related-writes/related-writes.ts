import { httpHooks } from '../../http/hooks.js';
import { writeHooks } from '../../plan/write/hooks.js';
import { storeHooks } from '../../store/hooks.js';
import { planMembers } from './plan-members.js';
import { addReference, removeReference, setReferences } from './write-reference.js';
import type { EntityType, StoredRecord } from '../../edm/index.js';
import { requireNoFaults } from '../../errors/catalogue.js';
import { isOwnColumn } from '../../plan/path/navigation-join.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { compileLink, compileUnlink } from '../../sql/compile-relations.js';
import { checkGraph, none, nullsOf, type CheckedGraph, type CheckedMember, type CheckedRelated } from './check-related.js';
import { createGraph, type Graph, insertGraph } from '../../store/create-record.js';
import { deleteRecord } from '../../store/delete-record.js';
import { joiningValues, valuesForOwn } from '../../store/link-records.js';
import { requireAllowed, requireOpen } from '../../store/row-rules.js';
import type { LockedRecord, Stored } from '../../store/stored-record.js';
import { applyValues } from '../../store/store-changes.js';
import { applyUpdate } from '../../store/update-record.js';
import { keepName, type WriteTransaction } from '../../store/write-scope.js';

/** Registers writes of references, and updates with related entities in their bodies. */
export function registerRelatedWrites(): void {
  writeHooks.register({ planMembers });
  storeHooks.register({ updateRelated });
  httpHooks.register({ addReference, setReference: addReference, setReferences, removeReference });
}

/** Checks and stores an update of a locked entity with its related ones (deep update); returns the entity's id. */
async function updateRelated(plan: WritePlan, locked: LockedRecord, scope: WriteTransaction): Promise<string> {
  const graph = createGraph(scope);
  const checked = await checkGraph(plan, locked, graph);
  requireNoFaults(plan.type, checked.faults);
  await applyGraph(checked, new Map(), graph);
  return locked.id;
}

async function applyGraph({ own, related }: CheckedGraph, given: StoredRecord, graph: Graph): Promise<StoredRecord> {
  const { type } = own.plan;
  await requireOpen(type, own.locked, 'update', graph.connection);
  // Referenced entities must exist first.
  const pointing = new Map(given);
  for (const one of related) if (isOwn(one)) for (const [name, value] of await applyPrincipal(one, type, graph)) pointing.set(name, value);
  const record = await applyUpdate(own, graph, pointing);
  keepName(own.plan, own.locked.type, own.locked.id, graph);
  for (const one of related) await applyRelated(one, { type, id: own.locked.id, record }, graph);
  return record;
}

function isOwn({ plan: { navigation, target } }: CheckedRelated): boolean {
  return isOwnColumn(navigation, target);
}

async function applyPrincipal(
  { plan: { navigation, target }, members: [member] }: CheckedRelated,
  type: EntityType,
  graph: Graph,
): Promise<StoredRecord> {
  const principal = member && (await applyMember(member, () => new Map(), graph));
  const values = valuesForOwn(navigation, type, target, principal ?? none);
  return principal ? values : nullsOf(values);
}

interface Owner extends Stored {
  readonly type: EntityType;
}

async function applyRelated(related: CheckedRelated, owner: Owner, graph: Graph): Promise<void> {
  const { plan, members, gone } = related;
  const { navigation } = plan;
  // A relation in a join table is a change of the entity whose property was written.
  if (navigation.through && members.length + gone.length > 0) await requireAllowed(owner.type, owner.id, 'update', graph.connection);
  const joining = (target: EntityType): StoredRecord => joiningValues(navigation, owner.type, target, owner);
  // Removals come first: their successors may have the same unique values.
  for (const { locked, isDeleted } of gone) {
    if (isDeleted) await deleteRecord(locked.type, locked, graph);
    else if (navigation.through) await graph.connection.run(compileUnlink(navigation.through, owner.id, locked.id));
    else if (!isOwn(related)) await applyValues(locked.type, locked, nullsOf(joining(locked.type)), graph);
  }
  if (isOwn(related)) return;
  for (const member of members) {
    const { id } = await applyMember(member, joining, graph);
    if (navigation.through) await graph.connection.run(compileLink(navigation.through, owner.id, id));
  }
}

async function applyMember(member: CheckedMember, joining: (target: EntityType) => StoredRecord, graph: Graph): Promise<Stored> {
  if (member.kind === 'new') return insertGraph(member.plan, joining(member.plan.type), graph);
  const { locked, change } = member;
  const given = joining(locked.type);
  const record = change ? await applyGraph(change, given, graph) : await applyValues(locked.type, locked, given, graph);
  return { id: locked.id, record };
}
