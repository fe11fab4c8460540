import { errors } from '../errors/catalogue.js';
import type { WriteContext } from '../plan/plan-write.js';
import { etagOf } from '../response/record-writer.js';
import type { Place } from '../sql/compile-target.js';
import type { Connection } from '../sql/statement.js';
import { findTarget } from '../store/locate-record.js';
import type { LockedRecord } from '../store/stored-record.js';
import type { WriteScope } from '../store/write-scope.js';
import type { Exchange } from './exchange.js';
import { requireMet, type Conditions } from './precondition.js';
import { bodyFormat } from './request-body.js';

/** What planning a body needs of its request. */
export function writeContext({ service, caller, request, preferences }: Exchange): WriteContext {
  return { container: service.container, caller, format: bodyFormat(request), ...(preferences.strict && { strict: true }) };
}

/** What storing needs of its request. */
export function writeScope({ service, caller }: Exchange): WriteScope {
  return { container: service.container, extensions: service.extensions, member: caller.member };
}

/** The record that a path leads to, locked and as the conditions ask; undefined where there is none. */
export async function findMeeting(place: Place, conditions: Conditions, connection: Connection): Promise<LockedRecord | undefined> {
  const locked = await findTarget(place, connection);
  if (locked) requireMet(conditions, etagOf(locked.version), place.type.etag?.required ?? false);
  return locked;
}

/** The record that a path leads to, locked and as the conditions ask; 404 where there is none. */
export async function lockMeeting(place: Place, conditions: Conditions, connection: Connection): Promise<LockedRecord> {
  const locked = await findMeeting(place, conditions, connection);
  if (locked === undefined) throw errors.notFound(`${place.type.name} with that key`);
  return locked;
}
