import { quote } from '../../runtime/schema/identifier.js';
import type { Column } from '../../runtime/schema/schema.js';
import { nameOf, namesOfItems, numberOf, numbersOfItems } from './member-names.js';
import { castText, parseType, type SqlType, clientText } from './sql-type.js';

/** The effect of a type change: rows are untouched, rewritten, checked, or lose something. */
type Effect = 'free' | 'rewrite' | 'checked' | 'lossy';

/** The conversion of one type to another. */
interface TypeChange {
  readonly effect: Effect;
  /** The expression over the old column; undefined for PostgreSQL's own conversion. */
  readonly using: string | undefined;
  /** The loss or check, as the end of a sentence. */
  readonly why: string;
}

/** The parts of a column that describe its values. */
type ColumnType = Pick<Column, 'name' | 'type' | 'default' | 'edm' | 'members'>;

/**
 * The conversion of a column to another type; `undefined` where only a new column will do. `column` is the SQL of the
 * old value.
 */
export function changeType(from: ColumnType, to: ColumnType, column = quote(from.name)): TypeChange | undefined {
  const [old, now] = [parseType(from.type), parseType(to.type)];
  const named = changeNames({ from, to, column }, old, now);
  if (named !== undefined) return named;
  if (isJsonArray(from) !== isJsonArray(to)) return changeJsonArray(from, to, column);
  if (old.array)
    return now.array && isText(old.base) === isText(now.base) ? withCast(convert(old, now), `${column}::${to.type}`) : undefined;
  if (now.array) return makeItem(from, to, column);
  const shown = isText(now.base) ? clientText(old.base, column) : undefined;
  if (shown !== undefined) return withText(convert(old, now), shown);
  return withCast(convert(old, now), isText(old.base) ? castText(column, to.type, now) : `${column}::${to.type}`);
}

function makeItem(from: ColumnType, to: ColumnType, column: string): TypeChange | undefined {
  const change = changeType(from, { ...to, type: itemOf(to) }, column);
  if (change === undefined) return undefined;
  const using = `case when ${column} is null then '{}' else array[${change.using ?? `${column}::${itemOf(to)}`}] end`;
  return { effect: change.effect === 'free' ? 'rewrite' : change.effect, using, why: change.why };
}

/** The type of a column's items, or of its single value. */
export function itemOf({ type }: Pick<Column, 'type'>): string {
  return type.replace(/\[\]$/, '');
}

/** Whether a column's values are collections as JSON: only those have a default. */
export function isJsonArray({ type, default: initial }: Pick<Column, 'type' | 'default'>): boolean {
  return type === 'jsonb' && initial === "'[]'";
}

// A single value becomes the only item.
function changeJsonArray(from: ColumnType, to: ColumnType, column: string): TypeChange | undefined {
  if (from.type !== to.type || isJsonArray(from)) return undefined;
  return { effect: 'rewrite', using: `case when ${column} is null then '[]' else jsonb_build_array(${column}) end`, why: '' };
}

// An enumeration's number and the text of its name are equivalent.
function changeNames(
  { from, to, column }: { readonly from: ColumnType; readonly to: ColumnType; readonly column: string },
  old: SqlType,
  now: SqlType,
): TypeChange | undefined {
  if (old.array !== now.array) return undefined;
  if (to.members !== undefined && isText(old.base)) {
    const using = (old.array ? numbersOfItems : numberOf)(to.members, column, to.type);
    return { effect: 'checked', using, why: 'a string that is not a member stops it' };
  }
  if (from.members === undefined || !isText(now.base)) return undefined;
  const using = old.array ? namesOfItems(from.members, column, from.type) : nameOf(from.members, column);
  return { effect: 'checked', using, why: 'a number that is not a member stops it' };
}

function withText(found: Omit<TypeChange, 'using'> | undefined, using: string): TypeChange | undefined {
  return found && { ...found, using };
}

function withCast(found: Omit<TypeChange, 'using'> | undefined, cast: string): TypeChange | undefined {
  if (found === undefined) return undefined;
  // An explicit cast would cut a text that is too long; without one PostgreSQL reports an error.
  return { ...found, using: found.effect === 'free' || found.why === tooLong ? undefined : cast };
}

const tooLong = 'a longer string stops it';

