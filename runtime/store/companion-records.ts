import { own, type CompanionRecord, type EntityExtension, type EntityType, type StoredRecord } from '../edm/index.js';
import { withArticle } from '../errors/display-name.js';
import { compileInsertNumbered } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import type { NewRecords } from '../sql/stored-cells.js';
import { generatedValues } from './create-record.js';
import type { WriteScope } from './write-scope.js';

type Change = Parameters<NonNullable<EntityExtension['record']>>[0];

/** Inserts the journal entries of a change in its transaction: one statement per entity type. */
export async function insertCompanions(
  extension: EntityExtension | undefined,
  change: Change,
  connection: Connection,
  scope: WriteScope,
): Promise<void> {
  for (const records of companionsOf(extension, change, scope)) await connection.defer(compileInsertNumbered(records));
}

/** The journal entries of a change, by entity type. */
export function companionsOf(extension: EntityExtension | undefined, change: Change, scope: WriteScope): readonly NewRecords[] {
  return [...byType(extension?.record?.(change) ?? [], scope)].map(([type, companions]) =>
    newRecords(type, companions, generatedValues(type.rules.onInsert, change.now)),
  );
}

function newRecords(type: EntityType, companions: readonly CompanionRecord[], generated: StoredRecord): NewRecords {
  const given = new Set(generated.keys());
  for (const { values } of companions) for (const name of values.keys()) given.add(name);
  const names = [...given];
  return {
    type,
    names,
    rows: companions.map(({ values }) => names.map((name) => (values.has(name) ? values : generated).get(name) ?? null)),
  };
}

function byType(companions: readonly CompanionRecord[], { container }: WriteScope): ReadonlyMap<EntityType, readonly CompanionRecord[]> {
  const groups = new Map<EntityType, CompanionRecord[]>();
  for (const companion of companions) {
    const type = own(container.entityTypes, companion.entityType);
    if (type === undefined) throw new Error(`An extension records ${withArticle(companion.entityType)}, and the model has no such type.`);
    const group = groups.get(type);
    if (group === undefined) groups.set(type, [companion]);
    else group.push(companion);
  }
  return groups;
}
