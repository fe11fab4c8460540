import { changeColumns, changeSequence, changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';
import { takeMark } from '../../schema/change-mark.js';
import { columnReference, identifier, textLiteral } from '../../sql/builder.js';
import type { FollowedChange, Followers } from '../../sql/followers.js';
import { beforeColumns, compileBefore } from './before-image.js';
import { deletedRows, type DeletedRows, leadsToTracked } from './deleted-rows.js';
import { changesKey, keyText, setLiteral } from './tracked-tables.js';

/** A query of rows for the log: set, key, operation, values before, and two columns by which they are ordered. */
type LogRows = string;

/** The columns of the changed row that the log needs, by their names in `changed`. */
const changedNumber = '"#n"';
const changedKey = '"#k"';

/** The models of tracked types and of those whose deletion deletes tracked rows; copies of a type share its fields. */
const models = new WeakMap<EntityType['fields'], EntityContainer>();

/** Logs the changes of a model from now on. */
export function logModel(container: EntityContainer): void {
  for (const type of Object.values(container.entityTypes))
    if (type.tracking !== undefined || leadsToTracked(type, container)) models.set(type.fields, container);
}

/** Logs the changes of tracked sets in the statements that make them. */
export const logFollowers: Followers = {
  columnsOf: ({ kind, type }, alias) => {
    if (!models.has(type.fields) || (kind !== 'delete' && type.tracking === undefined)) return undefined;
    const number = `${columnReference(alias, '#id')} as ${changedNumber}`;
    return type.tracking === undefined ? [number] : [number, `${keyText(type, alias)} as ${changedKey}`];
  },
  tablesOf: (changes) => {
    const container = changes[0] && models.get(changes[0].type.fields);
    return container === undefined ? [] : compileLog(changes, container);
  },
};

// The mark is taken after the rows have changed and thus are locked, and the numbers are drawn after the mark. So the
// numbers of a record's changes have their order.
function compileLog(changes: readonly FollowedChange[], container: EntityContainer): readonly string[] {
  const deleted = changes.filter(({ kind }) => kind === 'delete');
  const deletion: Partial<DeletedRows> = deleted.length === 0 ? {} : deletedRows(deleted, container);
  const rows = [...changes.flatMap((change) => (change.kind === 'delete' ? [] : rowsOf(change, container))), ...(deletion.rows ?? [])].join(
    ' union all ',
  );
  const { set, key, operation, before, number } = changeColumns;
  const columns = [number, set, key, operation, before].map(identifier).join(', ');
  const insert = `insert into ${identifier(changeTable)} (${columns}) select nextval(${textLiteral(identifier(changeSequence))}), s, k, o, b from`;
  // The function is evaluated for a row of the subquery before the number for it is drawn.
  if (isSmall(changes))
    return [`logged as (${insert} (select rows.*, mark from (${rows}) rows(s, k, o, b, r, n), lateral (${takeMark}) marked) marked)`];
  const some = changes.map(({ from }) => `exists (select from ${from})`).join(' or ');
  const ordered = deletion.isUnordered
    ? `(select * from (${rows}) rows(s, k, o, b, r, n) order by r, n) rows`
    : `(${rows}) rows(s, k, o, b, r, n)`;
  return [...(deletion.tables ?? []), `marked as materialized (${takeMark} where ${some})`, `logged as (${insert} ${ordered}, marked)`];
}

// A mark for each row takes a lock each.
function isSmall([first, ...others]: readonly FollowedChange[]): boolean {
  return others.length === 0 && first?.isOfOne === true && first.kind !== 'delete';
}

function rowsOf(change: FollowedChange, container: EntityContainer): readonly LogRows[] {
  const { type, kind, from, names = [] } = change;
  const set = setLiteral(type);
  if (kind === 'insert') return [`select ${set}, ${changedKey}, 'c', null::jsonb, 0, ${changedNumber} from ${from}`];
  const columns = beforeColumns(type, container);
  const isKeyChanged = changesKey(type, names);
  const source = columns.length > 0 || isKeyChanged ? `${from} join ${identifier(type.table)} o on o."#id" = ${changedNumber}` : from;
  const before = compileBefore(columns, 'o');
  if (!isKeyChanged) return [`select ${set}, ${changedKey}, 'u', ${before}, 0, ${changedNumber} from ${source}`];
  const former = keyText(type, 'o');
  // Readers know the former key, under which the record exists no longer.
  const keys = `values (${former}, 'd', 0), (${changedKey}, case when ${former} = ${changedKey} then 'u' else 'c' end, 1)`;
  return [
    `select ${set}, keys.k, keys.o, ${before}, keys.r, ${changedNumber} from ${source}, lateral (${keys}) keys(k, o, r) where keys.r = 1 or ${former} <> ${changedKey}`,
  ];
}
