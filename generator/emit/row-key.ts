import type { ForeignKey } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';

/** A foreign key of one column with the numbers of rows; `onDelete` is `cascade` for parts of what it references. */
export function rowKey(name: string, column: string, principal: string, onDelete?: 'cascade'): ForeignKey {
  const reference = { columns: [column], principal, principalColumns: ['#id'] };
  return { kind: 'foreign key', name: databaseName(name), ...reference, ...(onDelete && { onDelete }) };
}
