import { own, type CompanionRecord, type EntityExtension, type EntityType } from '../edm/index.js';
import { compileInsert } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { generatedKey, generatedValues, nextId } from './create-record.js';
import type { WriteScope } from './write-scope.js';

type Change = Parameters<NonNullable<EntityExtension['record']>>[0];

/** Stores the records that tell of a change, in the change's own transaction. */
export async function insertCompanions(extension: EntityExtension | undefined, change: Change, connection: Connection, scope: WriteScope): Promise<void> {
  for (const companion of extension?.record?.(change) ?? []) await insertCompanion(companion, connection, scope);
}

async function insertCompanion({ entityType, values }: CompanionRecord, connection: Connection, { container }: WriteScope): Promise<void> {
  const type = own(container.entityTypes, entityType);
  if (type === undefined) throw new Error(`An extension records a ${entityType}, and the model has no such type.`);
  await connection.run(await compileCompanion(type, values, connection));
}

async function compileCompanion(type: EntityType, values: CompanionRecord['values'], connection: Connection): Promise<ReturnType<typeof compileInsert>> {
  const { id, now } = await nextId(type, connection);
  return compileInsert(type, id, new Map([...generatedValues(type.rules.onInsert, now), ...generatedKey(type, id), ...values]));
}
