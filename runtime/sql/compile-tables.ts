import type { JoinTable } from '../edm/index.js';
import type { ParentStep } from '../plan/read-plan.js';
import type { Hop } from '../plan/typed-expr.js';
import { columnReference, identifier, type StatementBuilder } from './builder.js';
import { compileNumberRows, compileNumbers } from './compile-path.js';
import { compileUnion } from './compile-union.js';

/** The table that a step along navigation leads to, behind the table that joins it where there is one, or behind the numbers that an item keeps; or the union of several. */
export function compileTable(
  { table, alias, through, numbers, union }: Pick<Hop, 'table' | 'alias' | 'through' | 'numbers' | 'union'>,
  builder: StatementBuilder,
): string {
  if (union) return `${compileUnion(union, builder)} ${alias}`;
  if (numbers) return numbered(`${identifier(table)} ${alias}`, alias, compileNumbers(numbers, builder));
  return joined(table, alias, through, through?.other);
}

/** The columns in which a step meets the table that it comes from. */
export function compileMeetingColumns({
  on,
  alias,
  from,
  through,
  table,
  first,
}: Pick<Hop, 'on' | 'alias' | 'from' | 'through' | 'table' | 'first'>): readonly string[] {
  const meet = (record: string): readonly string[] =>
    on.map(([own, other]) => `${columnReference(record, other)} = ${columnReference(from, own)}`);
  const columns = first ? [...meet(alias), compileFirst(table, alias, meet)] : meet(alias);
  return through === undefined
    ? columns
    : [...columns, `${columnReference(joinAlias(alias), through.own)} = ${columnReference(from, through.number ?? '#id')}`];
}

/** The table of a parent, likewise: with a row for each number that its item keeps, by which an index finds the children. */
export function compileParentTable({ table, alias, through, item }: ParentStep, builder: StatementBuilder): string {
  if (item?.numbers)
    return `(${identifier(table)} ${alias} cross join lateral ${compileNumberRows(item.numbers, builder)} ${alias}_numbers(value))`;
  if (item?.numbersOf) {
    const rows = item.numbersOf.map(
      ({ numbers }, place) => `select value, ${place} from ${compileNumberRows(numbers, builder)} kept(value)`,
    );
    return `(${identifier(table)} ${alias} cross join lateral (${rows.join(' union all ')}) ${alias}_numbers(value, place))`;
  }
  return joined(table, alias, through, through?.own);
}

/** The columns in which a parent meets its child. */
export function compileParentColumns({ on, alias, through, item, firstOf }: ParentStep, child: string): readonly string[] {
  const number = `(${alias}_numbers.value #>> '{}')::bigint`;
  if (item?.numbers) return [`${columnReference(child, '#id')} = ${number}`];
  // By the number of any of them an index finds the child; which set it is in is told by the column that has it.
  if (item?.numbersOf)
    return [
      `${columnReference(child, '#id')} = ${number}`,
      `case ${alias}_numbers.place ${item.numbersOf.map(({ column }, place) => `when ${place} then ${columnReference(child, column)}`).join(' ')} end = ${number}`,
    ];
  const meet = (record: string): readonly string[] =>
    on.map(([own, other]) => `${columnReference(alias, other)} = ${columnReference(record, own)}`);
  const columns = firstOf === undefined ? meet(child) : [...meet(child), compileFirst(firstOf, child, meet)];
  return through === undefined
    ? columns
    : [...columns, `${columnReference(joinAlias(alias), through.other)} = ${columnReference(child, '#id')}`];
}

// No record that meets the same one has been there for longer; of what the caller sees, since the table has no more to him.
function compileFirst(table: string, alias: string, meet: (record: string) => readonly string[]): string {
  const earlier = `${alias}_earlier`;
  return `not exists (select from ${identifier(table)} ${earlier} where ${[...meet(earlier), `${columnReference(earlier, '#id')} < ${columnReference(alias, '#id')}`].join(' and ')})`;
}

// A table of one array, which no planner takes apart: a condition on the number would be tried with every record for every item.
function numbered(table: string, alias: string, numbers: string): string {
  const array = `lateral (select ${numbers} offset 0) ${alias}_numbers(value)`;
  return `(${array} join ${table} on ${columnReference(alias, '#id')} = any(${alias}_numbers.value))`;
}

// A join, and no condition with a subquery: PostgreSQL takes a subquery within another one row by row.
function joined(table: string, alias: string, through: JoinTable | undefined, side: string | undefined): string {
  const plain = `${identifier(table)} ${alias}`;
  if (through === undefined || side === undefined) return plain;
  const pairs = joinAlias(alias);
  return `(${identifier(through.table)} ${pairs} join ${plain} on ${columnReference(alias, '#id')} = ${columnReference(pairs, side)})`;
}

/** What the table is called that joins the one of that alias to another. */
export function joinAlias(alias: string): string {
  return `${alias}_pairs`;
}
