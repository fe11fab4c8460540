import { partitionName } from '../../schema/print-schema.js';
import { quote } from '../../schema/identifier.js';
import { partitionsOf, rowsOfStatement, type Running, unbound } from './partition-tables.js';

/**
 * Replaces the partitions of the log that no reader of changes needs any more, from the first to the floor, by one with
 * the last changes of living records alone: readers of all events begin with these.
 */
export async function retireLog(table: string, connection: Running, signal?: AbortSignal): Promise<readonly string[]> {
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
  await copyLast(parent, kept, { below: last.below, signal }, connection);
  for (const { name } of old) await run(unbound(`drop table ${quote(name)}`));
  await run(unbound(`alter table ${parent} attach partition ${kept} for values from (minvalue) to (${last.below})`));
  return old.map(({ name }) => name);
}

/** The rows to copy: those below a number, until the signal is aborted. */
interface Copied {
  readonly below: bigint;
  readonly signal: AbortSignal | undefined;
}

async function copyLast(log: string, kept: string, { below, signal }: Copied, { run }: Running): Promise<void> {
  const isLast = `not exists (select from ${log} later where later."#set" = c."#set" and later."#key" = c."#key" and later."#id" > c."#id")`;
  const lastAfter = async (from: bigint): Promise<bigint | undefined> => {
    const next = `select "#id" from ${log} where "#id" > ${from} and "#id" < ${below} order by "#id" limit ${rowsOfStatement}`;
    const [[last] = []] = await run(unbound(`select max("#id") from (${next}) next`));
    return last == null ? undefined : BigInt(last);
  };
  for (let from = 0n, to = await lastAfter(from); to !== undefined; from = to, to = await lastAfter(from)) {
    signal?.throwIfAborted();
    const page = `"#id" > ${from} and "#id" <= ${to}`;
    await run(unbound(`insert into ${kept} select * from ${log} c where ${page} and "#operation" <> 'd' and ${isLast}`));
  }
}
