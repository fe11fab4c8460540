import type { EntityType } from '../edm/index.js';
import { readByKey } from './path/by-key.js';
import { errors } from '../errors/catalogue.js';
import { accessTo, type Caller } from './caller.js';
import type { RecordTarget } from './path-target.js';

/** Refuses to read records of a type that none of the caller's scopes shows; `at` is what asks for it, where that is no path. */
export function requireReadable(type: EntityType, caller: Caller, at?: string): void {
  const access = accessTo(type, 'read', caller);
  if (access.allowed) return;
  const refusal = errors.scopeMissing(`Reading ${type.name}`, access.scopes.join(', '));
  throw at === undefined ? refusal : refusal.at(at);
}

/** Operations that tell whether there is a record of a key, and the permission that each asks for. */
const telling = { updateEntity: 'update', replaceEntity: 'update', deleteEntity: 'delete' } as const;

/** Refuses to refer to records of which the caller may not know whether they are there: who may read them, in the collection or by key, change or delete them learns that anyway. */
export function requireKnown(type: EntityType, caller: Caller, at?: string): void {
  const isTold = type.routes.some(
    ({ operation }) => operation in telling && accessTo(type, telling[operation as keyof typeof telling], caller).allowed,
  );
  if (!isTold && !accessTo(readByKey(type), 'read', caller).allowed) requireReadable(type, caller, at);
}

/**
 * Refuses a path that leads on from records which the caller may not read: that they are there, and where they lead, is
 * theirs to tell. What a record contains has permissions of its own. Where the relation to the last of them is what is
 * written, it is enough to know of that one.
 */
export function requirePassage({ parents }: Pick<RecordTarget, 'parents'>, caller: Caller, isRelating = false): void {
  for (const [index, { type, contains }] of parents.entries()) {
    if (contains) continue;
    if (index === 0 && isRelating) requireKnown(type, caller);
    else requireReadable(type, caller);
  }
}

/** Refuses to name a record of which the caller may not know whether it is there. */
export function requireNameable(place: RecordTarget, caller: Caller, at: string): void {
  requirePassage(place, caller);
  requireKnown(place.type, caller, at);
}
