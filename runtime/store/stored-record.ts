import { type EntityType, isArray, openColumn, type StoredRecord, type StoredValue } from '../edm/index.js';
import type { Json } from '../json/json.js';
import { parseJsonObject } from '../json/parse-json.js';
import type { Row } from '../sql/statement.js';
import { memoized } from '../edm/memoized.js';

/** A locked entity: its id, version, the clock, and every property. */
export interface LockedRecord {
  /** Its own type, which may be derived from the requested one. */
  readonly type: EntityType;
  readonly id: string;
  readonly version: string;
  readonly now: string;
  readonly record: StoredRecord;
}

/** A stored entity: its id and values. */
export type Stored = Pick<LockedRecord, 'id' | 'record'>;

/** The row of `compileLock` by property name. */
export function lockedRecord(type: EntityType, row: Row): LockedRecord {
  const [id, version, now] = row;
  const { cells, shared: sharedCell } = layoutOf(type);
  const shared = sharedCell === undefined ? new Map<string, Json>() : sharedValues(row[sharedCell] ?? null);
  const record = new Map<string, StoredValue>();
  for (const { name, array, at } of cells) {
    const kept = at === undefined ? shared.get(name) : row[at];
    const cell = typeof kept === 'string' ? kept : null;
    record.set(name, array && cell !== null ? parseArrayLiteral(cell) : cell);
  }
  if (type.open) record.set(openColumn, row.at(-1) ?? null);
  return { type, id: id ?? '', version: version ?? '', now: now ?? '', record };
}

/** The values of several maps; later ones take precedence. */
export function merged(...records: readonly StoredRecord[]): StoredRecord {
  const values = new Map<string, StoredValue>();
  for (const record of records) record.forEach((value, name) => values.set(name, value));
  return values;
}

/** The entity after changes. */
export function withChanges(record: StoredRecord, changes: StoredRecord): StoredRecord {
  return new LazyRecord(namesOf(record, changes), (name) => (changes.has(name) ? changes : record).get(name) ?? null);
}

function namesOf(record: StoredRecord, changes: StoredRecord): ReadonlySet<string> {
  const added = [...changes.keys()].filter((name) => !record.has(name));
  return added.length === 0 && record instanceof LazyRecord ? record.names : new Set([...record.keys(), ...added]);
}

/** The positions of a type's properties in such a row. */
interface Layout {
  /** Properties without their own cell are in the shared one. */
  readonly cells: readonly { readonly name: string; readonly array: boolean; readonly at: number | undefined }[];
  readonly shared: number | undefined;
}

// Id, version and clock come first.
const layoutOf = memoized(({ fields }: EntityType): Layout => {
  let next = 3;
  const cells = Object.entries(fields).map(([name, field]) => ({ name, array: isArray(field), at: field.more ? undefined : next++ }));
  return { cells, shared: cells.some(({ at }) => at === undefined) ? next : undefined };
});

// The properties of the shared column: their texts by name.
function sharedValues(cell: string | null): ReadonlyMap<string, Json> {
  return cell === null ? new Map() : parseJsonObject(Buffer.from(cell)).members;
}

/** The elements of a one-dimensional PostgreSQL array literal, `{a,"b c",NULL}`. */
export function parseArrayLiteral(text: string): readonly (string | null)[] {
  const elements: (string | null)[] = [];
  let at = 1;
  while (at < text.length - 1) {
    const quoted = text[at] === '"';
    const end = quoted ? endOfQuoted(text, at + 1) : endOfPlain(text, at);
    const element = quoted ? text.slice(at + 1, end).replace(/\\(.)/gs, '$1') : text.slice(at, end);
    elements.push(quoted || element !== 'NULL' ? element : null);
    at = end + (quoted ? 2 : 1);
  }
  return elements;
}

function endOfQuoted(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfPlain(text: string, from: number): number {
  const comma = text.indexOf(',', from);
  return comma < 0 ? text.length - 1 : comma;
}

/** An entity whose values are read on demand: rules use a few of a hundred properties. */
export class LazyRecord implements StoredRecord {
  readonly names: ReadonlySet<string>;
  readonly #read: (name: string) => StoredValue;

  /** `read` is called with these names only. */
  constructor(names: ReadonlySet<string>, read: (name: string) => StoredValue) {
    this.names = names;
    this.#read = read;
  }

  get size(): number {
    return this.names.size;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  get(name: string): StoredValue | undefined {
    return this.names.has(name) ? this.#read(name) : undefined;
  }

  forEach(take: (value: StoredValue, name: string, record: StoredRecord) => void): void {
    for (const [name, value] of this) take(value, name, this);
  }

  keys(): MapIterator<string> {
    return this.names.values();
  }

  values(): MapIterator<StoredValue> {
    return [...this.names].map((name) => this.#read(name)).values();
  }

  entries(): MapIterator<[string, StoredValue]> {
    return [...this.names].map((name): [string, StoredValue] => [name, this.#read(name)]).values();
  }

  [Symbol.iterator](): MapIterator<[string, StoredValue]> {
    return this.entries();
  }
}
