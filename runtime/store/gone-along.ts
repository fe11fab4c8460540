import { own, type EntityContainer, type EntityType, type Navigation } from '../edm/index.js';
import { requireWritable } from '../plan/write/plan-write.js';
import { compileAlong, type Along } from '../sql/compile-along.js';
import { compileHold } from '../sql/compile-lock.js';
import type { Connection } from '../sql/statement.js';
import { findRecord } from './find-record.js';
import { byNumber } from './locate-record.js';
import { requireAllowed, requireOpen } from './row-rules.js';
import type { LockedRecord } from './stored-record.js';
import type { WriteScope } from './write-scope.js';

/** A way by which the database takes records along, or by which the service deletes them (Rules.DeletesTarget). */
interface Way extends Along {
  readonly deletes: boolean;
}

/** Whether deleting entities of a type cascades to others by Rules.DeletesTarget, directly or through foreign keys. */
export function deletesAlong({ table }: Pick<EntityType, 'table'>, container: EntityContainer): boolean {
  return waysOf(container).has(table);
}

/**
 * Locks the entities to which a deletion cascades by Rules.DeletesTarget, at any depth. Cascades of foreign keys are
 * followed, but not returned. Rejects what the caller must not delete.
 */
export async function goneAlong(
  type: EntityType,
  ids: readonly string[],
  connection: Connection,
  scope: WriteScope,
): Promise<readonly LockedRecord[]> {
  const { table } = type;
  const ways = waysOf(scope.container);
  const gone: LockedRecord[] = [];
  const seen = new Map([[table, new Set(ids)]]);
  const ahead = ids.length === 0 ? [] : [{ table, ids }];
  // The list grows during the loop; cycles are visited once.
  for (const from of ahead) {
    for (const way of ways.get(from.table) ?? []) {
      const found = unseen(await connection.run(compileAlong(way, from.ids)), way.to, seen);
      if (found.length === 0) continue;
      if (way.deletes) gone.push(...(await lockAll(way.to, found, connection, scope)));
      ahead.push({ table: way.to.table, ids: found });
    }
  }
  return gone;
}

function unseen(rows: readonly (readonly (string | null)[])[], { table }: EntityType, seen: Map<string, Set<string>>): readonly string[] {
  const known = seen.get(table) ?? new Set<string>();
  seen.set(table, known);
  const found = [...new Set(rows.flatMap(([number]) => number ?? []))].filter((number) => !known.has(number));
  for (const number of found) known.add(number);
  return found;
}

async function lockAll(
  type: EntityType,
  numbers: readonly string[],
  connection: Connection,
  { container, caller }: WriteScope,
): Promise<readonly LockedRecord[]> {
  const all: LockedRecord[] = [];
  for (const number of numbers) {
    const locked = await findRecord(type, byNumber(number), connection, container);
    if (locked === undefined) continue;
    await connection.defer(compileHold(locked.type, [number]));
    requireWritable(locked.type, 'delete', caller);
    await requireOpen(locked.type, locked, 'delete', connection);
    await requireAllowed(locked.type, number, 'delete', connection);
    all.push(locked);
  }
  return all;
}

const known = new WeakMap<EntityContainer, ReadonlyMap<string, readonly Way[]>>();

function waysOf(container: EntityContainer): ReadonlyMap<string, readonly Way[]> {
  const ways = known.get(container) ?? findWays(container);
  known.set(container, ways);
  return ways;
}

// Of foreign key cascades, only those that lead to a further deletion.
function findWays(container: EntityContainer): ReadonlyMap<string, readonly Way[]> {
  const all = [
    ...new Map(
      Object.values(container.entityTypes)
        .flatMap((type) => waysAt(type, container))
        .map((way) => [JSON.stringify([way.from, way.to.table, way.join, way.through]), way]),
    ).values(),
  ];
  const leading = new Set(all.flatMap(({ deletes, from }) => (deletes ? [from] : [])));
  // A set that grows is walked to its end.
  for (const table of leading) for (const { from, to } of all) if (to.table === table) leading.add(from);
  const ways = new Map<string, Way[]>();
  for (const way of all) if (way.deletes || leading.has(way.to.table)) ways.set(way.from, [...(ways.get(way.from) ?? []), way]);
  return ways;
}

function waysAt(type: EntityType, container: EntityContainer): readonly Way[] {
  return Object.values(type.navigation).flatMap((navigation) => waysBy(navigation, type, own(container.entityTypes, navigation.target)));
}

function waysBy(
  { join, through, deletesTarget, contains, goesAlong }: Navigation,
  type: EntityType,
  target: EntityType | undefined,
): readonly Way[] {
  if (target === undefined) return [];
  const back = Object.fromEntries(Object.entries(join).map(([column, other]) => [other, column]));
  return [
    ...(deletesTarget || contains
      ? [{ from: type.table, to: target, join, ...(through && { through }), deletes: deletesTarget === true }]
      : []),
    ...(goesAlong ? [{ from: target.table, to: type, join: back, deletes: false }] : []),
  ];
}
