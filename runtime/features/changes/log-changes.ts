import { changeColumns, changeSequence, changeTable, type EntityContainer, type EntityType } from '../../edm/index.js';
import { takeMark } from '../../schema/change-mark.js';
import { columnReference, identifier, textLiteral } from '../../sql/builder.js';
import type { FollowedChange, Followers } from '../../sql/followers.js';
import { beforeColumns, compileBefore } from './before-image.js';
import { deletedRows, leadsToTracked } from './deleted-rows.js';
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
    return kind === 'delete' ? [number] : [number, `${keyText(type, alias)} as ${changedKey}`];
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
  const deletion = deleted.length === 0 ? undefined : deletedRows(deleted, container);
  const rows = [...changes.flatMap((change) => (change.kind === 'delete' ? [] : rowsOf(change, container))), ...(deletion?.rows ?? [])];
  const { set, key, operation, before, number } = changeColumns;
  const columns = [number, set, key, operation, before].map(identifier).join(', ');
  const some = changes.map(({ from }) => `exists (select from ${from})`).join(' or ');
  return [
    ...(deletion?.tables ?? []),
    `marked as materialized (${takeMark} where ${some})`,
    `logged as (insert into ${identifier(changeTable)} (${columns}) select nextval(${textLiteral(identifier(changeSequence))}), s, k, o, b from (select * from (${rows.join(' union all ')}) rows(s, k, o, b, r, n) order by r, n) ordered, marked)`,
  ];
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
  return [
    `select ${set}, ${former}, 'd', ${before}, 0, ${changedNumber} from ${source} where ${former} <> ${changedKey}`,
    `select ${set}, ${changedKey}, case when ${former} = ${changedKey} then 'u' else 'c' end, ${before}, 1, ${changedNumber} from ${source}`,
  ];
}
