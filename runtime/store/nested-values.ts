import type { EntityContainer, EntityType, PrimitiveTypeName, StoredRecord, StoredValue } from '../edm/index.js';
import { isDirect, propertyOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import type { ErrorDetail } from '../errors/odata-error.js';
import { isNumber, isObject, type Json, jsonObject } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import { isSeen, rootOf } from '../plan/caller.js';
import { stepsOf, valueAlong } from '../plan/path/nested-path.js';
import { shownPath } from '../plan/shown-path.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { databaseText } from '../schema/identifier.js';
import { compileUnlink } from '../sql/compile-relations.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope, WriteTransaction } from './write-scope.js';

/** The value of a column in the database's text form; for a nested key property that of the complex value's member. */
export function columnValue(type: EntityType, record: StoredRecord, column: string): StoredValue {
  const within = Object.values(type.keyFields ?? {}).find((field) => field.column === column);
  return within === undefined ? (record.get(propertyOf(type, column)) ?? null) : textWithin(record, within.path, within.type);
}

/** The value at a path into a complex value, in the database's text form. */
export function textWithin(record: StoredRecord, path: string, type: PrimitiveTypeName): string | null {
  const text = valueWithin(record, path);
  return text === null ? null : databaseText(type, text);
}

/** The value in its JSON form, ignoring type casts of the path. */
export function valueWithin(record: StoredRecord, path: string): string | null {
  const [first = '', ...names] = shownPath(path);
  const stored = record.get(first);
  if (typeof stored !== 'string') return null;
  if (names.length === 0) return stored;
  const value = names.reduce<Json>(
    (json, name) => (isObject(json) ? (json.members.get(name) ?? null) : null),
    parseJsonObject(Buffer.from(stored)),
  );
  if (typeof value === 'string' || value === null) return value;
  return isNumber(value) ? value.text : String(value);
}

/** Removes the many-to-many links of removed complex values. */
export async function unlinkWithin(
  { navigation }: EntityType,
  { id }: LockedRecord,
  changes: StoredRecord,
  { connection, container }: WriteTransaction,
): Promise<void> {
  for (const [path, { through }] of Object.entries(navigation))
    if (through && !isDirect(path) && isRemoved(path, changes, container)) await connection.defer(compileUnlink(through, id));
}

/** Whether changes remove the value at a path, or change its type. */
export function isRemoved(path: string, changes: StoredRecord, container: EntityContainer): boolean {
  const [root, ...inner] = stepsOf(path).steps;
  const stored = root && changes.get(root.name);
  if (root === undefined || stored === undefined) return false;
  const value: Json = typeof stored === 'string' ? parseJsonObject(Buffer.from(stored)) : null;
  return valueAlong(jsonObject([[root.name, value]]), [root, ...inner], container) === undefined;
}

/** The foreign key columns of complex values that are removed or change their type: they become null. */
export function numbersWithin({ navigation }: EntityType, values: StoredRecord, container: EntityContainer): StoredRecord {
  const gone = Object.entries(navigation).filter(
    ([path, { follows }]) => !isDirect(path) && !follows && isRemoved(path, values, container),
  );
  return new Map(gone.flatMap(([, { join }]) => Object.keys(join).map((column) => [column, null] as const)));
}

interface ChangedValues {
  readonly before: StoredRecord;
  /** The values of the entity's properties. */
  readonly own: StoredRecord;
  /** With the ids of related entities in the body. */
  readonly values: StoredRecord;
}

/** The faults of required navigation properties in new complex values without a target; an explicit null has been reported. */
export function neededWithin(
  { type, patches, related = [] }: WritePlan,
  { before, own, values }: ChangedValues,
  { container, caller }: Pick<WriteScope, 'container' | 'caller'>,
): readonly ErrorDetail[] {
  const { navigation } = type;
  const isThere = (path: string): boolean => !isDirect(path) && own.has(rootOf(path)) && !isRemoved(path, own, container);
  // A caller who cannot see whether the value existed has to send everything that it requires.
  const isNew = (path: string): boolean =>
    isSeen(type, path, caller) ? isRemoved(path, before, container) : isSent(path, patches, container);
  const isWritten = (path: string): boolean =>
    related.some(({ name }) => name === path) || Object.keys(navigation[path]?.join ?? {}).every((column) => values.has(column));
  const missing = Object.entries(navigation).filter(
    ([path, { required, follows }]) => required && follows === undefined && isThere(path) && isNew(path) && !isWritten(path),
  );
  return missing.map(([path]) => errors.missingRequired(path).asDetail(path));
}

// Without a stored value the sent one is complete.
function isSent(path: string, patches: WritePlan['patches'], container: EntityContainer): boolean {
  return !patches.has(rootOf(path)) || valueAlong({ kind: 'object', members: patches }, stepsOf(path).steps, container) !== undefined;
}
