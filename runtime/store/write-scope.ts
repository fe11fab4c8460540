import type { EntityContainer, EntityType, Extensions } from '../edm/index.js';
import type { Caller } from '../plan/caller.js';
import type { WritePlan } from '../plan/write/write-plan.js';

/** What a write needs beside its plan. */
export interface WriteScope {
  readonly container: EntityContainer;
  readonly extensions: Extensions;
  /** Who writes; what a refusal names of other records is what he may read. */
  readonly caller: Caller;
  /** Key of the member behind the request, where the token names one. */
  readonly member: string | undefined;
  /** What the request calls records that it writes, by table and number; kept for the answer. */
  readonly named: Map<string, Map<string, string>>;
}

/** Keeps what the request calls a record that was written. */
export function keepName({ contentId }: WritePlan, { table }: EntityType, id: string, { named }: WriteScope): void {
  if (contentId === undefined) return;
  const names = named.get(table) ?? new Map<string, string>();
  named.set(table, names.set(id, contentId));
}