function convert(from: SqlType, to: SqlType): Omit<TypeChange, 'using'> | undefined {
  if (from.base === to.base) return sameBase(from, to);
  const key = `${from.base} ${to.base}`;
  const listed = conversions[key];
  if (listed !== undefined) return { effect: listed, why: whys[listed] };
  if (isText(from.base) && isText(to.base)) return to.base === 'text' ? { effect: 'free', why: '' } : { effect: 'checked', why: tooLong };
  if (isText(to.base) && !unprintable.has(from.base))
    return to.base === 'text' ? { effect: 'rewrite', why: '' } : { effect: 'checked', why: tooLong };
  if (isText(from.base) && readable.has(to.base)) return { effect: 'checked', why: 'a string that is no such value stops it' };
  return undefined;
}

// oxfmt-ignore
// From one type to another, where PostgreSQL converts them.
const conversions: { readonly [pair: string]: Effect } = {
  'smallint integer': 'rewrite', 'smallint bigint': 'rewrite', 'integer bigint': 'rewrite',
  'smallint numeric': 'rewrite', 'integer numeric': 'rewrite', 'bigint numeric': 'rewrite',
  'integer smallint': 'checked', 'bigint integer': 'checked', 'bigint smallint': 'checked',
  'smallint real': 'rewrite', 'smallint double precision': 'rewrite', 'integer double precision': 'rewrite', 'real double precision': 'rewrite',
  'integer real': 'lossy', 'bigint real': 'lossy', 'bigint double precision': 'lossy', 'double precision real': 'lossy',
  'numeric smallint': 'lossy', 'numeric integer': 'lossy', 'numeric bigint': 'lossy', 'numeric real': 'lossy', 'numeric double precision': 'lossy',
  'real numeric': 'lossy', 'double precision numeric': 'lossy', 'real integer': 'lossy', 'double precision integer': 'lossy', 'double precision bigint': 'lossy',
  'date timestamptz': 'rewrite', 'timestamptz date': 'lossy',
};

const whys: Readonly<Record<Effect, string>> = {
  free: '',
  rewrite: '',
  checked: 'a value that does not fit stops it',
  lossy: 'digits or parts of values would be lost',
};

const unprintable: ReadonlySet<string> = new Set(['bytea', 'point', 'tsvector', 'jsonb']);
const numbers: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision']);
const readable: ReadonlySet<string> = new Set([...numbers, 'boolean', 'date', 'timestamptz', 'time', 'interval', 'uuid']);

function isText(base: string): boolean {
  return base === 'varchar' || base === 'text';
}

function sameBase({ base, numbers: old }: SqlType, { numbers: now }: SqlType): Omit<TypeChange, 'using'> {
  if (old.join() === now.join()) return { effect: 'free', why: '' };
  if (base === 'varchar')
    return (now[0] ?? Infinity) >= (old[0] ?? Infinity) ? { effect: 'free', why: '' } : { effect: 'checked', why: tooLong };
  if (base === 'numeric') return numericChange(old, now);
  // Digits of a second.
  return (now[0] ?? 6) >= (old[0] ?? 6)
    ? { effect: 'free', why: '' }
    : { effect: 'lossy', why: 'digits of fractional seconds would be lost' };
}

// Without precision any value fits; with precision, the scale defaults to 0.
function numericChange(
  [oldPrecision, oldScale = 0]: readonly number[],
  [precision, scale = 0]: readonly number[],
): Omit<TypeChange, 'using'> {
  if (precision === undefined) return { effect: 'free', why: '' };
  if (oldPrecision === undefined || scale < oldScale) return { effect: 'lossy', why: 'decimal places would be rounded' };
  if (precision - scale < oldPrecision - oldScale) return { effect: 'checked', why: 'a number with more digits stops it' };
  return { effect: scale === oldScale ? 'free' : 'rewrite', why: '' };
}

/** Whether statements for values of the one type fail on a column of the other. */
export function isOfOtherFamily(from: ColumnType, to: ColumnType): boolean {
  return familyOf(from) !== familyOf(to);
}

// PostgreSQL compares numbers of all types with each other, and assigns them.
function familyOf(column: ColumnType): string {
  const { base, array } = parseType(column.type);
  const family = isText(base) ? 'text' : numbers.has(base) ? 'number' : base;
  return array || isJsonArray(column) ? `${family}[]` : family;
}
