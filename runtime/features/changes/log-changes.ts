import type { EntityContainer, EntityType } from '../../edm/index.js';
import { changeColumns, changeSequence, changeTable, columnOf, fieldOf, openColumn, propertyOf } from '../../edm/index.js';
import { markTaken } from '../../schema/change-mark.js';
import { literal, quote } from '../../schema/identifier.js';
import { columnReference, StatementBuilder } from '../../sql/builder.js';
import type { FollowedChange, Followers, FollowingTables, RowChange } from '../../sql/row-change.js';
import { beforeColumns, compileBefore } from './before-image.js';
import { deletedRows, type DeletedRows, leadsToTracked, compileDependent } from './deleted-rows.js';
import { changesKey, keyText, setLiteral, textOfKey, cascadesFrom, type RowCascade } from './tracked-tables.js';
import { memoized } from '../../edm/memoized.js';
import { amongNumbers } from '../../sql/compile-write.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** A query of rows for the log: set, key, operation, values before, and two columns by which they are ordered. */
type LogRows = string;

/** The columns of the changed row that the log needs, by their names in `changed`. */
const changedNumber = '"#n"';
const changedKey = '"#k"';
const changedBefore = '"#b"';

/** The models of tracked types and of those whose deletion deletes tracked rows; copies of a type share its fields. */
const models = new WeakMap<EntityType['fields'], EntityContainer>();

/** Logs the changes of a model from now on. */
export function logModel(container: EntityContainer): void {
  for (const type of Object.values(container.entityTypes))
    if (type.tracking !== undefined || leadsToTracked(type, container)) models.set(type.fields, container);
}

/** Logs the changes of tracked sets in the statements that make them. */
export const logFollowers: Followers = {
  isFollowed: (kind, type) => followedIn(kind, type) !== undefined,
  columnsOf: (change, alias) => {
    const { kind, type } = change;
    const container = followedIn(kind, type);
    if (container === undefined) return undefined;
    const number = `${columnReference(alias, '#id')} as ${changedNumber}`;
    if (type.tracking === undefined) return [number];
    const key = `${keyText(type, alias)} as ${changedKey}`;
    const { columns, isKept } = beforeOf(change, container);
    return isKept ? [number, key, `${compileBefore(columns, alias)} as ${changedBefore}`] : [number, key];
  },
  tablesOf: (changes) => {
    const container = changes[0] && models.get(changes[0].type.fields);
    return container === undefined ? { before: [], after: [] } : compileLog(changes, container);
  },
  locksInSteps: (type) => {
    const container = models.get(type.fields);
    return container !== undefined && cascadesFurther(type, container);
  },
  lockDependents: async (type, ids, connection) => {
    const container = models.get(type.fields);
    if (container !== undefined) await lockDependents({ type, ids }, container, connection);
  },
};

// The model of a change that is logged: of a tracked type, or a deletion that may delete tracked rows.
function followedIn(kind: RowChange['kind'], type: EntityType): EntityContainer | undefined {
  return kind !== 'delete' && type.tracking === undefined ? undefined : models.get(type.fields);
}

function compileLog(changes: readonly FollowedChange[], container: EntityContainer): FollowingTables {
  const deleted = changes.filter(({ kind }) => kind === 'delete');
  const deletion: Partial<DeletedRows> = deleted.length === 0 ? {} : deletedRows(deleted, container);
  const others = changes.filter(({ kind }) => kind !== 'delete');
  const isDeleted = deleted.map(({ from }) => `exists (select from ${from})`).join(' or ');
  const { rows: first = [], own = [] } = deletion;
  const where = first.length === 0 ? '' : ` where ${isDeleted}`;
  // A condition on all rows takes fewer nodes of PostgreSQL's plan than one on a part of them.
  const [inner, outer] = others.length === 0 ? ['', where] : [where, ''];
  const removed = first.length === 0 ? [] : [`select * from removed${inner}`];
  const rows = `(${[...others.flatMap((change) => rowsOf(change, container)), ...removed, ...own].join(' union all ')}) rows(s, k, o, b, r, n)${outer}`;
  const before = [
    ...others.flatMap((change) => formerRows(change, container)),
    ...(deletion.tables ?? []),
    ...(first.length === 0 ? [] : [`removed(s, k, o, b, r, n) as materialized (${first.join(' union all ')})`]),
  ];
  // In the order of the table's columns and with its default, which spares PostgreSQL a projection.
  const { number, set, key, operation, at, before: image } = changeColumns;
  const columns = [number, set, key, operation, at, image].map(quote).join(', ');
  const ordered = deletion.isUnordered ? `(select * from ${rows} order by r, n) rows` : rows;
  return {
    before,
    after: [`logged as (insert into ${quote(changeTable)} (${columns}) select ${drawNumber(changes)}, s, k, o, now(), b from ${ordered})`],
  };
}

