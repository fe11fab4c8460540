import { httpHooks } from '../../http/hooks.js';
import { writeHooks } from '../../plan/write/hooks.js';
import { storeHooks } from '../../store/hooks.js';
import { planMembers } from './plan-members.js';
import { type EntityType, type StoredRecord, isDirect, isOfKey } from '../../edm/index.js';
import { requireNoFaults, errors } from '../../errors/catalogue.js';
import { isOwnColumn, holderOf, linkingProperties } from '../../plan/path/navigation-join.js';
import type { WritePlan, Link } from '../../plan/write/write-plan.js';
import { compileLink, compileUnlink } from '../../sql/compile-relations.js';
import { checkGraph, none, nullsOf, type CheckedGraph, type CheckedMember, type CheckedRelated } from './check-related.js';
import { createGraph, type Graph, insertGraph } from '../../store/create-record.js';
import { deleteRecord } from '../../store/delete-record.js';
import { joiningValues, valuesForOwn } from '../../store/link-records.js';
import { requireAllowed, requireOpen } from '../../store/row-rules.js';
import type { LockedRecord, Stored } from '../../store/stored-record.js';
import { applyValues } from '../../store/store-changes.js';
import { applyUpdate, updateRecord } from '../../store/update-record.js';
import { keepName, type WriteTransaction } from '../../store/write-scope.js';
import { idOf, isReference } from '../../plan/write/entity-body.js';
import { planRelation } from '../../plan/write/plan-graph.js';
import { ODataError } from '../../errors/odata-error.js';
import { displayName } from '../../errors/suggest.js';
import { asTarget, requireUnrestricted, unusableId, type GraphContext } from '../../plan/write/plan-link.js';
import { isArray, type Json, isObject } from '../../json/json.js';
import { rootOf, type Caller, requireNameable } from '../../plan/caller.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { Connection } from '../../sql/statement.js';
import { linkRecord, unlinkRecord, unlinkAll } from './relate-records.js';
import { isRemoved } from '../../store/nested-values.js';
import type { Exchange } from '../../http/service.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { conditionsOf } from '../../protocol/precondition.js';
import { readBody } from '../../protocol/request-body.js';
import type { RecordsTarget } from '../../protocol/routes.js';
import { lockMeeting, refer, relationOf, writeContext, writeTransaction, type AddressedRelation } from '../../http/write/write-context.js';

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

async function applyPrincipal(related: CheckedRelated, type: EntityType, graph: Graph): Promise<StoredRecord> {
  const {
    plan: { navigation, target },
    members: [member],
  } = related;
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

/** POST to a collection's references, or PUT of a reference: the record is a target from now on (protocol 11.4.6.1 and 11.4.6.3). */
async function addReference(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const relation = changeableRelation(target, exchange);
  const link = linkOf(await sentId(exchange), relation, exchange);
  return write(relation, exchange, (locked, connection) =>
    linkRecord(relation.parent.type, locked, link, writeTransaction(exchange, connection)),
  );
}

/** PUT of a collection's references: those records belong to it from now on, and no others (protocol 11.4.6.4). */
async function setReferences(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const relation = changeableRelation(target, exchange);
  const plan = planReferences(relation.parent.type, relation.name, await sentReferences(exchange), writeContext(exchange));
  return write(
    relation,
    exchange,
    async (locked, connection) => void (await updateRecord(plan, locked, writeTransaction(exchange, connection))),
  );
}

/** DELETE of a reference: the only one, or the one of the key or `$id` (protocol 11.4.6.2). */
async function removeReference(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const { id } = exchange.options;
  const relation = changeableRelation(target, exchange);
  const one = id === undefined ? relation.one : recordOf(id, relation, exchange);
  return write(relation, exchange, async (locked, connection) => {
    const scope = writeTransaction(exchange, connection);
    if (relation.navigation.collection && one === undefined) return unlinkAll(relation.parent.type, locked, relation, scope);
    await unlinkRecord(relation.parent.type, locked, { ...relation, ...(one && { one }) }, scope);
  });
}

async function sentReferences({ request }: Exchange): Promise<readonly Json[]> {
  const value = (await readBody(request)).members.get('value');
  if (value === undefined || !isArray(value))
    throw errors.missingRequired('value', 'The body must be an object with the references as value.').at('value');
  return value.items;
}

function changeableRelation(target: RecordsTarget, exchange: Exchange): AddressedRelation {
  const relation = relationOf(target, exchange);
  requireChangeable(relation, exchange.caller);
  return relation;
}

// A reference in the key, or an immutable one, stays.
function requireChangeable({ parent: { type }, name, navigation, target }: AddressedRelation, caller: Caller): void {
  const holder = holderOf(navigation, type, target);
  const linking = linkingProperties(type, navigation, target);
  requireWritable(holder, 'update', caller);
  requireUnrestricted(type, 'update', [rootOf(name)], caller);
  requireUnrestricted(holder, 'update', linking, caller);
  if (navigation.follows)
    throw errors
      .notSaved(displayName(holder.name))
      .with([errors.readOnly(name, `it follows from ${navigation.follows.join(' and ')}`).asDetail(name)]);
  const isFixed = linking.some((property) => isOfKey(holder, property) || holder.rules.immutable.includes(property));
  if (isFixed)
    throw errors.notSaved(displayName(holder.name)).with([errors.readOnly(name, 'it can be set only on creation').asDetail(name)]);
}

async function sentId({ request }: Exchange): Promise<string> {
  const id = idOf(await readBody(request));
  if (id === undefined) throw errors.missingRequired('@odata.id').at('@odata.id');
  return id;
}

function linkOf(id: string, relation: AddressedRelation, exchange: Exchange): Link {
  const { name, navigation, target } = relation;
  return { name, navigation, target, place: recordOf(id, relation, exchange), id: id.slice(0, 64), at: name };
}

function recordOf(id: string, { name, target }: Pick<AddressedRelation, 'name' | 'target'>, exchange: Exchange): RecordTarget {
  const place = refer(id, exchange);
  if (place instanceof ODataError) throw place.status === 404 ? unusableId(id, name, target, place).at(name) : place;
  const referred = asTarget(place, target);
  if (referred === undefined) throw unusableId(id, name, target, place).at(name);
  requireNameable(referred, exchange.caller, name);
  return referred;
}

async function write(
  { parent, name }: Pick<AddressedRelation, 'parent' | 'name'>,
  exchange: Exchange,
  change: (locked: Awaited<ReturnType<typeof lockMeeting>>, connection: Connection) => Promise<void>,
): Promise<ODataResponse> {
  const { request, service, version } = exchange;
  await service.store.transaction(async (connection) => {
    const locked = await lockMeeting(parent, conditionsOf(request), connection, exchange);
    // A missing complex value has no references.
    if (!isDirect(name) && isRemoved(name, locked.record, service.container))
      throw errors.notFound(`value of this ${locked.type.name} that contains ${name}`);
    await change(locked, connection);
  }, request.recipient);
  return emptyResponse(204, version);
}

// The targets of a navigation property; the entity itself does not change.
function planReferences(type: EntityType, name: string, references: readonly Json[], context: GraphContext): WritePlan {
  const wrong = references.findIndex((json) => !isObject(json) || !isReference(json));
  if (wrong >= 0) throw errors.wrongJsonType(`value[${wrong}]`, 'an object with an @id', 'another type').at(`value[${wrong}]`);
  return planRelation(type, name, { kind: 'array', items: references }, { ...context, version: '4.01' });
}
