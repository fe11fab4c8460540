import { own, type CompanionRecord, type EntityExtension, type EntityType, type StoredRecord } from '../edm/index.js';
import type { Companions } from '../sql/compile-at-once.js';
import { compileInsertNumbered } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { generatedValues } from './create-record.js';
import type { WriteScope } from './write-scope.js';

type Change = Parameters<NonNullable<EntityExtension['record']>>[0];

/** Stores the records that tell of a change, in the change's own transaction: one statement an entity type. */
export async function insertCompanions(extension: EntityExtension | undefined, change: Change, connection: Connection, scope: WriteScope): Promise<void> {
  for (const { type, records } of companionsOf(extension, change, scope)) await connection.defer(compileInsertNumbered(type, records));
}

/** The records that tell of a change, by entity type. */
export function companionsOf(extension: EntityExtension | undefined, change: Change, scope: WriteScope): readonly Companions[] {
  return [...byType(extension?.record?.(change) ?? [], scope)].map(([type, companions]) => {
    const generated = generatedValues(type.rules.onInsert, change.now);
    return { type, records: companions.map(({ values }): StoredRecord => new Map([...generated, ...values])) };
  });
}

function byType(companions: readonly CompanionRecord[], { container }: WriteScope): ReadonlyMap<EntityType, readonly CompanionRecord[]> {
  const groups = new Map<EntityType, CompanionRecord[]>();
  for (const companion of companions) {
    const type = own(container.entityTypes, companion.entityType);
    if (type === undefined) throw new Error(`An extension records a ${companion.entityType}, and the model has no such type.`);
    groups.set(type, [...(groups.get(type) ?? []), companion]);
  }
  return groups;
}
