import { changeStateColumns, changeStateTable, changeTable } from '../../edm/index.js';
import { anyone } from '../../database/cancel.js';
import { changeClass, lastNumberDrawn } from '../../schema/change-mark.js';
import { quote } from '../../schema/identifier.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection, Statement } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';
import { currentTimeline, readHorizon } from './log-state.js';

/** Hours for which rows stay: those with a later row of their record, and deletions. */
interface KeptHours {
  readonly superseded: number;
  readonly deletions: number;
  /** Whether the log is kept in partitions, which are replaced as a whole (features/partitions). */
  readonly inPartitions?: boolean;
}

/** The rows that one run looks at, so that its transaction is short. */
export const rowsOfRun = 5_000;

const log = quote(changeTable);
const state = quote(changeStateTable);
const { floor, merged, swept, horizon, timeline } = changeStateColumns;

/**
 * Removes rows that no reader needs, in one of several processes at a time; returns whether there may be more to do.
 *
 * - Rows before a later one of their record go if they have the same values before the change: with others, a reader may
 *   still need them to report a removal to those who saw the record.
 * - Old deletions go, and old rows before a later one. The floor is raised by one run before they go, so that no reader
 *   who accepted a link meets the gap.
 *
 * Each row is examined a single time, in the order of numbers. The last row of a living record stays.
 */
export function keepLog(store: Store, hours: KeptHours): Promise<boolean> {
  return store.transaction(async ({ run }) => {
    const [lease] = await run(takeLease);
    if (lease?.[0] !== 't') return false;
    const [row] = await run(readPointers);
    const pointers = { floor: row?.[0] ?? '0', merged: row?.[1] ?? '0', swept: row?.[2] ?? '0' };
    const mergedTo = await lastOlder(pointers.merged, hours.superseded, run);
    const sweptTo = await lastUpTo(pointers.swept, pointers.floor, run);
    const floorTo = await lastOlder(pointers.floor, hours.deletions, run);
    if (!hours.inPartitions) {
      await run(compileMerge(pointers.merged, mergedTo, pointers.floor));
      await run(compileSweep(pointers.swept, sweptTo));
    }
    await run(compileMove({ floor: floorTo, merged: mergedTo, swept: sweptTo }));
    return mergedTo !== pointers.merged || sweptTo !== pointers.swept || floorTo !== pointers.floor;
  }, anyone);
}

/**
 * Notes the horizon and the timeline for standbys, which can tell neither, and for backups. Earlier timelines stay with
 * their last horizons: after a failover or a restore these tell which links the database can still serve.
 */
export function noteHorizon(store: Store): Promise<void> {
  return store.transaction(async (connection) => {
    const builder = new StatementBuilder();
    const number = builder.bind(await readHorizon(connection), 'bigint');
    const isAnother = `split_part(coalesce(${quote(timeline)}, ''), ' ', 1) <> ${currentTimeline}`;
    const noted = `concat_ws(' ', ${currentTimeline}, regexp_replace(${quote(timeline)}, '^\\S+', '\\&:' || ${quote(horizon)}))`;
    await connection.run(
      builder.unfilteredStatement(
        `update ${state} set ${quote(horizon)} = greatest(${quote(horizon)}, ${number}), ${quote(timeline)} = case when ${isAnother} then ${noted} else ${quote(timeline)} end where ${quote(horizon)} < ${number} or ${isAnother}`,
      ),
    );
  }, anyone);
}

const takeLease: Statement = new StatementBuilder().unfilteredStatement(
  `select pg_try_advisory_xact_lock(hashtextextended('gable: change log ' || ${changeClass}, 0))`,
);

// The last of the next rows that are older.
async function lastOlder(from: string, hours: number, run: Connection['run']): Promise<string> {
  const builder = new StatementBuilder();
  const isOld = `"#at" < now() - make_interval(secs => 3600 * ${builder.bind(String(hours), 'double precision')})`;
  return lastOf(from, isOld, builder, run);
}

async function lastUpTo(from: string, to: string, run: Connection['run']): Promise<string> {
  const builder = new StatementBuilder();
  return lastOf(from, `"#id" <= ${builder.bind(to, 'bigint')}`, builder, run);
}

