import type { Permissions } from '../runtime/edm/index.js';

/** A list for each operation, as `Permissions` have them. */
export type PermissionLists<Item> = {
  readonly [Operation in Exclude<keyof Permissions, 'readByKey'>]: readonly Item[] | undefined;
} & { readonly readByKey?: readonly Item[] };

/** The permissions with the list of each operation changed; no list stays none. */
export function mapPermissions<From, To>(
  permissions: PermissionLists<From>,
  change: (list: readonly From[]) => readonly To[],
): PermissionLists<To> {
  const lists = Object.entries<readonly From[] | undefined>({ ...permissions });
  return Object.fromEntries(lists.map(([operation, list]) => [operation, list && change(list)])) as PermissionLists<To>;
}
