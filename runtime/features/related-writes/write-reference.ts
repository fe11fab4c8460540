import { idOf, isReference } from '../../plan/write/entity-body.js';
import { planRelation } from '../../plan/write/plan-graph.js';
import { type EntityType, isDirect, isOfKey } from '../../edm/index.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { displayName } from '../../errors/suggest.js';
import { holderOf, linkingProperties } from '../../plan/path/navigation-join.js';
import { asTarget, requireUnrestricted, unusableId, type GraphContext } from '../../plan/write/plan-link.js';
import { isArray, type Json, isObject } from '../../json/json.js';
import { rootOf, type Caller, requireNameable } from '../../plan/caller.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import { requireWritable } from '../../plan/write/plan-write.js';
import type { Link, WritePlan } from '../../plan/write/write-plan.js';
import type { Connection } from '../../sql/statement.js';
import { linkRecord, unlinkRecord, unlinkAll } from './relate-records.js';
import { isRemoved } from '../../store/nested-values.js';
import { updateRecord } from '../../store/update-record.js';
import type { Exchange } from '../../http/service.js';
import { emptyResponse, type ODataResponse } from '../../protocol/message.js';
import { conditionsOf } from '../../protocol/precondition.js';
import { readBody } from '../../protocol/request-body.js';
import type { RecordsTarget } from '../../protocol/routes.js';
import { lockMeeting, refer, relationOf, writeContext, writeTransaction, type AddressedRelation } from '../../http/write/write-context.js';

/** POST to a collection's references, or PUT of a reference: the record is a target from now on (protocol 11.4.6.1 and 11.4.6.3). */
export async function addReference(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const relation = changeableRelation(target, exchange);
  const link = linkOf(await sentId(exchange), relation, exchange);
  return write(relation, exchange, (locked, connection) =>
    linkRecord(relation.parent.type, locked, link, writeTransaction(exchange, connection)),
  );
}

/** PUT of a collection's references: those records belong to it from now on, and no others (protocol 11.4.6.4). */
export async function setReferences(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
  const relation = changeableRelation(target, exchange);
  const plan = planReferences(relation.parent.type, relation.name, await sentReferences(exchange), writeContext(exchange));
  return write(
    relation,
    exchange,
    async (locked, connection) => void (await updateRecord(plan, locked, writeTransaction(exchange, connection))),
  );
}

/** DELETE of a reference: the only one, or the one of the key or `$id` (protocol 11.4.6.2). */
export async function removeReference(target: RecordsTarget, exchange: Exchange): Promise<ODataResponse> {
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
