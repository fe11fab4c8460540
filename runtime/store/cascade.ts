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
interface Cascade extends Along {
  readonly deletes: boolean;
}

/** Whether deleting entities of a type cascades to others by Rules.DeletesTarget, directly or through foreign keys. */
export function cascadesFrom({ table }: Pick<EntityType, 'table'>, container: EntityContainer): boolean {
  return cascadesOf(container).has(table);
}

/**
 * Locks the entities to which a deletion cascades by Rules.DeletesTarget, at any depth. Cascades of foreign keys are
 * followed, but not returned. Rejects what the caller must not delete.
 */
export async function lockCascade(
  type: EntityType,
  ids: readonly string[],
  connection: Connection,
  scope: WriteScope,
): Promise<readonly LockedRecord[]> {
  const { table } = type;
  const cascades = cascadesOf(scope.container);
  const locked: LockedRecord[] = [];
  const seen = new Map([[table, new Set(ids)]]);
  const ahead = ids.length === 0 ? [] : [{ table, ids }];
  // The list grows during the loop; cycles are visited once.
  for (const from of ahead) {
    for (const cascade of cascades.get(from.table) ?? []) {
      const found = unseen(await connection.run(compileAlong(cascade, from.ids)), cascade.to, seen);
      if (found.length === 0) continue;
      if (cascade.deletes) locked.push(...(await lockAll(cascade.to, found, connection, scope)));
      ahead.push({ table: cascade.to.table, ids: found });
    }
  }
  return locked;
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

const known = new WeakMap<EntityContainer, ReadonlyMap<string, readonly Cascade[]>>();

function cascadesOf(container: EntityContainer): ReadonlyMap<string, readonly Cascade[]> {
  const cascades = known.get(container) ?? findCascades(container);
  known.set(container, cascades);
  return cascades;
}

// Of foreign key cascades, only those that lead to a further deletion.
function findCascades(container: EntityContainer): ReadonlyMap<string, readonly Cascade[]> {
  const all = [
    ...new Map(
      Object.values(container.entityTypes)
        .flatMap((type) => cascadesAt(type, container))
        .map((cascade) => [JSON.stringify([cascade.from, cascade.to.table, cascade.join, cascade.through]), cascade]),
    ).values(),
  ];
  const leading = new Set(all.flatMap(({ deletes, from }) => (deletes ? [from] : [])));
  // A set that grows is walked to its end.
  for (const table of leading) for (const { from, to } of all) if (to.table === table) leading.add(from);
  const cascades = new Map<string, Cascade[]>();
  for (const cascade of all)
    if (cascade.deletes || leading.has(cascade.to.table)) cascades.set(cascade.from, [...(cascades.get(cascade.from) ?? []), cascade]);
  return cascades;
}

function cascadesAt(type: EntityType, container: EntityContainer): readonly Cascade[] {
  return Object.values(type.navigation).flatMap((navigation) =>
    cascadesBy(navigation, type, own(container.entityTypes, navigation.target)),
  );
}

function cascadesBy(
  { join, through, deletesTarget, contains, cascades }: Navigation,
  type: EntityType,
  target: EntityType | undefined,
): readonly Cascade[] {
  if (target === undefined) return [];
  const back = Object.fromEntries(Object.entries(join).map(([column, other]) => [other, column]));
  return [
    ...(deletesTarget || contains
      ? [{ from: type.table, to: target, join, ...(through && { through }), deletes: deletesTarget === true }]
      : []),
    ...(cascades ? [{ from: target.table, to: type, join: back, deletes: false }] : []),
  ];
}
