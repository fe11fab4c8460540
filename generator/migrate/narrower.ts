import { primitives } from '../../runtime/edm/index.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { changeType, itemOf } from './change-type.js';
import { type Home, itemsOf, keptHomes, movesOf } from './moves.js';
import { type Decisions, type Step, lookingFor } from './step.js';

/** Values that no longer fit although their SQL type does: a condition on the text "item". */
interface Narrower {
  readonly misfits: string;
  readonly why: string;
}

/** The items of a column that a change may make misfits, where the type of the new column does not stop them. */
export function narrower(old: Column, home: Home): Narrower | undefined {
  // A new column has no values of before.
  if (changeType(old, home.column) === undefined) return undefined;
  const { edm } = home.column;
  return shorterText(old, home) ?? shorterBinary(old.edm, edm) ?? smallerNumber(old, edm) ?? fewerNumbers(old, home.column);
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
  return { misfits: ofNumbers((number) => `${number} not between ${range.join(' and ')}`), why: 'a value that does not fit stops it' };
}

/** The types whose range is smaller than that of their SQL type. */
const ranges: { readonly [edm: string]: readonly [least: string, greatest: string] | undefined } = {
  'Edm.Byte': primitives['Edm.Byte'].range,
  'Edm.SByte': primitives['Edm.SByte'].range,
};

function isWithin(old: Column, [least, greatest]: readonly [string, string]): boolean {
  // Snapshots of earlier versions lack the type.
  if (old.edm === undefined) return itemOf(old) === 'smallint' && old.members === undefined;
  const range = ranges[old.edm];
  return range !== undefined && Number(range[0]) >= Number(least) && Number(range[1]) <= Number(greatest);
}

// Rows of an enumeration have its numbers; those of its former members are asked about.
function fewerNumbers(old: Column, now: Column): Narrower | undefined {
  const { members, flags } = now;
  if (members === undefined || (old.members !== undefined && !isSingleNow(old, now))) return undefined;
  const numbers = Object.values(members);
  const bits = numbers.reduce((sum, number) => sum | BigInt(number), 0n);
  const isNone = (number: string): string =>
    flags ? `(${number} < 0 or ${number}::bigint & '${~bits}'::bigint <> 0)` : `${number} <> all ('{${numbers.join(', ')}}')`;
  return { misfits: ofNumbers(isNone), why: 'a number that is not a member stops it' };
}

/** Whether values of an enumeration no longer combine members; snapshots of earlier versions do not say that they did. */
export function isSingleNow(old: Pick<Column, 'flags'>, { flags }: Pick<Column, 'flags'>): boolean {
  return old.flags === true && flags !== true;
}

// A text that is no number stops the conversion itself, unless it is the name of a member.
function ofNumbers(isMisfit: (number: string) => string): string {
  return `case when "item" ~ '^-?[0-9]+([.][0-9]+)?$' then ${isMisfit('round("item"::numeric)')} end`;
}

/**
 * Columns accept more values than the model: texts of any length in collections, and each number and all binary data of
 * the SQL type. Values that are too large for the new model are looked for before anything is changed, and again once
 * no service of the old model writes.
 */
export function checkItems(old: Table, wanted: Table, decisions: Decisions): readonly Step[] {
  return keptHomes(old, wanted, movesOf(old, wanted, decisions)).flatMap(({ former, home }) => {
    const found = narrower(former.column, home);
    if (found === undefined) return [];
    const looked = { table: wanted.name, name: home.column.name, why: found.why };
    return [
      lookingFor('expand', looked, itemsWhere(former, found.misfits)),
      lookingFor('contract', looked, itemsWhere(home, found.misfits)),
    ];
  });
}

function itemsWhere(home: Home, misfits: string): string {
  return `, unnest(${itemsOf(home, '"row".')}) as "item" where ${misfits}`;
}
