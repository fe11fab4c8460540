import { randomUUID } from 'node:crypto';
import { own, type EntityExtension, type EntityType, type GeneratedValue, type StoredRecord } from '../edm/index.js';
import { errors } from '../errors/catalogue.js';
import { withArticle } from '../errors/display-name.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import { compileInsert, compileNextId } from '../sql/compile-write.js';
import type { Connection } from '../sql/statement.js';
import { recordChange } from './journal.js';
import { keepPartnersSole } from './sole-partners.js';
import { principalNumbers } from './principal-numbers.js';
import { requireAllowed } from './row-rules.js';
import type { WriteScope } from './write-scope.js';

/** A stored entity: its id and values. */
export interface Inserted {
  readonly id: string;
  readonly record: StoredRecord;
}

/** Stores one valid new entity, with values from the model and its extension. */
export async function insertRecord(
  plan: WritePlan,
  { id, now }: Numbered,
  { connection, scope }: Target,
  given: StoredRecord,
): Promise<Inserted> {
  const extension = extensionOf(scope.extensions, plan.type);
  const sent = new Map([...newValues(plan, id, now), ...given]);
  const values = new Map([...sent, ...(await principalNumbers(plan.type, sent, { container: scope.container, connection }))]);
  const change = { before: undefined, changes: values, id, now, member: scope.member };
  const after = new Map([...values, ...(extension?.assign?.(change) ?? [])]);
  await insertRow(plan.type, id, after, connection);
  await requireAllowed(plan.type, id, 'insert', connection);
  await keepPartnersSole(plan.type, id, after, connection, scope);
  await recordChange(extension, { ...change, after }, connection, scope);
  return { id, record: after };
}

interface Target {
  readonly connection: Connection;
  readonly scope: WriteScope;
}

/** The id of a new entity, and the database's time. */
interface Numbered {
  readonly id: string;
  readonly now: string;
}

/** Awaits the id and the time. */
export type NextId = () => Promise<Numbered>;

/** Queues the request for an id and the time. */
export function nextId(type: EntityType, connection: Connection): NextId {
  const rows = connection.ahead(compileNextId(type));
  return async () => {
    const [row] = await rows();
    return { id: row?.[0] ?? '', now: row?.[1] ?? '' };
  };
}

function newValues({ type, values }: WritePlan, id: string, now: string): StoredRecord {
  return new Map([...values, ...generatedValues(type.rules.onInsert, now), ...generatedKey(type, id)]);
}

/** The values that the service generates; a new entity has the first version. */
export function generatedValues(generated: { readonly [property: string]: GeneratedValue }, now: string, version = '1'): StoredRecord {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(generated)) values.set(name, generatedValue(value, now, version));
  return values;
}

function generatedValue(value: GeneratedValue, now: string, version: string): string {
  switch (value.kind) {
    case 'now':
      return now;
    case 'version':
      return version;
    case 'constant':
      return value.value;
  }
}

/** The key that the service generates: from the id, or a random UUID. */
export function generatedKey(type: EntityType, id: string): StoredRecord {
  const [name] = type.key;
  if (type.keyGeneration === undefined || name === undefined) return new Map();
  const { strategy, prefix } = type.keyGeneration;
  return new Map([[name, `${prefix}${strategy === 'sequence' ? id : randomUUID()}`]]);
}

// Two clients may choose the same key; the unique constraint decides.
async function insertRow(type: EntityType, id: string, values: StoredRecord, connection: Connection): Promise<void> {
  await connection.defer(compileInsert(type, id, values), (failure) =>
    sqlStateOf(failure) === '23505' ? errors.conflict(`There is already ${withArticle(type.name)} with that key.`) : failure,
  );
}

/** The SQLSTATE of a database failure. */
function sqlStateOf(failure: unknown): string | undefined {
  return typeof failure === 'object' && failure !== null && 'code' in failure && typeof failure.code === 'string'
    ? failure.code
    : undefined;
}

/** The extension of an entity type, or of its nearest base type with one. */
export function extensionOf(
  extensions: { readonly [name: string]: EntityExtension },
  { name, baseTypes = [] }: EntityType,
): EntityExtension | undefined {
  const names = [name, ...baseTypes.map((base) => base.slice(base.lastIndexOf('.') + 1))];
  return names.map((one) => own(extensions, one)).find((extension) => extension !== undefined);
}
