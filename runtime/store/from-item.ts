import { randomUUID } from 'node:crypto';
import { itemColumn, type EntityContainer, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { isObject } from '../json/json.js';
import { printJson } from '../json/print-json.js';
import type { ItemMeeting } from '../plan/read-plan.js';
import { propertyPath, storedPath } from '../plan/write/stored-path.js';
import type { ValuePath } from '../plan/value/changed-items.js';
import { compileMarked } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { editedAt, storedValue, valueAt } from './item-value.js';
import type { LockedRecord } from './stored-record.js';

/** What makes a new record one that an item of a locked record contains: the record's number, and the mark of the item, which it is given where it contains nothing yet. */
export async function fromItem(
  { path, member, contains = '' }: ItemMeeting,
  locked: LockedRecord,
  connection: Connection,
  container: EntityContainer,
): Promise<StoredRecord> {
  const names = placeOfValue(path, locked, container);
  const [root = '', ...inner] = names;
  const value = storedValue(locked.record, String(root));
  const item = valueAt(value, inner);
  const known = isObject(item) ? item.members.get(member) : undefined;
  const mark = typeof known === 'string' ? known : randomUUID();
  if (mark !== known) {
    const marked = editedAt(value, inner, ({ members }) => ({ kind: 'object', members: new Map([...members, [member, mark]]) }));
    await connection.run(compileMarked(locked.type, locked.id, new Map([[String(root), printJson(marked)]])));
  }
  return new Map([
    [contains, locked.id],
    [itemColumn, mark],
  ]);
}

/** Where the value of a path is within a locked record; 404 where it is null. */
export function placeOfValue(path: string, { type, record }: LockedRecord, container: EntityContainer): ValuePath {
  const { names, type: complex } = storedPath(propertyPath(path), type, record, container);
  if (complex === undefined) throw errors.notFound(`value of ${path}`, ' It is null: PUT or PATCH it first.').at(path);
  return names;
}
