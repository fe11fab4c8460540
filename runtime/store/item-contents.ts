import { stepsOf, targetOf, type EntityContainer, type EntityType, type StoredRecord } from '../edm/index.js';
import { compileDropContents } from '../sql/compile-release.js';
import type { Connection } from '../sql/statement.js';
import { parseValue, valuesAt } from './item-links.js';

/** Deletes what items of a record contained that are there no more: its contained records that no item of the new value has the mark of. */
export async function dropContents({ itemNavigation = {} }: EntityType, id: string, changes: StoredRecord, connection: Connection, container: EntityContainer): Promise<void> {
  for (const [path, navigation] of Object.entries(itemNavigation)) {
    const [root = '', ...names] = [...stepsOf(path).steps.map(({ name }) => name), ...Object.keys(navigation.join)];
    if (navigation.contains === undefined || !changes.has(root)) continue;
    const value = changes.get(root);
    const kept = typeof value === 'string' ? valuesAt(parseValue(value), names, root).map(([, mark]) => mark) : [];
    await connection.defer(compileDropContents(targetOf(container, navigation), navigation.contains, id, kept));
  }
}