// The mark is taken when a row has been changed and thus is locked, and its number is drawn after it. So the numbers of a
// record's changes have their order. Many rows share one mark, which a subquery takes; a single row needs no subquery.
function drawNumber(changes: readonly FollowedChange[]): string {
  const isSingle = changes.every((change) => change.isSingle && change.kind !== 'delete');
  return `case when ${isSingle ? markTaken : `(select ${markTaken})`} then nextval(${literal(quote(changeSequence))}) end`;
}

interface BeforeChange {
  readonly columns: readonly string[];
  /** Whether the returned row has their values too: an update that sets none of them, or a deletion. */
  readonly isKept: boolean;
}

// The values before a change that are logged.
function beforeOf({ kind, type, names = [] }: RowChange, container: EntityContainer): BeforeChange {
  const columns = kind === 'insert' ? [] : beforeColumns(type, container);
  const set = new Set(names.flatMap((name) => [name, columnOf(type, name)]));
  // Other columns follow from values: those of keys within complex values, and of dynamic properties.
  const isPlain = (column: string): boolean =>
    column !== openColumn && (column.startsWith('#') || fieldOf(type, propertyOf(type, column)) !== undefined);
  const isSame = (column: string): boolean => kind === 'delete' || (isPlain(column) && !set.has(column));
  return { columns, isKept: columns.length > 0 && columns.every(isSame) };
}

// The key and the values of updated rows before the update, where the log needs them.
function formerRows(change: FollowedChange, container: EntityContainer): readonly string[] {
  const { type, kind, from, where } = change;
  const { columns } = beforeOf(change, container);
  const isNeeded = readsFormer(change, container);
  if (kind === 'insert' || where === undefined || !isNeeded) return [];
  const row = `select "#id" as i, ${keyText(type, 'o')} as k, ${compileBefore(columns, 'o')} as b from ${quote(type.table)} o where ${where}`;
  return [`former_${from} as materialized (${row})`];
}

// Whether the log needs values of an updated row as it was, which neither the row nor the statement's parameters have.
function readsFormer(change: FollowedChange, container: EntityContainer): boolean {
  const { columns, isKept } = beforeOf(change, container);
  return (columns.length > 0 && !isKept) || (change.formerKey === undefined && changesKey(change.type, change.names ?? []));
}

function rowsOf(change: FollowedChange, container: EntityContainer): readonly LogRows[] {
  const { type, kind, from, names = [], where } = change;
  const set = setLiteral(type);
  if (kind === 'insert') return [`select ${set}, ${changedKey}, 'c', null::jsonb, 0, ${changedNumber} from ${from}`];
  const { columns, isKept } = beforeOf(change, container);
  const isKeyChanged = changesKey(type, names);
  const isFormer = readsFormer(change, container);
  const stored = where === undefined ? `${quote(type.table)} o on o."#id"` : `former_${from} o on o.i`;
  const source = isFormer ? `${from} join ${stored} = ${changedNumber}` : from;
  const before = isKept ? changedBefore : isFormer && where !== undefined ? 'o.b' : compileBefore(columns, 'o');
  if (!isKeyChanged) return [`select ${set}, ${changedKey}, 'u', ${before}, 0, ${changedNumber} from ${source}`];
  const former = change.formerKey ? textOfKey(change.formerKey) : where === undefined ? keyText(type, 'o') : 'o.k';
  // Readers know the former key, under which the record exists no longer.
  const keys = `values (${former}, 'd', 0), (${changedKey}, case when ${former} = ${changedKey} then 'u' else 'c' end, 1)`;
  return [
    `select ${set}, keys.k, keys.o, ${before}, keys.r, ${changedNumber} from ${source}, lateral (${keys}) keys(k, o, r) where keys.r = 1 or ${former} <> ${changedKey}`,
  ];
}

/** Rows of a table that are locked for deletion. */
interface LockedRows {
  readonly type: EntityType;
  readonly ids: readonly string[];
}

/**
 * Locks the rows that foreign keys delete with locked ones. A deletion logs the rows that its statement sees: until they
 * are locked, others may add rows to those that go with it, move rows away, and change rows whose deletion has a number.
 */
async function lockDependents(
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
function cascadesFurther(type: EntityType, container: EntityContainer): boolean {
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
