import type { Schema, Table } from '../../runtime/schema/schema.js';
import { principalOf } from './gone-column.js';
import type { Problem } from './step.js';

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
