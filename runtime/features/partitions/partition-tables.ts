import { literal, quote } from '../../schema/identifier.js';
import { StatementBuilder } from '../../sql/builder.js';
import type { Connection } from '../../sql/statement.js';

/** Runs statements of a transaction. */
export type Running = Pick<Connection, 'run'>;

/** A statement without values. */
export function unbound(text: string): ReturnType<StatementBuilder['unfilteredStatement']> {
  return new StatementBuilder().unfilteredStatement(text);
}

/** A partition, and the number that is too large for it. */
export interface Partition {
  readonly name: string;
  readonly below: bigint;
}

/** The partitions of a table in the order of their numbers, without the default one. */
export async function partitionsOf(table: string, { run }: Running): Promise<readonly Partition[]> {
  const rows = await run(
    unbound(`select c.relname, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''?(\\d+)')
      from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = ${literal(quote(table))}::regclass`),
  );
  const found = rows.flatMap(([name, below]) => (name == null || below == null ? [] : [{ name, below: BigInt(below) }]));
  return found.toSorted((a, b) => (a.below < b.below ? -1 : 1));
}

/** Rows that one statement reads or deletes, so that none takes too long. */
export const rowsOfStatement = 5_000;
