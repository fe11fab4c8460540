import type { JoinTable } from '../edm/index.js';
import type { ParentStep } from '../plan/read-plan.js';
import type { Hop, JsonPlace } from '../plan/typed-expr.js';
import { columnReference, identifier } from './builder.js';
import { compileNumbers } from './compile-path.js';

/** The table that a step along navigation leads to, behind the table that joins it where there is one, or behind the numbers that an item keeps. */
export function compileTable({ table, alias, through, numbers }: Pick<Hop, 'table' | 'alias' | 'through' | 'numbers'>): string {
  if (numbers) return numbered(`${identifier(table)} ${alias}`, alias, numbers);
  return joined(table, alias, through, through?.other);
}

/** The columns in which a step meets the table that it comes from. */
export function compileMeetingColumns({ on, alias, from, through }: Pick<Hop, 'on' | 'alias' | 'from' | 'through'>): readonly string[] {
  const columns = on.map(([own, other]) => `${columnReference(alias, other)} = ${columnReference(from, own)}`);
  return through === undefined ? columns : [...columns, `${columnReference(joinAlias(alias), through.own)} = ${columnReference(from, through.number ?? '#id')}`];
}

/** The table of a parent, likewise. */
export function compileParentTable({ table, alias, through }: ParentStep): string {
  return joined(table, alias, through, through?.own);
}

/** The columns in which a parent meets its child. */
export function compileParentColumns({ on, alias, through }: ParentStep, child: string): readonly string[] {
  const columns = on.map(([own, other]) => `${columnReference(alias, other)} = ${columnReference(child, own)}`);
  return through === undefined ? columns : [...columns, `${columnReference(joinAlias(alias), through.other)} = ${columnReference(child, '#id')}`];
}

// A table of one array, which no planner takes apart: a condition on the number would be tried with every record for every item.
function numbered(table: string, alias: string, numbers: JsonPlace): string {
  const array = `lateral (select ${compileNumbers(numbers)} offset 0) ${alias}_numbers(value)`;
  return `(${array} join ${table} on ${columnReference(alias, '#id')} = any(${alias}_numbers.value))`;
}

// A join, and no condition with a subquery: PostgreSQL takes a subquery within another one row by row.
function joined(table: string, alias: string, through: JoinTable | undefined, side: string | undefined): string {
  const plain = `${identifier(table)} ${alias}`;
  if (through === undefined || side === undefined) return plain;
  const pairs = joinAlias(alias);
  return `(${identifier(through.table)} ${pairs} join ${plain} on ${columnReference(alias, '#id')} = ${columnReference(pairs, side)})`;
}

function joinAlias(alias: string): string {
  return `${alias}_pairs`;
}
