import { randomUUID } from 'node:crypto';
import type { EntityExtension, EntityType, GeneratedValue, JournalEntry, StoredRecord } from '../edm/index.js';
import { own, Refusal } from '../edm/index.js';
import { withArticle } from '../errors/suggest.js';
import { compileInsertNumbered } from '../sql/compile-write.js';
import { type NewRecords, versionCount } from '../sql/stored-cells.js';
import type { WriteScope, WriteTransaction } from './write-scope.js';
import { grouped } from '../edm/grouped.js';
import { generatedKeyProperty, localName } from '../edm/lookup.js';
import { memoized } from '../edm/memoized.js';
import { errors } from '../errors/catalogue.js';
import { asHandlerFailure } from '../database/failures.js';

type Change = Parameters<NonNullable<EntityExtension['record']>>[0];

/** Inserts the journal entries of a change in its transaction, one statement per entity type, and runs the extension's further work. */
export async function recordChange(extension: EntityExtension | undefined, change: Change, scope: WriteTransaction): Promise<void> {
  const { connection } = scope;
  for (const records of journalOf(extension, change, scope)) await connection.defer(compileInsertNumbered(records));
  await extension?.follow?.(change, connection.models?.((work) => work()) ?? {});
}

/** The journal entries of a change, by entity type. */
export function journalOf(extension: EntityExtension | undefined, change: Change, scope: WriteScope): readonly NewRecords[] {
  return [...grouped(extension?.record?.(change) ?? [], ({ entityType }) => entityType)].map(([name, entries]) => {
    const type = journalType(name, scope);
    return newRecords(type, entries, generatedValues(type, 'onInsert', new Map(), change));
  });
}

function journalType(name: string, { container }: WriteScope): EntityType {
  const type = own(container.entityTypes, name);
  if (type === undefined) throw new Error(`An extension creates ${withArticle(name)}, but the model has no such type.`);
  return type;
}

function newRecords(type: EntityType, entries: readonly JournalEntry[], generated: StoredRecord): NewRecords {
  const given = new Set(generated.keys());
  for (const { values } of entries) for (const name of values.keys()) given.add(name);
  const names = [...given];
  return {
    type,
    names,
    rows: entries.map(({ values }) => names.map((name) => (values.has(name) ? values : generated).get(name) ?? null)),
  };
}

/** The values that the service generates, unless the client has chosen them; `version` is that of the record that is changed. */
export function generatedValues(
  { rules }: EntityType,
  moment: 'onInsert' | 'onUpdate',
  sent: StoredRecord,
  { now, version }: { readonly now: string; readonly version?: string },
): StoredRecord {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(rules[moment]))
    if (!sent.has(name) || rules.computed.includes(name)) values.set(name, generatedValue(value, now, version));
  return values;
}

function generatedValue(value: GeneratedValue, now: string, former: string | undefined): string {
  switch (value.kind) {
    case 'now':
      return now;
    case 'version':
      return former === undefined ? '1' : String(versionCount(former) + 1n);
    case 'constant':
      return value.value;
  }
}

/** The key that the service generates, from the id or as a random UUID, unless the client has chosen it. */
export function generatedKey(type: EntityType, id: string, values: StoredRecord): StoredRecord {
  const name = generatedKeyProperty(type);
  if (type.keyGeneration === undefined || name === undefined) return new Map();
  if (values.has(name) && !type.rules.computed.includes(name)) return new Map();
  const { strategy, prefix } = type.keyGeneration;
  return new Map([[name, `${prefix}${strategy === 'sequence' ? id : randomUUID()}`]]);
}

/** The extension of an entity type, or of its nearest base type with one. */
export function extensionOf(extensions: { readonly [name: string]: EntityExtension }, type: EntityType): EntityExtension | undefined {
  const { name, baseTypes = [] } = type;
  const names = [name, ...baseTypes.map((base) => localName(base))];
  const found = names.map((one) => own(extensions, one)).find((extension) => extension !== undefined);
  return found && refusing(found);
}

const refusals = { 400: errors.refused, 403: errors.forbidden, 404: errors.missing, 409: errors.conflict } as const;

/** The error for a failure of hand-written code: for a refusal that of the response. */
export function failureOf(failure: unknown): unknown {
  if (!(failure instanceof Refusal)) return asHandlerFailure(failure);
  const { message, target, status } = failure;
  const error = refusals[status](message);
  return target === undefined ? error : error.at(target);
}

/** The extension with hooks that throw the errors of responses. */
const refusing = memoized((extension: EntityExtension): EntityExtension => {
  const { assign, record, follow } = extension;
  return {
    ...extension,
    ...(assign && { assign: (change) => orRefused(() => assign(change)) }),
    ...(record && { record: (change) => orRefused(() => record(change)) }),
    ...(follow && { follow: (change, models) => follow(change, models).catch(rethrow) }),
  };
});

function orRefused<Result>(hook: () => Result): Result {
  try {
    return hook();
  } catch (failure) {
    return rethrow(failure);
  }
}

function rethrow(failure: unknown): never {
  throw failureOf(failure);
}
