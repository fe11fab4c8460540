import { fc } from '../support/fast-check.js';
import type { Connection } from '../../runtime/sql/statement.js';
import type { Bind } from '../../runtime/sql/statement.js';
import { temporalText } from './calendar.js';
import type { Entity } from './evaluate.js';
import { dynamicColumns, innerColumns, ints, itemColumns, partColumns, placeColumns, strings } from './literals.js';
import { decimalText, isNum, isTemporal, whole, type Value } from './values.js';

type Cells = { readonly [column: string]: Value | readonly Value[] };

/** A complex value, with the one within. */
interface Seat {
  readonly values: Cells;
  readonly inner: { readonly [name: string]: Value } | null;
}

/** The content of the database: items, and the parts of each. */
export interface ItemRow {
  readonly cells: Cells;
  readonly parts: readonly Cells[];
  readonly seat: Seat | null;
  /** Properties that the model does not declare; one that is null is not there, or is there as null. */
  readonly open: { readonly [name: string]: Value };
}

/** Rows with keys from 1; some reference another one, or themselves. */
export function itemRows(count: { readonly min: number; readonly max: number }, mostParts = 3): fc.Arbitrary<readonly ItemRow[]> {
  const part = fc.record(partColumns);
  const row = fc.record({
    cells: fc.record({ ...itemColumns, Tags: fc.array(strings, { maxLength: 3 }), Nums: fc.array(ints, { maxLength: 3 }) }),
    other: fc.option(fc.nat({ max: count.max - 1 })),
    open: fc.record(dynamicColumns),
    seat: fc.option(
      fc.record({
        values: fc.record({ ...placeColumns, Marks: fc.array(strings, { maxLength: 3 }) }),
        inner: fc.option(fc.record(innerColumns)),
      }),
      { freq: 3 },
    ),
    parts: fc.array(part, { maxLength: mostParts, size: 'max' }),
  });
  return fc.array(row, { minLength: count.min, maxLength: count.max }).map((rows) =>
    rows.map(({ cells, other, parts, seat, open }, index) => ({
      seat,
      open,
      cells: { Id: whole(index + 1), OtherId: other === null ? null : whole((other % rows.length) + 1), ...cells },
      parts: parts.map((values, at) => ({ ItemId: whole(index + 1), No: whole(at + 1), ...values })),
    })),
  );
}

/** The rows as entities with references. */
export function entitiesOf(rows: readonly ItemRow[]): readonly Entity[] {
  const items = rows.map(({ cells, open }) => ({
    values: { ...cells, ...open },
    one: {} as { [name: string]: Entity | null },
    many: {} as { [name: string]: readonly Entity[] },
  }));
  rows.forEach(({ cells, parts, seat }, index) => {
    const item = items[index];
    if (item === undefined) return;
    const other = cells['OtherId'];
    item.one['Other'] = (isNum(other as Value) && items[Number((other as { over: bigint }).over) - 1]) || null;
    item.one['Seat'] = seat && complexOf(seat.values, { Inner: seat.inner && complexOf(seat.inner, {}) });
    item.many['Parts'] = parts.map((values) => ({ values, one: { Item: item }, many: {} }));
  });
  return items;
}

function complexOf(values: Entity['values'], one: Entity['one']): Entity {
  return { values, one, many: {}, complex: true };
}

/** Puts the rows in the place of all that there were. */
export async function loadRows(rows: readonly ItemRow[], { run }: Connection): Promise<void> {
  await run({ text: 'truncate "Part", "Item"', bind: [] });
  if (rows.length > 0)
    await run(
      insertOf(
        'Item',
        rows.map(({ cells, seat, open }, index) => ({ ...cells, Seat: seat && jsonOf(seat), '#open': openOf(open, index) })),
      ),
    );
  const parts = rows.flatMap((row) => row.parts);
  if (parts.length > 0) await run(insertOf('Part', parts));
}

/** A statement that inserts records into a table. */
export function insertOf(table: string, records: readonly Cells[]): { readonly text: string; readonly bind: readonly Bind[] } {
  const columns = Object.keys(records[0] ?? {});
  const bind = records.flatMap((record) => columns.map((column) => cellText(record[column] ?? null)));
  const rows = records.map((_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`);
  return { text: `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) values ${rows.join(', ')}`, bind };
}

// As the service keeps it: members that are null are left out.
function jsonOf({ values, inner }: Seat): string {
  const members = (cells: Seat['values']): readonly string[] =>
    Object.entries(cells).flatMap(([name, value]) => (value === null ? [] : [`"${name}":${memberText(value)}`]));
  return `{${[...members(values), ...(inner ? [`"Inner":{${members(inner).join(',')}}`] : [])].join(',')}}`;
}

// Null members are omitted in every other row.
function openOf(open: ItemRow['open'], index: number): string {
  const members = Object.entries(open).filter(([, value]) => value !== null || index % 2 === 0);
  return `{${members.map(([name, value]) => `"${name}":${value === null ? 'null' : memberText(value)}`).join(',')}}`;
}

function memberText(value: NonNullable<Value> | readonly Value[]): string {
  if (isList(value)) return JSON.stringify(value.map(textOf));
  return typeof value === 'boolean' || isNum(value) ? (textOf(value) ?? 'null') : JSON.stringify(textOf(value));
}

function cellText(value: Value | readonly Value[]): Bind {
  return isList(value) ? value.map(textOf) : textOf(value);
}

function textOf(value: Value): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isTemporal(value)) return temporalText(value);
  return isNum(value) ? decimalText(value) : value.text;
}

function isList(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}
