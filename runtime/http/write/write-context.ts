import { navigationOf } from '../../edm/index.js';
import { beginOf } from '../../plan/shown-path.js';
import type { RecordsTarget } from '../../protocol/routes.js';
import { errors } from '../../errors/catalogue.js';
import { ODataError } from '../../errors/odata-error.js';
import { missingRecord } from '../../plan/path/mistaken-segments.js';
import type { GraphContext } from '../../plan/write/plan-link.js';
import { planPath } from '../../plan/read/plan-path.js';
import type { RecordTarget } from '../../plan/path/path-target.js';
import type { Relation } from '../../plan/write/write-plan.js';
import { createAliases } from '../../plan/scope.js';
import { parseResourcePath } from '../../uri/parse-resource-path.js';
import { etagOf } from '../../response/record-format.js';
import type { Place } from '../../sql/compile-target.js';
import { compileMissing } from '../../sql/compile-lock.js';
import type { Connection } from '../../sql/statement.js';
import { findTarget } from '../../store/locate-record.js';
import type { LockedRecord } from '../../store/stored-record.js';
import type { WriteScope, WriteTransaction } from '../../store/write-scope.js';
import { parseEntityId } from '../../protocol/entity-id.js';
import type { Exchange } from '../service.js';
import { versionOfBody } from '../../protocol/negotiate.js';
import { matchesETag, nestedConditions, requireMet, type Conditions } from '../../protocol/precondition.js';
import { bodyFormat } from '../../protocol/request-body.js';

/** The context for planning a body: the request, and the location of a new entity. */
export function writeContext(exchange: Exchange, { given, key }: Pick<GraphContext, 'given' | 'key'> = {}): GraphContext {
  const { service, caller, request, preferences, context } = exchange;
  return {
    container: service.container,
    caller,
    format: bodyFormat(request),
    version: versionOfBody(request),
    refer: (id) => refer(id, exchange),
    requireCurrent: (body, record) => requireCurrent(nestedConditions(request, body), record),
    strict: preferences.strict,
    advice: context.advice,
    given,
    key,
  };
}

// The condition of a nested entity is the ETag in its body; headers apply to the addressed entity.
function requireCurrent({ inBody }: Conditions, { type, version, at }: Parameters<GraphContext['requireCurrent']>[1]): void {
  if (inBody === undefined && version !== undefined && type.etag?.required)
    throw errors.preconditionRequired('with its @etag in the body').at(at);
  if (inBody === undefined || (version !== undefined && matchesETag(inBody, etagOf(version)))) return;
  throw errors
    .preconditionFailed(
      version === undefined
        ? 'The record does not exist, but its @etag requires it.'
        : 'The record has changed since its @etag was issued; read it again.',
    )
    .at(at);
}

/** Resolves the entity-id of a body or of `$id`; within a batch it may be a reference to another request. */
export function refer(id: string, { request, service, context }: Exchange): RecordTarget | ODataError {
  try {
    const referred = id.startsWith('$') ? request.resolve?.(id) : undefined;
    const base = { root: service.root, host: request.header('host'), path: request.path };
    const path = referred === undefined ? parseEntityId(id, base) : parseResourcePath(referred);
    const target = planPath(path, { ...context, aliases: createAliases() });
    return target.kind === 'entity' && target.suffix === '' ? target : errors.notFound('single record at that address');
  } catch (failure) {
    if (failure instanceof ODataError) return failure;
    throw failure;
  }
}

/** The context for storing. */
export function writeScope({ service, caller }: Exchange): WriteScope {
  return { container: service.container, extensions: service.extensions, caller, member: caller.member, named: new Map() };
}

/** The context of a write within its transaction. */
export function writeTransaction(exchange: Exchange, connection: Connection): WriteTransaction {
  return { ...writeScope(exchange), connection };
}

/** Locks the entity of a path and checks the conditions; undefined if there is none. */
export async function findMeeting(
  place: Place,
  conditions: Conditions,
  connection: Connection,
  { service }: Exchange,
): Promise<LockedRecord | undefined> {
  const locked = await findTarget(place, { connection, container: service.container });
  if (locked) requireMet(conditions, etagOf(locked.version), place.type.etag?.required ?? false);
  return locked;
}

/** Looks up an entity again under a lock, so that only one of several concurrent requests creates it. */
export async function findCreated(
  place: Place,
  conditions: Conditions,
  connection: Connection,
  exchange: Exchange,
): Promise<LockedRecord | undefined> {
  await connection.defer(compileMissing(place.type, place.key));
  return findMeeting(place, conditions, connection, exchange);
}

/** Locks the entity of a path and checks the conditions; 404 if there is none. */
export async function lockMeeting(place: Place, conditions: Conditions, connection: Connection, exchange: Exchange): Promise<LockedRecord> {
  const locked = await findMeeting(place, conditions, connection, exchange);
  if (locked === undefined) throw missingRecord(place.type);
  return locked;
}

/** The entity and the navigation property of an addressed reference. */
export interface AddressedRelation extends Relation {
  readonly parent: RecordTarget;
  /** The target entity, by a key after the navigation property. */
  readonly one?: RecordTarget;
}

/** The addressed relation: the path before the navigation property is that of its entity. */
export function relationOf(target: RecordsTarget, { request, context }: Exchange): AddressedRelation {
  const { parts } = parseResourcePath(request.path);
  const parent = planPath({ parts: parts.slice(0, beginOf(target.via ?? '', parts)) }, { ...context, aliases: createAliases() });
  const navigation = parent.kind === 'entity' && target.via !== undefined ? navigationOf(parent.type, target.via) : undefined;
  if (parent.kind !== 'entity' || navigation === undefined || target.via === undefined)
    throw new Error('A path with references follows a record.');
  const relation = { parent, name: target.via, navigation, target: target.type };
  return navigation.collection && target.kind === 'entity' ? { ...relation, one: target } : relation;
}
