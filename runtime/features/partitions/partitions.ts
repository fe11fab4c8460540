import { setTimeout as delay } from 'node:timers/promises';
import { registerBackground, type Background, type Log, type Surroundings } from '../../http/background.js';
import { unfilteredStore } from '../../http/service.js';
import { changeTable, type EntityContainer, type EntityType, type Partitions } from '../../edm/index.js';
import { anyone } from '../../database/cancel.js';
import { partitionName } from '../../schema/print-schema.js';
import { literal, quote } from '../../schema/identifier.js';
import { StatementBuilder } from '../../sql/builder.js';
import { compileDelete } from '../../sql/compile-write.js';
import { isFollowed } from '../../sql/followers.js';
import type { Connection } from '../../sql/statement.js';
import type { Store } from '../../store/store.js';

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
      await keepEach(unfilteredStore(service), tables, log);
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
export async function keepEach(store: Store, tables: readonly PartitionedTable[], log: Log): Promise<void> {
  for (const kept of tables) {
    const { table } = kept;
    try {
      const { made, dropped } = await keepPartitions(store, kept);
      if (made.length + dropped.length > 0) log('info', { table, made, dropped }, 'partitions were made or dropped');
    } catch (failure) {
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
 * at a time. Rows of a number without a partition wait in the default one, and move when theirs is made.
 */
export async function keepPartitions(store: Store, kept: PartitionedTable): Promise<KeptPartitions> {
  const made = await store.transaction(
    async (connection) => ((await isLeased(kept, connection)) ? makeAhead(kept, connection) : []),
    anyone,
  );
  const dropped = await store.transaction(async (connection) => {
    if (!(await isLeased(kept, connection))) return [];
    return kept.isLog ? retireLog(kept, connection) : dropOld(kept, connection);
  }, anyone);
  return { made, dropped };
}

type Running = Pick<Connection, 'run'>;

async function isLeased({ table }: PartitionedTable, { run }: Running): Promise<boolean> {
  const lock = `hashtextextended('gable: partitions ' || ${literal(quote(table))}::regclass::oid, 0)`;
  const [row] = await run(unbound(`select pg_try_advisory_xact_lock(${lock})`));
  return row?.[0] === 't';
}

function unbound(text: string): ReturnType<StatementBuilder['unfilteredStatement']> {
  return new StatementBuilder().unfilteredStatement(text);
}

/** A partition, and the number that is too large for it. */
interface Partition {
  readonly name: string;
  readonly below: bigint;
}

// In the order of their numbers, without the default one.
async function partitionsOf(table: string, { run }: Running): Promise<readonly Partition[]> {
  const rows = await run(
    unbound(`select c.relname, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''?(\\d+)')
      from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = ${literal(quote(table))}::regclass`),
  );
  const found = rows.flatMap(([name, below]) => (name == null || below == null ? [] : [{ name, below: BigInt(below) }]));
  return found.toSorted((a, b) => (a.below < b.below ? -1 : 1));
}

// The last number that was drawn.
async function lastNumber(table: string, { run }: Running): Promise<bigint> {
  const sequence = `pg_get_serial_sequence(${literal(quote(table))}, '#id')::regclass`;
  const [row] = await run(unbound(`select coalesce(pg_sequence_last_value(${sequence}), 0)`));
  return BigInt(row?.[0] ?? '0');
}

async function makeAhead({ table, rows }: PartitionedTable, connection: Running): Promise<readonly string[]> {
  const last = await lastNumber(table, connection);
  const made: string[] = [];
  let below = (await partitionsOf(table, connection)).at(-1)?.below ?? 0n;
  while (below < last + BigInt(ahead * rows)) {
    const from = below;
    below += BigInt(rows);
    const name = partitionName(table, String(below));
    await makePartition(table, { name, from, below, isReached: from <= last }, connection.run);
    made.push(name);
  }
  return made;
}

/** A partition to make. */
interface NewPartition extends Partition {
  readonly from: bigint;
  /** Whether its numbers have been drawn. */
  readonly isReached: boolean;
}

async function makePartition(table: string, { name, from, below, isReached }: NewPartition, run: Running['run']): Promise<void> {
  const [parent, part] = [quote(table), quote(name)];
  const isOf = `"#id" >= ${from} and "#id" < ${below}`;
  await run(unbound(`create table ${part} (like ${parent} including defaults including constraints including generated)`));
  await run(unbound(`alter table ${part} add check (${isOf})`));
  if (isReached) await moveRows(table, part, isOf, run);
  await run(unbound(`alter table ${parent} attach partition ${part} for values from (${from}) to (${below})`));
}

// The default partition must not have rows of the new one when that is attached. The whole table is locked: statements
// that wait for the default partition alone are planned without the new one, and would miss the rows that have moved.
async function moveRows(table: string, part: string, isOf: string, run: Running['run']): Promise<void> {
  await run(unbound(`lock table ${quote(table)} in access exclusive mode`));
  const [rest, columns] = [await defaultOf(table, run), await storedColumns(table, run)];
  await run(
    unbound(
      `with moved as (delete from ${rest} where ${isOf} returning ${columns}) insert into ${part} (${columns}) select ${columns} from moved`,
    ),
  );
}

// The table may have had another name.
async function defaultOf(table: string, run: Running['run']): Promise<string> {
  const [row] = await run(
    unbound(`select partdefid::regclass from pg_partitioned_table where partrelid = ${literal(quote(table))}::regclass`),
  );
  return row?.[0] ?? '';
}

async function storedColumns(table: string, run: Running['run']): Promise<string> {
  const [row] = await run(
    unbound(
      `select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute where attrelid = ${literal(quote(table))}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    ),
  );
  return row?.[0] ?? '';
}

/** The oldest partitions whose last row is older than the table keeps rows; the one that is written to stays. */
async function dropOld({ table, keptDays, stamp, logged }: PartitionedTable, connection: Running): Promise<readonly string[]> {
  if (keptDays === undefined || stamp === undefined) return [];
  const dropped: string[] = [];
  const last = await lastNumber(table, connection);
  for (const { name } of (await partitionsOf(table, connection)).filter(({ below }) => below <= last)) {
    const newest = `(select ${quote(stamp)} from ${quote(name)} order by "#id" desc limit 1)`;
    const [row] = await connection.run(unbound(`select coalesce(${newest} < now() - make_interval(days => ${keptDays}), true)`));
    if (row?.[0] !== 't') break;
    if (logged !== undefined) await deleteRows(logged, name, connection.run);
    await connection.run(unbound(`drop table ${quote(name)}`));
    dropped.push(name);
  }
  return dropped;
}

/** Rows that one statement deletes. */
const rowsOfDeletion = 5_000;

// Followers of changes learn of each record that goes.
async function deleteRows(type: EntityType, partition: string, run: Running['run']): Promise<void> {
  const next = unbound(`select "#id" from ${quote(partition)} order by "#id" limit ${rowsOfDeletion}`);
  for (let rows = await run(next); rows.length > 0; rows = await run(next))
    await run(compileDelete(rows.map(([id]) => ({ type, id: id ?? '' }))));
}

/**
 * Replaces the partitions of the log that no reader of changes needs any more, from the first to the floor, by one with
 * the last changes of living records alone: readers of all events begin with these.
 */
async function retireLog({ table }: PartitionedTable, connection: Running): Promise<readonly string[]> {
  const { run } = connection;
  const [row] = await run(unbound('select "#floor" from "#change_state"'));
  const floor = BigInt(row?.[0] ?? '0');
  const old = (await partitionsOf(table, connection)).filter(({ below }) => below <= floor + 1n);
  const last = old.at(-1);
  // The first has been replaced before.
  if (last === undefined || (old.length === 1 && last.name.endsWith('#kept'))) return [];
  const [parent, kept] = [quote(table), quote(partitionName(table, `${last.below}#kept`))];
  await run(unbound(`create table ${kept} (like ${parent} including defaults including constraints including indexes)`));
  await run(unbound(`alter table ${kept} add check ("#id" < ${last.below})`));
  const isLast = `not exists (select from ${parent} later where later."#set" = c."#set" and later."#key" = c."#key" and later."#id" > c."#id")`;
  await run(unbound(`insert into ${kept} select * from ${parent} c where "#id" < ${last.below} and "#operation" <> 'd' and ${isLast}`));
  for (const { name } of old) await run(unbound(`drop table ${quote(name)}`));
  await run(unbound(`alter table ${parent} attach partition ${kept} for values from (minvalue) to (${last.below})`));
  return old.map(({ name }) => name);
}
