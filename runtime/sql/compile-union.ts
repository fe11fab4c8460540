import type { UnionMember } from '../plan/read-plan.js';
import { ownerColumn } from '../plan/union-target.js';
import { columnReference, identifier, type StatementBuilder } from './builder.js';
import { compileCondition } from './compile-expr.js';
import { compileTypeTest } from './compile-rows.js';
import { compileTable, joinAlias } from './compile-tables.js';

/** The records of several places as one set: each record's number and place, the number once more in the columns that its place and its types have, and that of the record which leads to it. */
export function compileUnion(union: readonly UnionMember[], builder: StatementBuilder): string {
  const columns = union.flatMap((member) => member.columns.map(({ column }) => column));
  return `(${union.map((member, place) => compileMember(member, place, columns, builder)).join(' union all ')})`;
}

function compileMember(
  { type, alias, types, columns, filter, through }: UnionMember,
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
    ...(through ? [`${columnReference(joinAlias(alias), through.own)} as ${identifier(ownerColumn)}`] : []),
    ...all.map((column) => `${own.get(column) ?? 'null::bigint'} as ${identifier(column)}`),
  ];
  const conditions = [...(types ? [compileTypeTest(alias, types, builder)] : []), ...(filter ? [compileCondition(filter, builder)] : [])];
  return `select ${cells.join(', ')} from ${compileTable({ table: type.table, alias, ...(through && { through }) }, builder)}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
}
