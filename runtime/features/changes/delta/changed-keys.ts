import { changeTable, type EntityContainer, type EntityType, targetOf } from '../../../edm/index.js';
import type { Caller } from '../../../plan/caller.js';
import type { ExpandPlan } from '../../../plan/read-plan.js';
import { quote } from '../../../schema/identifier.js';
import { columnReference, StatementBuilder } from '../../../sql/builder.js';
import type { Statement } from '../../../sql/statement.js';
import { compileRowBefore } from '../before-image.js';
import { hasKey, keyText, setLiteral } from '../tracked-tables.js';
import { compileVisibleBefore, compileVisibleOf, readFilter } from '../visible-changes.js';

/** The changes of a set that a caller may know of, in a part of the log. */
export interface ChangedRecords {
  readonly type: EntityType;
  readonly container: EntityContainer;
  readonly caller: Caller;
  /** Exclusive. */
  readonly from: string;
  /** Inclusive. */
  readonly to: string;
  /** The end of the part that is read, inclusive: changes after it may be later ones of its records. */
  readonly part?: string;
  /** On a further page: the last key of the page before, which had the number after `from`. */
  readonly after?: string | undefined;
  /** The expanded properties, whose related records' changes count. */
  readonly expands: readonly ExpandPlan[];
}

const log = quote(changeTable);

/**
 * The changed records in the order of their last changes: the key as text, the number, and the operation. A record that
 * was hidden from the caller, and stayed so, is not among them; nor do later changes of one that became hidden count.
 */
export function compileChangedKeys(records: ChangedRecords, limit: number): Statement {
  const builder = new StatementBuilder();
  const { from, after } = records;
  const rows = compileLast(records, builder);
  const further =
    after === undefined
      ? ''
      : ` where n > ${builder.bind(from, 'bigint')} + 1 or k collate "C" > ${builder.bind(after, 'text')} collate "C"`;
  return builder.reusableStatement(
    `select k, n, o from (${rows}) changed${further} order by n, k collate "C" limit ${builder.bind(String(limit), 'int')}`,
  );
}

/** The number of changed records. */
export function compileChangedCount(records: ChangedRecords): Statement {
  const builder = new StatementBuilder();
  return builder.reusableStatement(`select count(*) from (${compileLast(records, builder)}) changed`);
}

function compileLast(records: ChangedRecords, builder: StatementBuilder): string {
  const { expands } = records;
  const own = compileOwn(records, builder);
  if (expands.length === 0) return own;
  const touched = expands.map((expand) => compileTouched(expand, records, builder));
  return `select k, max(n) as n, max(o) filter (where o <> 'u') as o from (${[own, ...touched].join(' union all ')}) every group by k`;
}

// Only the last change of a record.
function compileOwn(records: ChangedRecords, builder: StatementBuilder): string {
  const { type, from, to, part = to } = records;
  const [first, end, last] = [from, part, to].map((number) => builder.bind(number, 'bigint'));
  const relevant = (change: string): string => {
    const visible = compileVisibleOf(type, records, change, builder);
    return visible === undefined ? '' : ` and ${visible}`;
  };
  const later = `select from ${log} later where later."#set" = c."#set" and later."#key" = c."#key" and later."#id" > c."#id" and later."#id" <= ${last}${relevant('later')}`;
  return `select c."#key" as k, c."#id" as n, c."#operation" as o from ${log} c where c."#set" = ${setLiteral(type)} and c."#id" > ${first} and c."#id" <= ${end}${relevant('c')} and not exists (${later})`;
}

// The parents of changed related records, as they are related now and as they were before.
function compileTouched({ name }: ExpandPlan, records: ChangedRecords, builder: StatementBuilder): string {
  const { type, container, caller, from, to, part = to } = records;
  const navigation = type.navigation[name];
  if (navigation === undefined) throw new Error(`${type.name} has no navigation property ${name}.`);
  const target = targetOf(container, navigation);
  const on = Object.entries(navigation.join).map(([own, other]) => `${columnReference('p', own)} = ${columnReference('d', other)}`);
  const filter = readFilter(target, caller, container);
  const before = filter === undefined ? 'l."#before" is not null' : (compileVisibleBefore(target, filter, 'l', builder) ?? 'false');
  const window = `l."#set" = ${setLiteral(target)} and l."#id" > ${builder.bind(from, 'bigint')} and l."#id" <= ${builder.bind(part, 'bigint')}`;
  const related = (source: string, meets: string): string =>
    `select ${keyText(type, 'p')} as k, l."#id" as n, 'u' as o from ${log} l join ${source} d on ${meets} join ${quote(type.table)} p on ${on.join(' and ')} where ${window}`;
  return [
    related(quote(target.table), hasKey(target, 'd', 'l."#key"')),
    related(`lateral ${compileRowBefore(target, 'l."#before"')}`, before),
  ].join(' union all ');
}
