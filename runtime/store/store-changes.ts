import { storeHooks } from './hooks.js';
import { type EntityContainer, type EntityType, fieldOf, isArray, own, propertyOf, type StoredRecord, targetOf } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { compileRivals, compileSole } from '../sql/compile-relations.js';
import { compileDiffers, compileMirrored, compileUpdate, type MirroredRows } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { extensionOf, generatedValues, recordChange } from './journal.js';
import { unlinkWithin } from './nested-values.js';
import { sentForm, withoutKey } from './record-change.js';
import { principalNumbers } from './references.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import { type LockedRecord, parseArrayLiteral, withChanges } from './stored-record.js';
import type { WriteTransaction } from './write-scope.js';
import { memoized } from '../edm/memoized.js';

/** Stores the differences to the entity with their consequences; returns the new entity. */
export async function applyValues(
  type: EntityType,
  locked: LockedRecord,
  values: StoredRecord,
  scope: WriteTransaction,
): Promise<StoredRecord> {
  const changes = await differing(type, locked, withoutKey(type, values), scope.connection);
  const stored = changes.size > 0 ? await storeChanges(type, locked, changes, scope) : changes;
  return withChanges(locked.record, stored);
}

/** Stores changed values with those of the model and its extension; returns all stored values, which may include the key. */
export async function storeChanges(
  type: EntityType,
  locked: LockedRecord,
  changes: StoredRecord,
  scope: WriteTransaction,
): Promise<StoredRecord> {
  const { connection } = scope;
  const change = { before: locked.record, changes, id: locked.id, now: locked.now, member: scope.member };
  await requireOpen(type, locked, 'update', connection);
  const extension = extensionOf(scope.extensions, type);
  const assigned = extension?.assign?.(change) ?? new Map();
  const numbers = await principalNumbers(type, changes, scope, locked.record);
  const released = type.streams ? await storeHooks.get('removeStreams')(type, locked, changes, scope) : [];
  await unlinkWithin(type, locked, changes, scope);
  const values = new Map([...changes, ...released, ...numbers, ...generatedValues(type, 'onUpdate', changes, locked), ...assigned]);
  await requireAllowed(type, locked.id, 'update', connection);
  await connection.defer(compileUpdate(type, locked.id, values));
  await requireAllowed(type, locked.id, 'update', connection);
  await keepPartnersSole(type, locked.id, values, scope);
  for (const rows of mirroredRows(type, values, scope.container)) await connection.defer(compileMirrored(rows, locked.id));
  await recordChange(extension, { ...change, changes: values, after: withChanges(locked.record, values) }, scope);
  return values;
}

/** The values that differ from the stored ones: a record that is sent again as it is gets no new stamp or ETag. */
export async function differing(
  type: EntityType,
  locked: LockedRecord,
  values: StoredRecord,
  connection: Connection,
): Promise<StoredRecord> {
  const sent = new Map([...values.keys()].map((name) => [name, sentForm(type, locked, name, values.get(name) ?? null)]));
  const unknown: StoredRecord = new Map([...values].filter(([name]) => sent.get(name) === undefined));
  const asked = unknown.size === 0 ? unknown : await askDiffering(type, locked.id, unknown, connection);
  return new Map(
    [...sent].flatMap(([name, form]) => {
      const value = form === undefined ? asked.get(name) : form === locked.record.get(name) ? undefined : form;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The values whose stored form differs, as the database compares them. */
export async function askDiffering(type: EntityType, id: string, values: StoredRecord, connection: Connection): Promise<StoredRecord> {
  const [row] = await connection.run(compileDiffers(type, id, values));
  return new Map(
    [...values.keys()].flatMap((name, index) => {
      const [stored, sent] = [row?.[2 * index] ?? null, row?.[2 * index + 1] ?? null];
      const field = fieldOf(type, name);
      return stored === sent ? [] : [[name, field && isArray(field) && sent !== null ? parseArrayLiteral(sent) : sent] as const];
    }),
  );
}

/** The mirrored columns of dependent rows that have to follow changed values. */
export function mirroredRows(type: EntityType, values: StoredRecord, container: EntityContainer): readonly MirroredRows[] {
  return mirrorsOf(type, container).flatMap(({ target, link, columns }) => {
    const followed = columns.filter(([, property]) => values.has(property));
    if (followed.length === 0) return [];
    return [{ target, link, values: new Map(followed.map(([mirror, property]) => [mirror, textOf(values.get(property))])) }];
  });
}

/** The columns of dependent rows that mirror properties of a type. */
interface Mirrors {
  readonly target: EntityType;
  readonly link: string;
  readonly columns: readonly (readonly [mirror: string, property: string])[];
}

const mirrorsOf = memoized((type: EntityType, { entityTypes }: EntityContainer): readonly Mirrors[] =>
  (type.mirroredIn ?? []).map(({ type: name, link, mirrors: columns }) => ({
    target: own(entityTypes, name) as EntityType, // Of the same model.
    link,
    columns: Object.entries(columns).map(([mirror, column]) => [mirror, propertyOf(type, column)] as const),
  })),
);

function textOf(value: ReturnType<StoredRecord['get']>): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** Keeps one-to-one relations unique: clears another entity's reference to the target, or rejects the write. */
export async function keepPartnersSole(
  type: EntityType,
  id: string,
  changes: StoredRecord,
  { container, connection }: Pick<WriteTransaction, 'connection' | 'container'>,
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
