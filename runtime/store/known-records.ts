import { type EntityType, isArray, isDirect, type StoredValue } from '../edm/index.js';
import type { KeyCondition, Selection } from '../plan/read-plan.js';
import { cellsOf } from '../sql/record-cells.js';
import type { RowBytes } from '../sql/statement.js';
import { LazyRecord, type LockedRecord, parseArrayLiteral } from './stored-record.js';

/** An entity read without a lock, with the state that detects later changes. */
export interface SeenRecord extends LockedRecord {
  readonly state: string;
}

/** The entities that this process has written last. A statement that relies on one also checks its state. */
export interface KnownRecords {
  readonly find: (type: EntityType, key: readonly KeyCondition[]) => Omit<SeenRecord, 'now'> | undefined;
  /** Keeps an entity as a write returned it: the selection's cells, followed by its state. */
  readonly note: (key: readonly KeyCondition[], id: string, row: RowBytes, selection: Selection) => void;
  readonly forget: (type: EntityType, key: readonly KeyCondition[]) => void;
}

interface Known {
  readonly id: string;
  readonly row: KeptRow;
  readonly layout: Layout;
  readonly notedAt: number;
}

/** An entity is rewritten soon: clients create in steps. */
const most = 256;
const milliseconds = 10_000;

/** An empty cache. */
export function knownRecords(): KnownRecords {
  const records = new Map<string, Known>();
  return {
    find: (type, key) => {
      const known = records.get(nameOf(type, key));
      return known === undefined || performance.now() - known.notedAt > milliseconds ? undefined : recordOf(type, known);
    },
    note: (key, id, row, selection) => {
      const name = nameOf(selection.type, key);
      const layout = layoutOf(selection);
      records.delete(name);
      if (layout === undefined) return;
      const [oldest] = records.size < most ? [] : records.keys();
      if (oldest !== undefined) records.delete(oldest);
      records.set(name, { id, row: kept(row), layout, notedAt: performance.now() });
    },
    forget: (type, key) => void records.delete(nameOf(type, key)),
  };
}

function nameOf({ table }: EntityType, key: readonly KeyCondition[]): string {
  let name = table;
  for (const { column, value } of key) name += `\0${column}\0${value}`;
  return name;
}

function recordOf(type: EntityType, { id, row, layout }: Known): Omit<SeenRecord, 'now'> {
  const { fields, names, version } = layout;
  const read = (name: string): StoredValue => {
    const { cell, array } = fields.get(name) as Place; // Only names of the layout are requested.
    const text = textOf(row, cell);
    return array && text !== null ? parseArrayLiteral(text) : text;
  };
  return {
    type,
    id,
    version: textOf(row, version) ?? '',
    state: textOf(row, row.bounds.length / 2 - 1) ?? '',
    record: new LazyRecord(names, read),
  };
}

/** The position of a property in such a row. */
interface Place {
  readonly cell: number;
  readonly array: boolean;
}

/** The positions of an entity's properties in a returned row. */
interface Layout {
  readonly version: number;
  readonly fields: ReadonlyMap<string, Place>;
  readonly names: ReadonlySet<string>;
}

const layouts = new WeakMap<Selection, { readonly layout: Layout | undefined }>();

function layoutOf(selection: Selection): Layout | undefined {
  const known = layouts.get(selection) ?? { layout: findLayout(selection) };
  layouts.set(selection, known);
  return known.layout;
}

// Undefined where the caller cannot see the whole entity.
function findLayout(selection: Selection): Layout | undefined {
  const { type, columns, etag, keyColumns } = selection;
  const cells = cellsOf(selection).columns;
  const plain = new Map(
    columns.flatMap(({ name, expression }, index) =>
      expression === undefined && isDirect(name) ? [[name, cells[index] ?? -1] as const] : [],
    ),
  );
  const fields = new Map(
    Object.entries(type.fields).map(([name, field]) => [name, { array: isArray(field), cell: plain.get(name) ?? -1 }]),
  );
  return etag && [...fields.values()].every(({ cell }) => cell >= 0)
    ? { version: keyColumns.length, fields, names: new Set(fields.keys()) }
    : undefined;
}

/** The cells of a row, each from one bound to the next in `bytes`; the first bound of a null is -1. */
interface KeptRow {
  readonly bytes: Buffer;
  readonly bounds: Int32Array;
}

// A copy, since bytes and arrays are reused. Cells are contiguous.
function kept({ bytes, starts, ends }: RowBytes): KeptRow {
  const from = Math.max(0, starts.find((start) => start >= 0) ?? 0);
  const bounds = new Int32Array(2 * starts.length);
  for (let cell = 0; cell < starts.length; cell++) {
    const start = starts[cell] as number; // The index is within the arrays.
    bounds[2 * cell] = start < 0 ? -1 : start - from;
    bounds[2 * cell + 1] = (ends[cell] as number) - from;
  }
  return { bytes: Buffer.from(bytes.subarray(from, ends.at(-1))), bounds };
}

function textOf({ bytes, bounds }: KeptRow, cell: number): string | null {
  const start = bounds[2 * cell] ?? -1;
  return start < 0 ? null : bytes.toString('utf8', start, bounds[2 * cell + 1]);
}
