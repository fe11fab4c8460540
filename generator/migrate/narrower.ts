import { primitives } from '../../runtime/edm/index.js';
import type { Column } from '../../runtime/schema/schema.js';
import { changeType } from './change-type.js';
import type { Home } from './moves.js';

/** Values that no longer fit although their SQL type does: a condition on the text "item". */
export interface Narrower {
  readonly misfits: string;
  readonly why: string;
}

/** The items of a column that a change may make misfits, where the type of the new column does not stop them. */
export function narrower(old: Column, home: Home): Narrower | undefined {
  // A new column has no values of before.
  if (changeType(old, home.column) === undefined) return undefined;
  return shorterText(old, home) ?? shorterBinary(old.edm, home.column.edm) ?? smallerNumber(old, home.column.edm);
}

// Neither arrays nor the shared column limit texts.
function shorterText(old: Column, { column: { name, type, items }, shared }: Home): Narrower | undefined {
  const text = items ?? (shared === undefined ? '' : type);
  const most = /^varchar\((\d+)\)$/.exec(text)?.[1];
  if (most === undefined) return undefined;
  const change = changeType({ name, type: old.items ?? itemOf(old) }, { name, type: text });
  return change?.effect === 'checked' ? { misfits: `length("item") > ${most}`, why: change.why } : undefined;
}

/** Whether binary data has a smaller length than before; snapshots of earlier versions do not say what it was. */
export function isShorterBinary(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && lengthOf(to) < lengthOf(from);
}

function shorterBinary(from: string | undefined, to: string | undefined): Narrower | undefined {
  if (!isShorterBinary(from, to)) return undefined;
  return { misfits: `length("item"::bytea) > ${lengthOf(to)}`, why: 'a longer value stops it' };
}

function lengthOf(edm = ''): number {
  return Number(/\((\d+)\)$/.exec(edm)?.[1] ?? Infinity);
}

function smallerNumber(old: Column, to: string | undefined): Narrower | undefined {
  const range = ranges[to ?? ''];
  if (range === undefined || isWithin(old, range)) return undefined;
  return { misfits: ofNumbers(`not between ${range.join(' and ')}`), why: 'a value that does not fit stops it' };
}

/** The types whose range is smaller than that of their SQL type. */
const ranges: { readonly [edm: string]: readonly [least: string, greatest: string] | undefined } = {
  'Edm.Byte': primitives['Edm.Byte'].range,
  'Edm.SByte': primitives['Edm.SByte'].range,
};

function isWithin(old: Column, [least, greatest]: readonly [string, string]): boolean {
  // Snapshots of earlier versions do not say which type it was.
  if (old.edm === undefined) return itemOf(old) === 'smallint' && old.members === undefined;
  const range = ranges[old.edm];
  return range !== undefined && Number(range[0]) >= Number(least) && Number(range[1]) <= Number(greatest);
}

// A text that is no number stops the conversion itself.
function ofNumbers(misfits: string): string {
  return `case when "item" ~ '^-?[0-9]+([.][0-9]+)?$' then round("item"::numeric) ${misfits} end`;
}

function itemOf({ type }: Column): string {
  return type.replace(/\[\]$/, '');
}
