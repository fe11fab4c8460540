import { changeColumns, changeSequence, changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';
import { takeMark } from '../../schema/change-mark.js';
import { columnReference, identifier, textLiteral } from '../../sql/builder.js';
import type { FollowedChange, Followers, FollowingTables } from '../../sql/followers.js';
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
    return container === undefined ? { before: [], after: [] } : compileLog(changes, container);
  },
};

// The mark is taken after the rows have changed and thus are locked, and the numbers are drawn after the mark. So the
// numbers of a record's changes have their order.
function compileLog(changes: readonly FollowedChange[], container: EntityContainer): FollowingTables {
  const deleted = changes.filter(({ kind }) => kind === 'delete');
  const deletion: Partial<DeletedRows> = deleted.length === 0 ? {} : deletedRows(deleted.map(selected), container);
  const others = changes.filter(({ kind }) => kind !== 'delete');
  const removed = deletion.rows === undefined ? [] : ['select * from removed'];
  const rows = [...others.flatMap((change) => rowsOf(change, container)), ...removed].join(' union all ');
  const before = [
    ...others.flatMap((change) => formerRows(change, container)),
    ...(deletion.tables ?? []),
    ...(deletion.rows === undefined ? [] : [`removed(s, k, o, b, r, n) as materialized (${deletion.rows.join(' union all ')})`]),
  ];
  const { number, set, key, operation } = changeColumns;
  const columns = [number, set, key, operation, changeColumns.before].map(identifier).join(', ');
  const insert = `insert into ${identifier(changeTable)} (${columns}) select nextval(${textLiteral(identifier(changeSequence))}), s, k, o, b from`;
  // The function is evaluated for a row of the subquery before the number for it is drawn.
  if (isSmall(changes))
    return {
      before,
      after: [`logged as (${insert} (select rows.*, mark from (${rows}) rows(s, k, o, b, r, n), lateral (${takeMark}) marked) marked)`],
    };
  const some = changes.map(({ from }) => `exists (select from ${from})`).join(' or ');
  const ordered = deletion.isUnordered
    ? `(select * from (${rows}) rows(s, k, o, b, r, n) order by r, n) rows`
    : `(${rows}) rows(s, k, o, b, r, n)`;
  return { before, after: [`marked as materialized (${takeMark} where ${some})`, `logged as (${insert} ${ordered}, marked)`] };
}

// A deletion with its rows as they are before it.
function selected(change: FollowedChange): FollowedChange {
  const { type, where, from } = change;
  return where === undefined
    ? change
    : { ...change, from: `(select "#id" as ${changedNumber} from ${identifier(type.table)} where ${where}) ${from}` };
}

// The key and the values of updated rows before the update, where the log needs them.
function formerRows({ type, kind, from, names = [], where }: FollowedChange, container: EntityContainer): readonly string[] {
  const columns = beforeColumns(type, container);
  if (kind === 'insert' || where === undefined || (columns.length === 0 && !changesKey(type, names))) return [];
  const row = `select "#id" as i, ${keyText(type, 'o')} as k, ${compileBefore(columns, 'o')} as b from ${identifier(type.table)} o where ${where}`;
  return [`former_${from} as materialized (${row})`];
}

// A mark for each row takes a lock each.
function isSmall([first, ...others]: readonly FollowedChange[]): boolean {
  return others.length === 0 && first?.isOfOne === true && first.kind !== 'delete';
}

function rowsOf(change: FollowedChange, container: EntityContainer): readonly LogRows[] {
  const { type, kind, from, names = [], where } = change;
  const set = setLiteral(type);
  if (kind === 'insert') return [`select ${set}, ${changedKey}, 'c', null::jsonb, 0, ${changedNumber} from ${from}`];
  const columns = beforeColumns(type, container);
  const isKeyChanged = changesKey(type, names);
  const isFormer = columns.length > 0 || isKeyChanged;
  const stored = where === undefined ? `${identifier(type.table)} o on o."#id"` : `former_${from} o on o.i`;
  const source = isFormer ? `${from} join ${stored} = ${changedNumber}` : from;
  const before = isFormer && where !== undefined ? 'o.b' : compileBefore(columns, 'o');
  if (!isKeyChanged) return [`select ${set}, ${changedKey}, 'u', ${before}, 0, ${changedNumber} from ${source}`];
  const former = where === undefined ? keyText(type, 'o') : 'o.k';
  // Readers know the former key, under which the record exists no longer.
  const keys = `values (${former}, 'd', 0), (${changedKey}, case when ${former} = ${changedKey} then 'u' else 'c' end, 1)`;
  return [
    `select ${set}, keys.k, keys.o, ${before}, keys.r, ${changedNumber} from ${source}, lateral (${keys}) keys(k, o, r) where keys.r = 1 or ${former} <> ${changedKey}`,
  ];
}
