import type { JoinTable } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** Relates two records by their numbers; the same where they are related already. */
export function compileJoin(through: JoinTable, own: string, other: string): Statement {
  const builder = new StatementBuilder();
  const pairs =
    through.symmetric && own !== other
      ? [
          [own, other],
          [other, own],
        ]
      : [[own, other]];
  const rows = pairs.map((pair) => `(${pair.map((number) => builder.bind(number, 'bigint')).join(', ')})`);
  return builder.wholeStatement(
    `insert into ${identifier(through.table)} (${identifier(through.own)}, ${identifier(through.other)}) values ${rows.join(', ')} on conflict do nothing`,
  );
}

/** Relates a record to several others, likewise. */
export function compileJoins(through: JoinTable, own: string, others: readonly string[]): Statement {
  const [other, ...more] = others;
  if (other !== undefined && more.length === 0) return compileJoin(through, own, other);
  const builder = new StatementBuilder();
  const [record, numbers] = [builder.bind(own, 'bigint'), builder.bind(others, 'bigint[]')];
  const back = through.symmetric ? ` union select other, ${record} from unnest(${numbers}) as others(other)` : '';
  return builder.wholeStatement(
    `insert into ${identifier(through.table)} (${identifier(through.own)}, ${identifier(through.other)}) select ${record}, other from unnest(${numbers}) as others(other)${back} on conflict do nothing`,
  );
}

/** Takes a relation away, or all that a record has by the property; a row for each that there was. */
export function compilePart({ table, own: ownColumn, other: otherColumn, symmetric }: JoinTable, own: string, other?: string): Statement {
  const builder = new StatementBuilder();
  const condition = ([first, second]: readonly [string, string]): string => {
    const given = other === undefined ? [] : [`${identifier(second)} = ${builder.bind(other, 'bigint')}`];
    return [`${identifier(first)} = ${builder.bind(own, 'bigint')}`, ...given].join(' and ');
  };
  const ways: readonly (readonly [string, string])[] = symmetric
    ? [
        [ownColumn, otherColumn],
        [otherColumn, ownColumn],
      ]
    : [[ownColumn, otherColumn]];
  return builder.wholeStatement(`delete from ${identifier(table)} where ${ways.map(condition).join(' or ')} returning 1`);
}
