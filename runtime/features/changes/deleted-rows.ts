import type { EntityContainer, EntityType } from '../../edm/index.js';
import { quote } from '../../schema/identifier.js';
import { columnReference } from '../../sql/builder.js';
import type { FollowedChange } from '../../sql/row-change.js';
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

/** The rows for the log of deletions, and the common table expressions that they need. */
export interface DeletedRows {
  readonly tables: readonly string[];
  /** Queries of rows that must be read before the deletion. */
  readonly rows: readonly string[];
  /** Queries of the deleted rows themselves, if they follow the others and are not among them. */
  readonly own: readonly string[];
  /** Whether the rows must be ordered by their last two columns. */
  readonly isUnordered: boolean;
}

/** The rows for the log of deletions in one statement, with those that foreign keys delete; dependent rows come first. */
export function deletedRows(changes: readonly FollowedChange[], container: EntityContainer): DeletedRows {
  const [change, ...others] = changes;
  const cascades = change === undefined ? [] : cascadesFrom(change.type, container);
  const tables = new Set(cascades.map(({ to }) => to.table));
  const isFlat = tables.size === cascades.length && cascades.every(({ to }) => cascadesFrom(to, container).length === 0);
  return change !== undefined && others.length === 0 && isFlat ? flatRows(change, cascades, container) : deepRows(changes, container);
}

// Most deletions reach other tables in one step, or none.
function flatRows({ type, from, among }: FollowedChange, cascades: readonly RowCascade[], container: EntityContainer): DeletedRows {
  const tracked = new Map(trackedTypes(container).map((one) => [one.table, one]));
  const dependent = cascades.flatMap(({ to, join }) => {
    const own = tracked.get(to.table);
    return own === undefined ? [] : [`${rowOf(own, container)}, 0, o."#id" from ${compileDependent(type, { to, join }, among)}`];
  });
  const before = beforeColumns(type, container).length === 0 ? 'null::jsonb' : '"#b"';
  const own = type.tracking && `select ${setLiteral(type)}, "#k", 'd', ${before}, 1, "#n" from ${from}`;
  return { tables: [], rows: dependent, own: own === undefined ? [] : [own], isUnordered: false };
}

/** The rows of the other table as `o`, with their condition; the constraint mostly refers to the number. */
export function compileDependent(type: EntityType, { to, join }: RowCascade, among: string | undefined): string {
  const pairs = Object.entries(join);
  const [column, other = ''] = pairs[0] ?? [];
  const rows = `${quote(to.table)} o`;
  if (pairs.length === 1 && column === '#id') return `${rows} where ${columnReference('o', other)} ${among}`;
  const on = pairs.map(([from, to]) => `${columnReference('o', to)} = ${columnReference('p', from)}`).join(' and ');
  return `${quote(type.table)} p join ${rows} on ${on} where p."#id" ${among}`;
}

function rowOf(type: EntityType, container: EntityContainer): string {
  return `select ${setLiteral(type)}, ${keyText(type, 'o')}, 'd', ${compileBefore(beforeColumns(type, container), 'o')}`;
}

function deepRows(changes: readonly FollowedChange[], container: EntityContainer): DeletedRows {
  const own = changes.map(({ type }) => type);
  const types = reachedFrom(own, container);
  const place = ({ table }: EntityType): number => types.findIndex((type) => type.table === table);
  const tracked = new Map(trackedTypes(container).map((type) => [type.table, type]));
  const seeds = changes
    .map(({ type, among }) => `select ${place(type)}, "#id" from ${quote(type.table)} where "#id" ${among}`)
    .join(' union ');
  const steps = types.flatMap((type) => cascadesFrom(type, container).map((cascade) => compileCascade(type, cascade, place)));
  const further = steps.length === 0 ? '' : ` union select f.t, f.n from g, lateral (${steps.join(' union all ')}) f(t, n)`;
  return {
    // In a query of its own, since engines that distribute rows accept no recursive statement that changes some.
    tables: [`gone(t, n) as (with recursive g(t, n) as (${seeds}${further}) select t, n from g)`],
    rows: types.flatMap(({ table }, index) => {
      const type = tracked.get(table);
      if (type === undefined) return [];
      return [`${rowOf(type, container)}, ${-index}, -o."#id" from gone g join ${quote(table)} o on o."#id" = g.n where g.t = ${index}`];
    }),
    own: [],
    isUnordered: true,
  };
}

// The statement sees the rows as they were before it.
function compileCascade(from: EntityType, cascade: RowCascade, place: (type: EntityType) => number): string {
  return `select ${place(cascade.to)}, o."#id" from ${compileDependent(from, cascade, '= g.n')} and g.t = ${place(from)}`;
}
