import { propertyOf, targetOf, type EntityType, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { compileRivals, compileSole } from '../sql/compile-relations.js';
import type { Connection } from '../sql/statement.js';
import type { WriteScope } from './write-scope.js';

/** Keeps one-to-one relations unique: clears another entity's reference to the target, or rejects the write. */
export async function keepPartnersSole(
  type: EntityType,
  id: string,
  changes: StoredRecord,
  connection: Connection,
  { container }: Pick<WriteScope, 'container'>,
): Promise<void> {
  for (const [name, navigation] of Object.entries(type.navigation)) {
    if (!navigation.sole || !Object.keys(navigation.join).some((column) => changes.has(propertyOf(type, column)))) continue;
    const target = targetOf(container, navigation);
    for (const statement of compileSole(type, target, navigation, id)) await connection.defer(statement);
    if (navigation.sole === 'frees') continue;
    const rivals = await connection.run(compileRivals(type, navigation, id));
    if (rivals.length > 0)
      throw errors.conflict(`Another ${type.name} requires this ${target.name}; change or delete that one first.`).at(name);
  }
}
