import type { EntityContainer, EntityType } from '../../edm/index.js';
import { memoized } from '../../edm/memoized.js';
import { StatementBuilder } from '../../sql/builder.js';
import { amongNumbers } from '../../sql/compile-write.js';
import type { Connection, Statement } from '../../sql/statement.js';
import { compileDependent, leadsToTracked } from './deleted-rows.js';
import { cascadesFrom, type RowCascade } from './tracked-tables.js';

/** Rows of a table that are locked for deletion. */
interface LockedRows {
  readonly type: EntityType;
  readonly ids: readonly string[];
}

/**
 * Locks the rows that foreign keys delete with locked ones. A deletion logs the rows that its statement sees: until they
 * are locked, others may add rows to those that go with it, move rows away, and change rows whose deletion has a number.
 */
export async function lockDependents(
  locked: LockedRows,
  container: EntityContainer,
  connection: Pick<Connection, 'run' | 'defer'>,
): Promise<void> {
  const seen = new Set<string>();
  const pending = [locked];
  // The list grows during the loop: a level is complete when the one above is locked.
  for (const { type, ids } of pending)
    for (const cascade of loggedFrom(type, container)) {
      const { to } = cascade;
      const statement = compileLock(type, cascade, ids);
      if (loggedFrom(to, container).length === 0) await connection.defer(statement);
      else {
        const found = (await connection.run(statement)).flatMap(([id]) => id ?? []).filter((id) => !seen.has(`${to.table} ${id}`));
        for (const id of found) seen.add(`${to.table} ${id}`);
        if (found.length > 0) pending.push({ type: to, ids: found });
      }
    }
}

/** Whether a deletion cascades in several steps, each of which must be read before the next one. */
export function cascadesFurther(type: EntityType, container: EntityContainer): boolean {
  return loggedFrom(type, container).some(({ to }) => loggedFrom(to, container).length > 0);
}

// The cascades that reach tracked rows.
const loggedFrom = memoized((type: EntityType, container: EntityContainer): readonly RowCascade[] =>
  cascadesFrom(type, container).filter(({ to }) => leadsToTracked(to, container)),
);

function compileLock(type: EntityType, cascade: RowCascade, ids: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const rows = compileDependent(type, cascade, amongNumbers(ids, builder));
  return builder.unfilteredStatement(`select o."#id" from ${rows} order by 1 for update of o`);
}
