import { propertyOf, targetOf, type EntityType, type Navigation, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { compileReturns, compileRivals, compileSole } from '../sql/compile-symmetric.js';
import type { Connection } from '../sql/statement.js';
import type { WriteScope } from './write-scope.js';

/**
 * Follows what a stored record says by navigation properties whose partners lead to one record. Where a property is its own
 * partner, the other record says it too, and those that were left say nothing; of others, nobody else leads to the same record.
 */
export async function leadBack(type: EntityType, id: string, changes: StoredRecord, connection: Connection, scope: Pick<WriteScope, 'container'>): Promise<void> {
  for (const [name, navigation] of Object.entries(type.navigation)) {
    if (!navigation.symmetric && !navigation.sole) continue;
    if (!Object.keys(navigation.join).some((column) => changes.has(propertyOf(type, column)))) continue;
    if (navigation.symmetric) for (const statement of compileReturns(type, navigation, id)) await connection.defer(statement);
    if (navigation.sole) await beSole(type, { name, navigation, id }, connection, scope);
  }
}

async function beSole(type: EntityType, { name, navigation, id }: { readonly name: string; readonly navigation: Navigation; readonly id: string }, connection: Connection, { container }: Pick<WriteScope, 'container'>): Promise<void> {
  const target = targetOf(container, navigation);
  for (const statement of compileSole(type, target, navigation, id)) await connection.defer(statement);
  if (navigation.sole === 'frees') return;
  const rivals = await connection.run(compileRivals(type, navigation, id));
  if (rivals.length > 0) throw errors.conflict(`Another ${type.name} leads to this ${target.name} and cannot be without it; change or delete that one first.`).at(name);
}
