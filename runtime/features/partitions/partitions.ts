import { setTimeout as delay } from 'node:timers/promises';
import { registerBackground, type Background, type Log, type Surroundings } from '../../http/background.js';
import { unfilteredStore } from '../../http/service.js';
import { changeTable, type EntityContainer, type EntityType, type Partitions } from '../../edm/index.js';
import { anyone } from '../../database/cancel.js';
import { partitionName } from '../../schema/print-schema.js';
import { literal, quote } from '../../schema/identifier.js';
import { compileDelete } from '../../sql/compile-write.js';
import { isFollowed } from '../../sql/followers.js';
import type { Store } from '../../store/store.js';
import { type Partition, partitionsOf, rowsOfStatement, type Running, unbound } from './partition-tables.js';
import { retireLog } from './retire-log.js';

/** Registers the work that makes partitions ahead and drops old ones. */
export function registerPartitions(): void {
  registerBackground(startPartitions);
}

/** Milliseconds between two rounds. */
const period = 60_000;

/** Keeps the partitions while a service runs, in each process; only one of them works at a time. */
function startPartitions({ service, log }: Surroundings): Background | undefined {
  const tables = partitionedTables(service.container);
  if (tables.length === 0 || service.readOnly) return undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const work = (async (): Promise<void> => {
    while (!signal.aborted) {
      await keepEach(unfilteredStore(service), tables, log, signal);
      await delay(period, undefined, { signal, ref: false }).catch(() => undefined); // It rejects when it is to end.
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await work;
    },
  };
}

/** A table that is kept in partitions. */
export interface PartitionedTable extends Partitions {
  readonly table: string;
  /** Whether it is the change log, whose last changes of living records stay. */
  readonly isLog: boolean;
  /** The type of its records, where their deletion is logged. */
  readonly logged?: EntityType | undefined;
}

/** The tables of a model that are kept in partitions. */
export function partitionedTables({ entityTypes }: EntityContainer): readonly PartitionedTable[] {
  return Object.values(entityTypes).flatMap((type) => partitionedTable(type) ?? []);
}

function partitionedTable(type: EntityType): PartitionedTable | undefined {
  const { table, events, partitions } = type;
  if (partitions === undefined) return undefined;
  if (events !== undefined) return { ...partitions, table: changeTable, isLog: true };
  return { ...partitions, table, isLog: false, logged: isFollowed('delete', type) ? type : undefined };
}

/** Keeps the partitions of each table: one that a long read holds does not keep the others from theirs. */
export async function keepEach(store: Store, tables: readonly PartitionedTable[], log: Log, signal?: AbortSignal): Promise<void> {
  for (const kept of tables) {
    const { table } = kept;
    try {
      const { made, dropped } = await keepPartitions(store, kept, signal);
      if (made.length + dropped.length > 0) log('info', { table, made, dropped }, 'partitions were made or dropped');
    } catch (failure) {
      if (signal?.aborted) return;
      log('warn', { table, failure }, 'partitions could not be kept; the next round tries again');
    }
  }
}

/** Partitions that are made ahead of the last number that was drawn. */
const ahead = 2;

/** The changes of one round. */
interface KeptPartitions {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * Makes the partitions of a table ahead, and drops those that have been kept for long enough, in one of several processes
 * at a time. Rows of a number without a partition wait in the default one, which then becomes theirs.
 */
export async function keepPartitions(store: Store, kept: PartitionedTable, signal?: AbortSignal): Promise<KeptPartitions> {
  const made = await store.transaction(
    async (connection) => ((await isLeased(kept, connection)) ? makeAhead(kept, connection) : []),
    anyone,
  );
  const { logged } = kept;
  const goOn = async (): Promise<boolean> =>
    logged !== undefined && (await store.transaction((connection) => deleteSome(kept, logged, connection), anyone));
  while (await goOn()) signal?.throwIfAborted();
  const dropped = await store.transaction(async (connection) => {
    if (!(await isLeased(kept, connection))) return [];
    return kept.isLog ? retireLog(kept.table, connection, signal) : dropOld(kept, connection);
  }, anyone);
  return { made, dropped };
}

async function isLeased({ table }: PartitionedTable, { run }: Running): Promise<boolean> {
  const lock = `hashtextextended('gable: partitions ' || ${literal(quote(table))}::regclass::oid, 0)`;
  const [row] = await run(unbound(`select pg_try_advisory_xact_lock(${lock})`));
  return row?.[0] === 't';
}

// The last number that was drawn.
async function lastNumber(table: string, { run }: Running): Promise<bigint> {
  const sequence = `pg_get_serial_sequence(${literal(quote(table))}, '#id')::regclass`;
  const [row] = await run(unbound(`select coalesce(pg_sequence_last_value(${sequence}), 0)`));
  return BigInt(row?.[0] ?? '0');
}

async function makeAhead(kept: PartitionedTable, connection: Running): Promise<readonly string[]> {
  const { table, rows } = kept;
  const made: string[] = [];
  let below = (await partitionsOf(table, connection)).at(-1)?.below ?? 0n;
  if ((await lastNumber(table, connection)) >= below) {
    const { name, below: reached } = await divideDefault(kept, below, connection);
    made.push(name);
    below = reached;
  }
  const wanted = (await lastNumber(table, connection)) + BigInt(ahead * rows);
  while (below < wanted) {
    const from = below;
    below += BigInt(rows);
    const name = partitionName(table, String(below));
    await makePartition(table, { name, below }, from, connection.run);
    made.push(name);
  }
  return made;
}

async function makePartition(table: string, { name, below }: Partition, from: bigint, run: Running['run']): Promise<void> {
  const [parent, part] = [quote(table), quote(name)];
  await run(unbound(`create table ${part} (like ${parent} including defaults including constraints including generated)`));
  await run(unbound(`alter table ${part} add check ("#id" >= ${from} and "#id" < ${below})`));
  await run(unbound(`alter table ${parent} attach partition ${part} for values from (${from}) to (${below})`));
}

// The default partition becomes that of the numbers that were drawn. The whole table is locked: statements that wait for
// the default partition alone are planned without the new one, and miss rows that are no longer in the former.
async function divideDefault({ table, rows }: PartitionedTable, from: bigint, connection: Running): Promise<Partition> {
  const { run } = connection;
  const parent = quote(table);
  await run(unbound(`lock table ${parent} in access exclusive mode`));
  const reached = (await lastNumber(table, connection)) - from;
  const below = from + (reached / BigInt(rows) + 1n) * BigInt(rows);
  const name = partitionName(table, String(below));
  const rest = await defaultOf(table, run);
  await run(unbound(`alter table ${parent} detach partition ${rest}`));
  await run(unbound(`alter table ${rest} rename to ${quote(name)}`));
  await run(unbound(`alter table ${parent} attach partition ${quote(name)} for values from (${from}) to (${below})`));
  await run(unbound(`create table ${rest} partition of ${parent} default`));
  return { name, below };
}

// The table may have had another name.
async function defaultOf(table: string, run: Running['run']): Promise<string> {
  const [row] = await run(
    unbound(`select partdefid::regclass from pg_partitioned_table where partrelid = ${literal(quote(table))}::regclass`),
  );
  return row?.[0] ?? '';
}

/** The oldest partitions whose last row is older than the table keeps rows; the one that is written to stays. */
async function expired({ table, keptDays, stamp }: PartitionedTable, connection: Running): Promise<readonly string[]> {
  if (keptDays === undefined || stamp === undefined) return [];
  const found: string[] = [];
  const last = await lastNumber(table, connection);
  for (const { name } of (await partitionsOf(table, connection)).filter(({ below }) => below <= last)) {
    const newest = `(select ${quote(stamp)} from ${quote(name)} order by "#id" desc limit 1)`;
    const [row] = await connection.run(unbound(`select coalesce(${newest} < now() - make_interval(days => ${keptDays}), true)`));
    if (row?.[0] !== 't') break;
    found.push(name);
  }
  return found;
}

async function dropOld(kept: PartitionedTable, connection: Running): Promise<readonly string[]> {
  const dropped = await expired(kept, connection);
  for (const name of dropped) await connection.run(unbound(`drop table ${quote(name)}`));
  return dropped;
}

// Deletes records of an expired partition instead of dropping it, since followers of changes need each of them; returns
// whether there were any.
async function deleteSome(kept: PartitionedTable, type: EntityType, connection: Running): Promise<boolean> {
  if (!(await isLeased(kept, connection))) return false;
  for (const name of await expired(kept, connection)) {
    const rows = await connection.run(unbound(`select "#id" from ${quote(name)} order by "#id" limit ${rowsOfStatement}`));
    if (rows.length === 0) continue;
    await connection.run(compileDelete(rows.map(([id]) => ({ type, id: id ?? '' }))));
    return true;
  }
  return false;
}
