import { foreignKeysOf } from '../../runtime/schema/print-schema.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { principalOf } from './gone-column.js';
import type { Problem } from './step.js';

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

/** Links by number to another table from here on: their numbers would be those of other records. Renames have been applied. */
export function movedTargets(old: Schema, wanted: Schema): readonly Problem[] {
  // Records that move to a table keep their numbers.
  const former = new Map(wanted.tables.map(({ name, takesOver }) => [name, takesOver?.table]));
  return wanted.tables.flatMap((table) => {
    const before = old.tables.find(({ name }) => name === table.name);
    return before === undefined ? [] : table.columns.flatMap(({ name }) => movedTarget(name, { before, table, former }));
  });
}

interface Places {
  readonly before: Table;
  readonly table: Table;
  readonly former: ReadonlyMap<string, string | undefined>;
}

function movedTarget(column: string, { before, table, former }: Places): readonly Problem[] {
  const [was, is] = [principalOf(column, before), principalOf(column, table)];
  if (was === undefined || is === undefined || was === is || former.get(is) === was) return [];
  const { name } = table;
  const what = name.startsWith('#')
    ? `${name} has pairs with records of ${was}, and would have them with records of ${is}`
    : `${name}/${column} has records of ${was} as ${column.startsWith('#in.') ? 'parents' : `targets of the navigation property ${column.slice(1)}`}, and would have records of ${is}`;
  const message = `${what}, whose numbers are those of other records. Give the navigation property another name; or remove it in one migration, and add it in the next.`;
  return [{ kind: 'refused', table: name, column, message }];
}
