import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';

/** The table with the type's plain name depends on the other entity sources; rows stay with theirs. */
export function movedTable({ name, place }: Table, old: Schema, wanted: Schema): readonly (readonly [string, string])[] {
  if (place === undefined || old.tables.some((table) => table.name === name)) return [];
  const placeNow = (former: Table): string | undefined => wanted.tables.find((table) => table.name === former.name)?.place;
  const before = old.tables.find((table) => table.place === place && placeNow(table) !== place);
  return before === undefined ? [] : [[before.name, name]];
}

/** Tables of pairs follow the tables that they join. */
export function movedPairs(
  pairs: Table,
  old: Schema,
  wanted: Schema,
  tables: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  if (old.tables.some(({ name }) => name === pairs.name)) return [];
  return [...tables].flatMap(([from, to]) => {
    const before = old.tables.find(({ name }) => name.startsWith(`#${from}_`) && pairs.name === `#${to}${name.slice(from.length + 1)}`);
    if (before === undefined || principalsOf(before, tables) !== principalsOf(pairs)) return [];
    const heir = wanted.tables.find(({ name }) => name === before.name);
    return heir === undefined || principalsOf(heir) !== principalsOf(before, tables) ? [[before.name, pairs.name] as const] : [];
  });
}

/** The tables that a table references, with its columns: where the other side names the pairs, each has records of the other. */
export function principalsOf(table: Table, tables: ReadonlyMap<string, string> = new Map()): string {
  const keys = foreignKeysOf(table).map(({ columns, principal }) => `${columns.join(' ')} ${tables.get(principal) ?? principal}`);
  return keys.sort().join(' ');
}
