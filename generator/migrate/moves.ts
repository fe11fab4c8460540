import { literal, quote } from '../../runtime/schema/identifier.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { databaseName } from '../graph/names/names.js';
import { changeType, isJsonArray, isOfOtherFamily } from './change-type.js';
import { inTransaction, type Decisions, type Step, batched, inBatches } from './step.js';

/** The location of a property's values: a separate column, or a text in a shared one. */
export interface Home {
  readonly column: Column;
  /** The shared column. */
  readonly shared: string | undefined;
}

/** The assignment of a value to a property, in either location. */
export function assignment({ column, shared }: Home, value: string): string {
  return shared === undefined
    ? `${quote(column.name)} = ${value}`
    : `${quote(shared)} = ${quote(shared)} || jsonb_build_object(${literal(column.name)}, (${value})::text)`;
}

/** The SQL of a property's stored value in a row, in either location. */
export function storedValue({ column, shared }: Home, row: string): string {
  return shared === undefined ? `${row}${quote(column.name)}` : `(${row}${quote(shared)} ->> ${literal(column.name)})`;
}

/** The SQL of an array with the items of a collection, or with a single value, as texts. */
export function itemsOf(home: Home, row: string): string {
  const value = storedValue(home, row);
  return home.column.type.endsWith('[]') ? `${value}::text[]` : `array[${value}::text]`;
}

/** A move of values within a row, or a conversion within the shared column. */
export interface Move {
  readonly from: Home;
  readonly to: Home;
}

/** The locations of a table's properties. */
export function homesOf({ columns }: Table): readonly Home[] {
  return columns.flatMap((column) => [
    { column, shared: undefined },
    ...(column.holds ?? []).map((held) => ({ column: held, shared: column.name })),
  ]);
}

/** A property that both tables have, with its location before. */
interface KeptHome {
  readonly former: Home;
  readonly home: Home;
}

/** The properties that both tables have; of those that move, the name may be another one. */
export function keptHomes(old: Table, wanted: Table, moves: readonly Move[] = []): readonly KeptHome[] {
  const before = new Map(homesOf(old).map((home) => [home.column.name, home]));
  return homesOf(wanted).flatMap((home) => {
    const former = moves.find(({ to }) => to.column === home.column)?.from ?? before.get(home.column.name);
    return former === undefined ? [] : [{ former, home }];
  });
}

/** Properties that move to or from the shared column, and those within it that are renamed or retyped. */
export function movesOf(old: Table, wanted: Table, { renamed }: Pick<Decisions, 'renamed'>): readonly Move[] {
  const [before, after] = [homesOf(old), homesOf(wanted)];
  const known = new Map(before.map((home) => [home.column.name, home]));
  const used = new Set(after.map(({ column }) => column.name));
  const formerOf = ({ name, declaredFrom = [] }: Column): string => {
    if (known.has(name)) return name;
    const decided = [...renamed].flatMap(([from, to]) =>
      to === name && from.startsWith(`${wanted.name}/`) ? [from.slice(wanted.name.length + 1)] : [],
    );
    return [...declaredFrom, ...decided].find((from) => known.has(from) && !used.has(from)) ?? name;
  };
  return after.flatMap((to): readonly Move[] => {
    const from = known.get(formerOf(to.column));
    return from === undefined || !isMoved({ from, to }) ? [] : [{ from, to }];
  });
}

/** Whether the values can be converted. */
export function isConvertible({ from, to }: Move): boolean {
  return changeType(from.column, to.column) !== undefined;
}

function isMoved({ from, to }: Move): boolean {
  if (from.shared === undefined && to.shared === undefined) return false;
  return (
    from.shared !== to.shared ||
    from.column.name !== to.column.name ||
    !isSameText(changeType(from.column, to.column)?.effect, from.column, to.column)
  );
}

// Numbers and texts of other lengths have the same text; other types not always.
function isSameText(effect: string | undefined, from: Column, to: Column): boolean {
  const isText = [from, to].every(({ type }) => /^(text|varchar)/.test(type));
  return (from.type === to.type && isJsonArray(from) === isJsonArray(to)) || effect === 'free' || (effect === 'checked' && isText);
}

/**
 * Copies values in batches. A trigger copies the writes of old services meanwhile, so that nothing is lost before the
 * last phase and they see no change.
 */
export function copyMoves(table: string, name: string, all: readonly Move[]): readonly Step[] {
  const moves = all.filter(isConvertible);
  const statements = [
    `create or replace function ${keeper(name)}() returns trigger language plpgsql as $$begin ${moves.map(keepStatement).join(' ')} return new; end$$;`,
    `drop trigger if exists "#moves" on ${table};`,
    `create trigger "#moves" before insert or update on ${table} for each row execute function ${keeper(name)}();`,
  ];
  const sets = assignments(all);
  const update = `update ${table} set ${sets.join(', ')} where`;
  return [
    ...(moves.length === 0 ? [] : [inTransaction('expand', statements, [`SHARE ROW EXCLUSIVE on ${table}, for a moment`])]),
    ...(sets.length === 0 ? [] : [inBatches('backfill', name, update, moves.flatMap(note))]),
  ];
}

