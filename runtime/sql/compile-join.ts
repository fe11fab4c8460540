import type { JoinTable } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** Relates two rows by their ids; no effect if they are related already. */
export function compileJoin(through: JoinTable, own: string, other: string): Statement {
  const builder = new StatementBuilder();
  const row = [own, other].map((number) => builder.bind(number, 'bigint')).join(', ');
  return builder.unfilteredStatement(
    `insert into ${identifier(through.table)} (${identifier(through.own)}, ${identifier(through.other)}) values (${row}) on conflict do nothing`,
  );
}

/** Relates a row to several others. */
export function compileJoins(through: JoinTable, own: string, others: readonly string[]): Statement {
  const [other, ...more] = others;
  if (other !== undefined && more.length === 0) return compileJoin(through, own, other);
  const builder = new StatementBuilder();
  const [record, numbers] = [builder.bind(own, 'bigint'), builder.bind(others, 'bigint[]')];
  return builder.unfilteredStatement(
    `insert into ${identifier(through.table)} (${identifier(through.own)}, ${identifier(through.other)}) select ${record}, other from unnest(${numbers}) as others(other) on conflict do nothing`,
  );
}

/** Removes one relation, or all relations of a row; returns a row for each. */
export function compilePart(through: JoinTable, own: string, other?: string): Statement {
  const builder = new StatementBuilder();
  const given = other === undefined ? '' : ` and ${identifier(through.other)} = ${builder.bind(other, 'bigint')}`;
  return builder.unfilteredStatement(
    `delete from ${identifier(through.table)} where ${identifier(through.own)} = ${builder.bind(own, 'bigint')}${given} returning 1`,
  );
}
