import { anyone } from '../../database/cancel.js';
import { redactedUrl } from '../../database/address.js';
import { connect, type ConnectOptions } from '../../database/connect.js';
import type { ConnectionPool } from '../../database/pool.js';
import { withConnection } from '../../database/run.js';
import type { Bind } from '../../sql/statement.js';
import { createPooledStore } from '../../store/pooled-store.js';
import type { Store } from '../../store/store.js';
import { inTime } from '../../errors/in-time.js';

/** A standby that serves reads. */
export interface Replica {
  /** Its place in `DATABASE_REPLICAS`, from 1. */
  readonly number: number;
  readonly store: Store;
  /** The last position that it is known to have replayed. */
  readonly replayed: () => Promise<LogPosition>;
  /** Calls the listener when it is excluded; returns a function that removes the listener. */
  readonly onExcluded: (listener: () => void) => () => void;
}

/** The state of a replica for operators; the lag is in milliseconds. */
export interface ReplicaState {
  /** Its address without the password. */
  readonly url: string;
  readonly serving: boolean;
  readonly lag: number;
}

/** The replicas of a service, which are examined once a second. */
export interface ReplicaPools {
  readonly serving: () => readonly Replica[];
  /** Excludes a replica until it answers again. */
  readonly eject: (replica: Replica) => void;
  /** The primary's timeline when it was examined last. */
  readonly timeline: () => string | undefined;
  /** The primary's present position in the form of the header. */
  readonly position: () => Promise<string>;
  readonly states: () => readonly ReplicaState[];
  readonly close: () => Promise<void>;
}

/** The addresses of replicas, and the lag in milliseconds from which one is excluded. */
export interface ReplicaOptions extends ConnectOptions {
  readonly replicas: readonly string[];
  readonly replicaLag: number;
  /** The tables that a replica's role must be allowed to read. */
  readonly tables: readonly string[];
  /** Reports that a replica was excluded, or serves again. */
  readonly report: (sentence: string) => void;
}

const period = 1_000;
const mostFailures = 3;

/** Milliseconds within which a server must answer the question; a silent one is excluded at once. */
const patience = 1_000;

interface Member extends Replica {
  readonly url: string;
  readonly pool: ConnectionPool;
  /** A separate connection for examinations, which must not wait for those of reads. */
  readonly own: ConnectionPool;
  readonly listeners: Set<() => void>;
  serving: boolean;
  /** Whether its exclusion was reported; false from the beginning, so that one that never serves is reported too. */
  isReported: boolean;
  lag: number;
  failures: number;
}

/** Connects to the replicas, and examines them once before it resolves. */
export async function openReplicas(primary: ConnectionPool, options: ReplicaOptions): Promise<ReplicaPools> {
  const members = options.replicas.map((url, index) => memberOf(url, index + 1, options));
  const samples: Sample[] = [];
  let timeline: string | undefined;
  let database: string | undefined;
  const position = async (): Promise<string> => oneCell(primary, primaryPosition);
  const examine = async (): Promise<void> => {
    // Without the primary the replicas go on; their lag is then measured against its last known position.
    const found = parsePosition(await soon(position()).catch(() => ''));
    if (found !== undefined) timeline = found.timeline;
    if (found !== undefined) samples.push({ at: found.at, time: performance.now() });
    database ??= await soon(oneCell(primary, databaseIdentity)).catch(() => undefined);
    await Promise.all(members.map((member) => examineMember(member, { samples, database }, options)));
    dropReplayed(samples, members);
  };
  await examine();
  const timer = setInterval(() => void examine(), period).unref();
  return {
    serving: () => members.filter(({ serving }) => serving),
    eject: (replica) => exclude(replica as Member, 'it lost a connection', options),
    timeline: () => timeline,
    position,
    states: () => members.map(({ url, serving, lag }) => ({ url, serving, lag })),
    close: async () => {
      clearInterval(timer);
      await Promise.all(members.flatMap(({ pool, own }) => [pool.close(), own.close()]));
    },
  };
}

function memberOf(url: string, number: number, options: ReplicaOptions): Member {
  const pool = connect(url, options);
  const own = connect(url, { ...options, poolSize: 1 });
  const listeners = new Set<() => void>();
  return {
    number,
    url: redactedUrl(url),
    pool,
    own,
    listeners,
    onExcluded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    store: createPooledStore(pool),
    replayed: async () => parseLogPosition(await oneCell(own, replayedPosition)),
    serving: false,
    isReported: false,
    lag: Infinity,
    failures: 0,
  };
}

