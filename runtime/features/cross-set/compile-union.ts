import type { UnionMember } from '../../plan/read-plan.js';
import { columnReference, identifier, type StatementBuilder } from '../../sql/builder.js';
import { compileCondition } from '../../sql/compile-expr.js';
import { compileTypeTest } from '../../sql/compile-rows.js';

/** The records of several places as one set: each record's number and place, the number once more in the columns that its place and its types have. */
export function compileUnion(union: readonly UnionMember[], builder: StatementBuilder): string {
  const columns = union.flatMap((member) => member.columns.map(({ column }) => column));
  return `(${union.map((member, place) => compileMember(member, place, columns, builder)).join(' union all ')})`;
}

function compileMember(
  { type, alias, types, columns, filter }: UnionMember,
  place: number,
  all: readonly string[],
  builder: StatementBuilder,
): string {
  const number = columnReference(alias, '#id');
  const own = new Map(
    columns.map(({ column, types: of }) => [column, of ? `case when ${compileTypeTest(alias, of, builder)} then ${number} end` : number]),
  );
  const cells = [
    number,
    `${place}::bigint as "#place"`,
    ...all.map((column) => `${own.get(column) ?? 'null::bigint'} as ${identifier(column)}`),
  ];
  const conditions = [...(types ? [compileTypeTest(alias, types, builder)] : []), ...(filter ? [compileCondition(filter, builder)] : [])];
  return `select ${cells.join(', ')} from ${identifier(type.table)} ${alias}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
}
