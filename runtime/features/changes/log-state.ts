import { changeStateColumns, changeStateTable, changeTable } from '../../edm/index.js';
import { changeClass, lastNumberDrawn } from '../../schema/change-mark.js';
import { quote } from '../../schema/identifier.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection, Statement } from '../../sql/statement.js';

/** Runs statements, each with an own snapshot: outside of a transaction, or in one of the level read committed. */
type Running = Pick<Connection, 'run'>;

/** The state of the log. */
export interface LogState {
  /** Every change that is numbered at most so is visible from now on, or was rolled back. */
  readonly horizon: string;
  /** The last number that was drawn; a standby does not know it. */
  readonly last?: string;
  /** Deletions up to this number may have been removed. */
  readonly floor: string;
  /** The timeline of the database: each failover and each restore begins one. */
  readonly timeline: string;
  /** Earlier timelines with the last horizon that this database got from each: it has all changes up to that number. */
  readonly ends: ReadonlyMap<string, string>;
}

/**
 * Reads the state of the log.
 *
 * A writer takes a mark before it draws a number. A change that is still invisible after the marks were read, with a
 * number that was drawn before, had its mark then, and a mark is less than the numbers drawn after it.
 */
export async function readLogState(connection: Running): Promise<LogState> {
  const [row] = await connection.run(firstState);
  const [last, floor, timeline, isStandby, noted, notedHorizon] = row ?? [];
  const ends = endsOf(noted ?? '', notedHorizon ?? '0');
  // A standby follows the timeline that was noted last; its own may be that of its last checkpoint.
  const followed = isStandby === 't' ? timelinesIn(noted ?? '')[0] : undefined;
  const state = { horizon: last ?? '0', floor: floor ?? '0', timeline: followed ?? timeline ?? '', ends };
  // A standby has no marks; the state has the horizon of the primary.
  if (isStandby === 't') return state;
  const [marked] = await connection.run(compileHorizon(state.horizon));
  return { ...state, last: state.horizon, horizon: marked?.[0] ?? state.horizon };
}

/** The horizon alone. */
export async function readHorizon(connection: Running): Promise<string> {
  return (await readLogState(connection)).horizon;
}

// As `noteHorizon` writes them: the present timeline, then earlier ones with their last horizons.
function endsOf(noted: string, horizon: string): ReadonlyMap<string, string> {
  const [present = '', ...earlier] = timelinesIn(noted);
  return new Map([[present, horizon], ...earlier.map((text) => text.split(':') as [string, string])]);
}

function timelinesIn(noted: string): readonly string[] {
  return noted.split(' ').filter((text) => text !== '');
}

/** The last number that was drawn, whether its change is visible or not. */
export async function readLastNumber({ run }: Running): Promise<string> {
  const [row] = await run(lastDrawn);
  return row?.[0] ?? '0';
}

/** Rows of the log that one statement reads: a reader who was away for long goes on in parts, each of which takes moments. */
const rowsOfPart = 50_000;

/** Whether one statement reads all changes between two numbers, as the numbers alone show. */
export function isOnePart(from: string, to: string): boolean {
  return BigInt(to) - BigInt(from) <= rowsOfPart;
}

/** The end of the next part of the log after a number, which is at most the given end. */
export async function readPart(from: string, to: string, { run }: Running): Promise<string> {
  if (isOnePart(from, to)) return to;
  const builder = new StatementBuilder();
  const rows = `"#id" > ${builder.bind(from, 'bigint')} and "#id" <= ${builder.bind(to, 'bigint')}`;
  const text = `select "#id" from ${quote(changeTable)} where ${rows} order by "#id" offset ${rowsOfPart} limit 1`;
  const [row] = await run(builder.locklessStatement(text));
  return row?.[0] ?? to;
}

/** The position of a reader in the log. */
export interface Seen {
  /** The greatest number of a visible change. */
  readonly seen: string;
  /** The time in microseconds, at which all changes up to that number had begun. */
  readonly at: string;
}

/** The position of a reader at present, unless another timeline has begun since `timeline` was read. */
export async function readSeen(timeline: string, { run }: Running): Promise<Seen | undefined> {
  const [[seen, present, at] = []] = await run(lastSeen);
  return seen && at && (present ?? timeline) === timeline ? { seen, at } : undefined;
}

/**
 * Whether a number that a reader has seen was given again since: after the files of an earlier time have taken the place
 * of the database, the last change up to it has begun later. A change that the log no longer has is not noticed.
 */
export async function isGivenAgain({ seen, at }: Seen, { run }: Running): Promise<boolean> {
  const builder = new StatementBuilder();
  const text = `select ${microseconds('"#at"')} from ${quote(changeTable)} where "#id" <= ${builder.bind(seen, 'bigint')} order by "#id" desc limit 1`;
  const [[last] = []] = await run(builder.locklessStatement(text));
  return last !== null && last !== undefined && BigInt(last) > BigInt(at);
}

function microseconds(time: string): string {
  return `(extract(epoch from ${time}) * 1000000)::bigint`;
}

const lastDrawn: Statement = new StatementBuilder().locklessStatement(lastNumberDrawn);

const { floor, horizon, timeline } = changeStateColumns;

// A database that was restored from a backup has the timeline of the one that it was taken from.
const database = `(select '-' || lpad(to_hex(hashtextextended(concat_ws(' ', system_identifier, oid), 0)), 16, '0') from pg_control_system(), pg_database where datname = current_database())`;

/** The timeline of the server, with a hash of the cluster and the database; only a primary can tell. */
export const currentTimeline = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ${database}`;

const checkpointTimeline = `(select lpad(upper(to_hex(timeline_id)), 8, '0') from pg_control_checkpoint()) || ${database}`;

const lastSeen: Statement = new StatementBuilder().locklessStatement(
  `select coalesce("#id", 0), case when pg_is_in_recovery() then split_part(${quote(timeline)}, ' ', 1) else ${currentTimeline} end, ${microseconds('greatest(clock_timestamp(), "#at")')} from ${quote(changeStateTable)} left join (select "#id", "#at" from ${quote(changeTable)} order by "#id" desc limit 1) last on true`,
);

const firstState: Statement = new StatementBuilder().locklessStatement(
  `select case when standby then ${quote(horizon)} else (${lastNumberDrawn}) end, ${quote(floor)}, case when standby then ${checkpointTimeline} else ${currentTimeline} end, standby, ${quote(timeline)}, ${quote(horizon)} from ${quote(changeStateTable)}, (select pg_is_in_recovery() as standby) server`,
);

// A mark has 31 bits of its number, which is within 2^30 of the last one.
function compileHorizon(last: string): Statement {
  const builder = new StatementBuilder();
  const number = builder.bind(last, 'bigint');
  const marks = `select (objid::bigint - ${number}) & 2147483647 as ahead from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()) and classid = (${changeClass})::oid and objsubid = 2`;
  return builder.locklessStatement(
    `select least(${number}, min(${number} + case when ahead < 1073741824 then ahead else ahead - 2147483648 end)) from (${marks}) marks`,
  );
}