/**
 * Removes moved values from their old location, once nobody writes there; `gone` are those that the model has removed.
 */
export function leaveMoves(
  table: string,
  name: string,
  { moves, old, wanted }: { readonly moves: readonly Move[]; readonly old: Table; readonly wanted: Table },
): readonly Step[] {
  const drop = [`drop trigger "#moves" on ${table};`, `drop function ${keeper(name)}();`];
  return [
    ...(moves.some(isConvertible) ? [inTransaction('contract', drop, [`ACCESS EXCLUSIVE on ${table}, for a moment`])] : []),
    ...wanted.columns.flatMap(({ name: shared, holds }) =>
      holds === undefined ? [] : removeMembers(table, name, shared, leftIn(shared, old, holds)),
    ),
  ];
}

function leftIn(shared: string, old: Table, holds: readonly Column[]): readonly string[] {
  const held = old.columns.find(({ name }) => name === shared)?.holds ?? [];
  return held.map(({ name }) => name).filter((name) => !holds.some((other) => other.name === name));
}

function removeMembers(table: string, name: string, shared: string, names: readonly string[]): readonly Step[] {
  if (names.length === 0) return [];
  const [column, list] = [quote(shared), `array[${names.map(literal).join(', ')}]`];
  return [batched('contract', name, `update ${table} set ${column} = ${column} - ${list} where ${column} ?| ${list}`)];
}

function keeper(table: string): string {
  return quote(databaseName(`${table}#moves`));
}

function keepStatement(move: Move): string {
  const { from, to } = move;
  const [now, before] = [rawOf(from, 'new.'), rawOf(from, 'old.')];
  const value = valueOf(move, 'new.');
  const target =
    to.shared === undefined
      ? `new.${quote(to.column.name)} = ${to.column.default === undefined ? value : `coalesce(${value}, ${to.column.default})`}`
      : `new.${quote(to.shared)} = new.${quote(to.shared)} || jsonb_build_object(${literal(to.column.name)}, ${value})`;
  return `if ${now} is distinct from ${before} then ${target}; end if;`;
}

// Values that cannot be converted must not be misread.
function assignments(all: readonly Move[]): readonly string[] {
  const moves = all.filter(isConvertible);
  const toColumns = moves
    .filter(({ to }) => to.shared === undefined)
    .map((move) => `${quote(move.to.column.name)} = coalesce(${valueOf(move, '')}, ${quote(move.to.column.name)})`);
  const toShared = moves.filter(({ to }) => to.shared !== undefined);
  const cleared = all.filter((move) => !isConvertible(move) && move.from.shared !== undefined && move.from.shared === move.to.shared);
  const shared = [...toShared, ...cleared][0]?.to.shared;
  if (shared === undefined) return toColumns;
  const kept =
    cleared.length === 0 ? quote(shared) : `${quote(shared)} - array[${cleared.map(({ from }) => literal(from.column.name)).join(', ')}]`;
  const added =
    toShared.length === 0
      ? ''
      : ` || jsonb_object(array[${toShared.map(({ to }) => literal(to.column.name)).join(', ')}], array[${toShared.map((move) => valueOf(move, '')).join(', ')}])`;
  return [`${quote(shared)} = ${kept}${added}`, ...toColumns];
}

function note({ from, to }: Move): readonly string[] {
  const [name, why] = [quote(to.column.name), changeType(from.column, to.column)?.why ?? ''];
  const isForeign = from.shared === to.shared && from.column.name === to.column.name && isOfOtherFamily(from.column, to.column);
  return [
    ...(why === '' ? [] : [`${name}: ${why}`]),
    ...(isForeign ? [`a service with the old model fails on ${name} from this step on`] : []),
  ];
}

// The stored form, for comparison with itself.
function rawOf({ column, shared }: Home, row: string): string {
  return shared === undefined ? `${row}${quote(column.name)}` : `${row}${quote(shared)} -> ${literal(column.name)}`;
}

function valueOf({ from, to }: Move, row: string): string {
  // A cast to a length would cut a text that is too long; the column rejects it.
  const type = from.column.type.replace(/^varchar\(\d+\)/, 'text');
  const stored = `${storedValue(from, row)}${from.shared === undefined ? '' : `::${type}`}`;
  const value = changeType(from.column, to.column, stored)?.using ?? stored;
  return to.shared === undefined ? value : `(${value})::text`;
}
