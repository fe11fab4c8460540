import type { EntityType, Permission } from '../edm/index.js';

/** Who is asking, as the verified token says. */
export interface Caller {
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** Key of the member that the token stands for, where it names one. */
  readonly member?: string;
}

/** What a caller may do with an entity type by one operation. */
export type Access =
  { readonly allowed: false; readonly scopes: readonly string[] } | { readonly allowed: true; readonly restricted: ReadonlySet<string> };

const everything: Access = { allowed: true, restricted: new Set() };

type Operation = keyof EntityType['permissions'];

const accesses = new WeakMap<Caller, WeakMap<EntityType, { [Name in Operation]?: Access }>>();

/** A property is restricted when every scope of the caller that permits the operation leaves it out. */
export function accessTo(type: EntityType, operation: Operation, caller: Caller): Access {
  if (type.permissions[operation] === undefined && (operation !== 'read' || type.hidden === undefined)) return everything;
  const types = accesses.get(caller) ?? new WeakMap<EntityType, { [Name in Operation]?: Access }>();
  accesses.set(caller, types);
  const known = types.get(type) ?? {};
  types.set(type, known);
  return (known[operation] ??= withoutHidden(findAccess(type.permissions[operation], caller), operation, type));
}

/** The property of the record that a path begins with, which permissions name. */
export function rootOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** Whether a caller who may read the records does not see what a path begins with: a property, or where they lead. */
export function isHidden(type: EntityType, path: string, caller: Caller): boolean {
  const access = accessTo(type, 'read', caller);
  return access.allowed && access.restricted.has(rootOf(path));
}

/** Whether a caller may read the records and what a path begins with. */
export function isSeen(type: EntityType, path: string, caller: Caller): boolean {
  return accessTo(type, 'read', caller).allowed && !isHidden(type, path, caller);
}

// Nobody knows of these, whatever is permitted.
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
