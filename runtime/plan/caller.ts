import { own, type EntityContainer, type EntityType, type Permission, type Permissions } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { readByKey } from './path/derivation.js';
import { listsOf } from './row-filter.js';
import type { ParentStep } from './read-plan.js';
import { memoized } from '../edm/memoized.js';

/** The caller, from the verified token. */
export interface Caller {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The key of the member that the token names, if any. */
  readonly member?: string;
}

/** The access of a caller to an entity type by one operation. */
export type Access =
  | { readonly allowed: false; readonly scopes: readonly string[] }
  | { readonly allowed: true; readonly restricted: ReadonlySet<string> };

/** The permissions of a type that any token permits to read and change. */
export const everybody: Permissions = { read: undefined, insert: undefined, update: undefined, delete: undefined };

const everything: Access = { allowed: true, restricted: new Set() };

type Operation = keyof EntityType['permissions'];

const accessesOf = memoized((_caller: Caller) => memoized((_type: EntityType): { [Name in Operation]?: Access } => ({})));

/** A property is restricted if every permitting scope of the caller excludes it. */
export function accessTo(type: EntityType, operation: Operation, caller: Caller): Access {
  if (type.permissions[operation] === undefined && (operation !== 'read' || type.hidden === undefined)) return everything;
  const known = accessesOf(caller)(type);
  return (known[operation] ??= withoutHidden(findAccess(type.permissions[operation], caller), operation, type));
}

/** The scopes in the model's permissions. */
export function scopesOf({ entityTypes }: EntityContainer): ReadonlySet<string> {
  const lists = Object.values(entityTypes).flatMap(({ permissions }) => listsOf(permissions));
  return new Set(lists.flatMap(([, list]) => list.map(({ scope }) => scope)));
}

/** The first property of a path, which permissions name. */
export function rootOf(path: string): string {
  const end = path.indexOf('/');
  return end < 0 ? path : path.slice(0, end);
}

/** Whether the first property of a path is hidden from a caller who may read the entities. */
export function isHidden(type: EntityType, path: string, caller: Caller): boolean {
  const access = accessTo(type, 'read', caller);
  return access.allowed && access.restricted.has(rootOf(path));
}

/** Whether a caller may read the entities and the first property of a path. */
export function isSeen(type: EntityType, path: string, caller: Caller): boolean {
  return accessTo(type, 'read', caller).allowed && !isHidden(type, path, caller);
}

/** The properties of the key, as paths, without internal ones, which mirror the key of a related entity. */
export function keyPaths({ key, keyFields = {}, hidden = [] }: EntityType): readonly string[] {
  return key.map((name) => own(keyFields, name)?.path ?? name).filter((path) => !hidden.includes(path));
}

/** A property of the key that the caller may not read, so that no address may contain it. */
export function hiddenKey(type: EntityType, caller: Caller): string | undefined {
  return keyPaths(type).find((path) => !isSeen(type, path, caller));
}

/** Rejects references to records whose key the caller may not read. */
export function requireShownKey(type: EntityType, caller: Caller): void {
  const name = hiddenKey(type, caller);
  if (name !== undefined) throw errors.notPermitted(name).at('$ref');
}

// Internal properties are hidden from everybody.
function withoutHidden(access: Access, operation: Operation, { hidden }: EntityType): Access {
  return access.allowed && hidden && operation === 'read'
    ? { allowed: true, restricted: new Set([...access.restricted, ...hidden]) }
    : access;
}

function findAccess(permissions: readonly Permission[] | undefined, caller: Caller): Access {
  if (permissions === undefined) return everything;
  const granted = permissions.filter(({ scope }) => caller.scopes.has(scope));
  if (granted.length === 0) return { allowed: false, scopes: permissions.map(({ scope }) => scope) };
  return { allowed: true, restricted: commonExceptions(granted) };
}

function commonExceptions(granted: readonly Permission[]): ReadonlySet<string> {
  const [first, ...others] = granted;
  return new Set(first?.except.filter((name) => others.every(({ except }) => except.includes(name))));
}

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
 * Rejects navigation through entities that the caller may not read, since it would reveal their existence and relations. Contained entities
 * have separate permissions. To write a relation of the last entity, knowledge of its existence is enough.
 */
export function requireNavigationAccess(
  { parents }: { readonly parents: readonly ParentStep[] },
  caller: Caller,
  isRelating = false,
): void {
  for (const [index, { type, contains }] of parents.entries()) {
    if (contains) continue;
    if (index === 0 && isRelating) requireKnown(type, caller);
    else requireReadable(type, caller);
  }
}

/** Rejects naming an entity whose existence the caller may not learn. */
export function requireNameable(
  place: { readonly type: EntityType; readonly parents: readonly ParentStep[] },
  caller: Caller,
  at: string,
): void {
  requireNavigationAccess(place, caller);
  requireKnown(place.type, caller, at);
}
