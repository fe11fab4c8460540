import type { EntityType, JoinTable } from '../edm/index.js';
import { identifier, StatementBuilder } from './builder.js';
import type { Statement } from './statement.js';

/** From the records of a table to those that go when they go. */
export interface Along {
  readonly from: string;
  readonly to: EntityType;
  /** A column of the one to a column of the other. */
  readonly join: { readonly [column: string]: string };
  readonly through?: JoinTable;
}

/** The numbers of the records that go along with others; these stay as they are until the transaction ends. */
export function compileAlong({ from, to, join, through }: Along, ids: readonly string[]): Statement {
  const builder = new StatementBuilder();
  const pairs = through && `join ${identifier(through.table)} p on p.${identifier(through.own)} = f."#id" `;
  const on = through
    ? [`t."#id" = p.${identifier(through.other)}`]
    : Object.entries(join).map(([column, other]) => `t.${identifier(other)} = f.${identifier(column)}`);
  const text = `select t."#id" from ${identifier(from)} f ${pairs ?? ''}join ${identifier(to.table)} t on ${on.join(' and ')}`;
  return builder.unfilteredStatement(`${text} where f."#id" = any(${builder.bind(ids, 'bigint[]')}) order by 1 for update of f`);
}
