import type { JoinTable } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** Relates two records by their numbers; the same where they are related already. */
export function compileJoin(through: JoinTable, own: string, other: string): Statement {
  const builder = new StatementBuilder();
  const row = [own, other].map((number) => builder.bind(number, 'bigint')).join(', ');
  return builder.wholeStatement(
    `insert into ${identifier(through.table)} (${identifier(through.own)}, ${identifier(through.other)}) values (${row}) on conflict do nothing`,
  );
}

/** Relates a record to several others, likewise. */
export function compileJoins(through: JoinTable, own: string, others: readonly string[]): Statement {
  const [other, ...more] = others;
  if (other !== undefined && more.length === 0) return compileJoin(through, own, other);
  const builder = new StatementBuilder();
  const [record, numbers] = [builder.bind(own, 'bigint'), builder.bind(others, 'bigint[]')];
  return builder.wholeStatement(
    `insert into ${identifier(through.table)} (${identifier(through.own)}, ${identifier(through.other)}) select ${record}, other from unnest(${numbers}) as others(other) on conflict do nothing`,
  );
}

/** Takes a relation away, or all that a record has by the property; a row for each that there was. */
export function compilePart(through: JoinTable, own: string, other?: string): Statement {
  const builder = new StatementBuilder();
  const given = other === undefined ? '' : ` and ${identifier(through.other)} = ${builder.bind(other, 'bigint')}`;
  return builder.wholeStatement(
    `delete from ${identifier(through.table)} where ${identifier(through.own)} = ${builder.bind(own, 'bigint')}${given} returning 1`,
  );
}
