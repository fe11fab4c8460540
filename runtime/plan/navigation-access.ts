import type { EntityType } from '../edm/index.js';
import { readByKey } from './path/by-key.js';
import { errors } from '../errors/catalogue.js';
import { accessTo, type Caller } from './caller.js';
import type { RecordTarget } from './path-target.js';

/** Rejects reading a type without permission; `at` is the option that requires it, if no path does. */
export function requireReadable(type: EntityType, caller: Caller, at?: string): void {
  const access = accessTo(type, 'read', caller);
  if (access.allowed) return;
  const refusal = errors.scopeMissing(`Reading ${type.name}`, access.scopes.join(', '));
  throw at === undefined ? refusal : refusal.at(at);
}

/** Operations that reveal whether an entity exists, with their permissions. */
const revealing = { updateEntity: 'update', replaceEntity: 'update', deleteEntity: 'delete' } as const;

/** Rejects a reference to an entity whose existence the caller may not learn, by reading, changing or deleting it. */
export function requireKnown(type: EntityType, caller: Caller, at?: string): void {
  const isRevealed = type.routes.some(
    ({ operation }) => operation in revealing && accessTo(type, revealing[operation as keyof typeof revealing], caller).allowed,
  );
  if (!isRevealed && !accessTo(readByKey(type), 'read', caller).allowed) requireReadable(type, caller, at);
}

/**
 * Rejects navigation through entities that the caller may not read, since it would reveal their existence and
 * relations. Contained entities have separate permissions. To write a relation of the last entity, knowledge of its
 * existence is enough.
 */
export function requireNavigationAccess({ parents }: Pick<RecordTarget, 'parents'>, caller: Caller, isRelating = false): void {
  for (const [index, { type, contains }] of parents.entries()) {
    if (contains) continue;
    if (index === 0 && isRelating) requireKnown(type, caller);
    else requireReadable(type, caller);
  }
}

/** Rejects naming an entity whose existence the caller may not learn. */
export function requireNameable(place: RecordTarget, caller: Caller, at: string): void {
  requireNavigationAccess(place, caller);
  requireKnown(place.type, caller, at);
}
