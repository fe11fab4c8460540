import type { EntityContainer, EntityType } from '../../edm/index.js';
import { columnReference, identifier } from '../../sql/builder.js';
import type { FollowedChange } from '../../sql/followers.js';
import { beforeColumns, compileBefore } from './before-image.js';
import { cascadesFrom, keyText, type RowCascade, setLiteral, trackedTypes } from './tracked-tables.js';

/** Whether a deletion deletes tracked rows of other tables, by foreign keys that cascade. */
export function leadsToTracked(type: EntityType, container: EntityContainer): boolean {
  const tracked = new Set(trackedTypes(container).map(({ table }) => table));
  return reachedFrom([type], container).some(({ table }) => tracked.has(table));
}

/** The tables from which a deletion deletes rows, those with the deleted rows first and dependent ones last. */
function reachedFrom(types: readonly EntityType[], container: EntityContainer): readonly EntityType[] {
  const reached = [...types];
  // The list grows during the loop.
  for (const type of reached)
    for (const { to } of cascadesFrom(type, container)) if (!reached.some(({ table }) => table === to.table)) reached.push(to);
  return reached;
}

/** The rows for the log of deletions in one statement, with those that foreign keys delete; dependent rows come first. */
export function deletedRows(
  changes: readonly FollowedChange[],
  container: EntityContainer,
): { readonly tables: readonly string[]; readonly rows: readonly string[] } {
  const types = reachedFrom(
    changes.map(({ type }) => type),
    container,
  );
  const place = ({ table }: EntityType): number => types.findIndex((type) => type.table === table);
  const tracked = new Map(trackedTypes(container).map((type) => [type.table, type]));
  const seeds = changes.map(({ type, from }) => `select ${place(type)}, "#n" from ${from}`).join(' union ');
  const steps = types.flatMap((type) => cascadesFrom(type, container).map((cascade) => compileCascade(type, cascade, place)));
  const further = steps.length === 0 ? '' : ` union select f.t, f.n from gone g, lateral (${steps.join(' union all ')}) f(t, n)`;
  return {
    tables: [`gone(t, n) as (${seeds}${further})`],
    rows: types.flatMap(({ table }, index) => {
      const type = tracked.get(table);
      if (type === undefined) return [];
      const before = compileBefore(beforeColumns(type, container), 'o');
      return [
        `select ${setLiteral(type)}, ${keyText(type, 'o')}, 'd', ${before}, ${-index}, -o."#id" from gone g join ${identifier(table)} o on o."#id" = g.n where g.t = ${index}`,
      ];
    }),
  };
}

// The statement sees the rows as they were before it.
function compileCascade(from: EntityType, { to, join }: RowCascade, place: (type: EntityType) => number): string {
  const row = `${identifier(to.table)} d`;
  const pairs = Object.entries(join);
  const [only] = pairs;
  if (pairs.length === 1 && only?.[0] === '#id')
    return `select ${place(to)}, d."#id" from ${row} where g.t = ${place(from)} and ${columnReference('d', only[1])} = g.n`;
  const on = pairs.map(([column, other]) => `${columnReference('d', other)} = ${columnReference('p', column)}`).join(' and ');
  return `select ${place(to)}, d."#id" from ${identifier(from.table)} p join ${row} on ${on} where g.t = ${place(from)} and p."#id" = g.n`;
}
