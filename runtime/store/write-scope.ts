import type { EntityContainer, EntityType, Extensions } from '../edm/index.js';
import type { Caller } from '../plan/caller.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import type { Connection } from '../sql/statement.js';

/** The context of a write. */
export interface WriteScope {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  /** The writing caller; messages name other entities only as far as the caller may read them. */
  readonly caller: Caller;
  /** The key of the member that the token names, if any. */
  readonly member: string | undefined;
  /** The names that the request gives written entities, by table and id; kept for the answer. */
  readonly named: Map<string, Map<string, string>>;
}

/** The context of a write within its transaction. */
export interface WriteTransaction extends WriteScope {
  readonly connection: Connection;
}

/** Keeps the request's name of a written entity. */
export function keepName({ contentId }: WritePlan, { table }: EntityType, id: string, { named }: WriteScope): void {
  if (contentId === undefined) return;
  const names = named.get(table) ?? new Map<string, string>();
  named.set(table, names.set(id, contentId));
}