async function lastOf(from: string, condition: string, builder: StatementBuilder, run: Connection['run']): Promise<string> {
  const next = `select "#id", "#at" from ${log} where "#id" > ${builder.bind(from, 'bigint')} order by "#id" limit ${rowsOfRun}`;
  const [row] = await run(builder.locklessStatement(`select max("#id") from (${next}) next where ${condition}`));
  return row?.[0] ?? from;
}

// Values before a create are null: nobody saw the record. The next rows are reduced to the last ones of each record before
// they are joined with earlier rows: they may all be of one record, and its rows must not be paired with each other.
function compileMerge(from: string, to: string, below: string): Statement {
  const builder = new StatementBuilder();
  const isNext = `"#id" > ${builder.bind(from, 'bigint')} and "#id" <= ${builder.bind(to, 'bigint')}`;
  const later = `later as (select "#set", "#key", "#before", max("#id") as "#id" from ${log} where ${isNext} group by 1, 2, 3)`;
  const last = `last as (select "#set", "#key", max("#id") as "#id" from later group by 1, 2)`;
  const earlier = `last join ${log} c on c."#set" = last."#set" and c."#key" = last."#key" and c."#id" < last."#id"`;
  const same = `later on later."#set" = c."#set" and later."#key" = c."#key" and later."#before" = c."#before"`;
  const isIdle = `c."#before" is null or c."#id" < later."#id" or c."#id" <= ${builder.bind(below, 'bigint')}`;
  return builder.unfilteredStatement(
    `with ${later}, ${last} delete from ${log} where "#id" in (select c."#id" from ${earlier} left join ${same} where ${isIdle})`,
  );
}

function compileSweep(from: string, to: string): Statement {
  const builder = new StatementBuilder();
  const isNext = `c."#id" > ${builder.bind(from, 'bigint')} and c."#id" <= ${builder.bind(to, 'bigint')}`;
  const later = `select from ${log} later where later."#set" = c."#set" and later."#key" = c."#key" and later."#id" > c."#id"`;
  return builder.unfilteredStatement(`delete from ${log} c where ${isNext} and (c."#operation" = 'd' or exists (${later}))`);
}

function compileMove(pointers: { readonly floor: string; readonly merged: string; readonly swept: string }): Statement {
  const builder = new StatementBuilder();
  const sets = Object.entries({ [floor]: pointers.floor, [merged]: pointers.merged, [swept]: pointers.swept }).map(
    ([column, value]) => `${quote(column)} = ${builder.bind(value, 'bigint')}`,
  );
  return builder.unfilteredStatement(`update ${state} set ${sets.join(', ')}`);
}

const readPointers: Statement = new StatementBuilder().unfilteredStatement(
  `select ${[floor, merged, swept].map(quote).join(', ')} from ${state}`,
);

/** The size and the age of the log. */
export interface LogFigures {
  /** Rows, as the database estimates them. */
  readonly rows: number;
  readonly bytes: number;
  /** Seconds since the oldest change. */
  readonly age: number;
  /** Numbers that were drawn and are not visible yet. */
  readonly lag: number;
  readonly hasStandbys: boolean;
}

/** Reads the figures for metrics. */
export async function readFigures({ run }: Pick<Connection, 'run'>): Promise<LogFigures> {
  const [row] = await run(figures);
  const number = (index: number): number => Number(row?.[index] ?? 0);
  const behind = await readHorizon({ run });
  return { rows: number(0), bytes: number(1), age: number(2), lag: Math.max(0, number(3) - Number(behind)), hasStandbys: row?.[4] === 't' };
}

// The log is a table, or the partitions of one.
const parts = `select * from pg_class where relkind = 'r' and (oid = '${log}'::regclass or oid in (select inhrelid from pg_inherits where inhparent = '${log}'::regclass))`;

const figures: Statement = new StatementBuilder().locklessStatement(
  `select sum(greatest(reltuples, 0))::bigint, sum(pg_total_relation_size(oid)), coalesce((select extract(epoch from now() - "#at") from ${log} order by "#id" limit 1), 0), (${lastNumberDrawn}), exists (select from pg_stat_replication) from (${parts}) parts`,
);