// Texts of one length, so that clients can compare them.
const primaryPosition = `
  select substr(pg_walfile_name(position), 1, 8) || '-' || upper(lpad(to_hex((position - '0/0')::bigint), 16, '0'))
  from pg_current_wal_insert_lsn() position`;
// A promoted standby replays nothing: its data is that of another primary.
const replayedPosition = 'select pg_last_wal_replay_lsn()::text where pg_is_in_recovery()';

/** The database of a cluster: a standby has it in common with its primary, and with no other server. */
const databaseIdentity = `
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()`;

// Tables that the role may not read; a table that the standby does not have yet is none.
const unreadable = `
  select coalesce(string_agg(relname, ', ' order by relname), '') from pg_class
  where relname = any($1::text[]) and relnamespace = current_schema()::regnamespace and not has_table_privilege(oid, 'select')`;

/** The primary's position at a time. */
interface Sample {
  readonly at: Position['at'];
  readonly time: number;
}

/** The measures for replicas: positions of the primary, and its database, where it has answered. */
interface Known {
  readonly samples: readonly Sample[];
  readonly database: string | undefined;
}

async function examineMember(member: Member, { samples, database }: Known, options: ReplicaOptions): Promise<void> {
  try {
    const replayed = await soon(member.replayed());
    const fault = member.serving ? undefined : await soon(faultOf(member, database, options));
    if (fault !== undefined) return exclude(member, fault, options);
    member.failures = 0;
    const missing = samples.find(({ at }) => at > replayed);
    // A position that was sampled a moment ago is on its way.
    member.lag = missing === undefined ? 0 : performance.now() - missing.time;
    if (member.lag > options.replicaLag) exclude(member, `it is ${Math.round(member.lag)} ms behind`, options);
    else if (!member.serving) {
      member.serving = true;
      member.isReported = false;
      options.report(`The replica ${member.url} serves reads.`);
    }
  } catch (failure) {
    member.failures += 1;
    if (member.failures < mostFailures && failure !== silence) return;
    // Its lag is unknown.
    member.lag = Infinity;
    exclude(member, reasonOf(failure), options);
  }
}

// The message for clients names no cause; the log is for operators.
function reasonOf(failure: unknown): string {
  const { message, cause } = failure as Error;
  return cause instanceof Error ? cause.message : message;
}

// Looked for until it serves: a server behind an address is replaced by one that does not answer at first.
async function faultOf({ own }: Member, database: string | undefined, { tables }: ReplicaOptions): Promise<string | undefined> {
  if (database !== undefined && (await oneCell(own, databaseIdentity)) !== database)
    return 'it is no copy of the database of DATABASE_URL, but of another database or cluster';
  const refused = await oneCell(own, unreadable, [tables]);
  return refused === '' ? undefined : `its role may not read ${refused}`;
}

function exclude(member: Member, reason: string, { report }: ReplicaOptions): void {
  if (!member.isReported) report(`The replica ${member.url} serves no reads: ${reason}.`);
  member.isReported = true;
  member.serving = false;
  for (const listener of member.listeners) listener();
}

const silence = new Error(`it did not answer within ${patience} ms`);

function soon<Result>(answer: Promise<Result>): Promise<Result> {
  return inTime(answer, patience, () => silence);
}

// Samples that all serving replicas have replayed measure nothing any more.
function dropReplayed(samples: Sample[], members: readonly Member[]): void {
  const lag = Math.max(0, ...members.filter(({ serving }) => serving).map((member) => member.lag));
  const first = samples.findIndex(({ time }) => performance.now() - time <= lag + 2 * period);
  samples.splice(0, first === -1 ? Math.max(0, samples.length - 1) : first);
}

async function oneCell(pool: ConnectionPool, text: string, bind: readonly Bind[] = []): Promise<string> {
  const [row] = await withConnection(pool, ({ run }) => run({ text, bind }), anyone);
  if (row?.[0] == null) throw new Error('it is no standby');
  return row[0];
}

/** A place in the write-ahead log: a number of bytes since the log's beginning. */
type LogPosition = bigint;

/** A position with the timeline that it lies on; each failover begins a new one. */
interface Position {
  readonly timeline: string;
  readonly at: LogPosition;
}

/** Reads a position from PostgreSQL's form, two hexadecimal numbers: `0/16B3748`. */
export function parseLogPosition(text: string): LogPosition {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Reads the header `Gable-Position`, `00000001-00000000016B3748`; undefined for any other text. Later positions are greater texts. */
export function parsePosition(header: string): Position | undefined {
  const [, timeline, at] = /^([0-9A-F]{8})-([0-9A-F]{16})$/.exec(header) ?? [];
  return timeline === undefined || at === undefined ? undefined : { timeline, at: BigInt(`0x${at}`) };
}
